// Tells what a work is doing, or why it does nothing.

import type { Work } from "./boulder.ts"
import { hasHeldBlock } from "./held-plan.ts"
import { isoOf, msUntil } from "./iso-time.ts"
import { joinViews, type ReadView, type WorkState, type WorkView } from "./live-view.ts"
import { hostWaitEnd } from "./usage-limit.ts"

/** What only the process that leads a work knows about it. */
export interface LeadFacts {
  /** What its sessions wait for, if the user is asked, or switched its lead to another agent. */
  readonly waitingFor: "question" | "permission" | "agent" | null
  readonly asks: string | null
  readonly session: string | null
  /** Until when failed turns delay the next one, in ms. */
  readonly backsOffUntil: number | null
  /** Until when the host itself waits for the provider, as it has reported to this process, in ms; short retries included. */
  readonly hostWaitsUntil: number | null
  /** It is working itself, whatever it has started in the background. */
  readonly isWorking?: boolean
}

/**
 * The state of a work. `lead` is null if no living opencode leads it: then nothing is called working. `more` adds to the reason of a pause or of a wait for approval.
 * `now` in ms.
 */
export function workStateOf(
  work: Work,
  lead: LeadFacts | null,
  { more, now }: { readonly more: string | null; readonly now: number },
): WorkState {
  switch (work.status) {
    case "completed":
      return { kind: "complete" }
    case "paused":
      return stateOfPaused(work, lead !== null, more)
    case "active":
      return stateOfActive(work, lead, { more, now })
  }
}

/** The state of a work as seen from the files alone: a living process that leads it knows more. */
export function stateSeen(
  work: Work,
  views: readonly ReadView[],
  facts: { readonly more: string | null; readonly now: number },
): WorkState {
  const view = leadingView(work, views)
  const isNewest = view !== undefined && view.updated_at === work.updated_at
  return isNewest ? view.state : workStateOf(work, view === undefined ? null : NO_FACTS, facts)
}

/** What the living process that leads a work shows of it; undefined if none does. */
export function leadingView(
  { work_id }: Pick<Work, "work_id">,
  views: readonly ReadView[],
): WorkView | undefined {
  return joinViews(views).find((view) => view.led && view.work_id === work_id)
}

/** What is known about a led work whose latest change its process has not shown yet. */
const NO_FACTS: LeadFacts = {
  waitingFor: null,
  asks: null,
  session: null,
  backsOffUntil: null,
  hostWaitsUntil: null,
}

function stateOfPaused(work: Work, isLed: boolean, more: string | null): WorkState {
  const reason = work.pause_reason ?? "stopped-by-user"
  const goesOnAt = work.limited?.goes_on_at ?? null
  return reason === "usage-limited" && goesOnAt !== null && isLed
    ? { kind: "waiting", for: "limit", until: goesOnAt }
    : { kind: "paused", reason, more, ...(hasHeldBlock(work) ? { has_held: true } : {}) }
}

function stateOfActive(
  work: Work,
  lead: LeadFacts | null,
  { more, now }: { readonly more: string | null; readonly now: number },
): WorkState {
  const { awaiting_approval: waits, lead_session_id: session } = work
  const asked = lead?.waitingFor ?? null
  // The question may be the one for the approval: then it is shown as a wait for approval.
  if (waits !== null && asked !== "permission")
    return { kind: "waiting-for-you", for: "approval", asks: more, session }
  if (lead === null) return { kind: "idle" }
  if (asked !== null)
    return { kind: "waiting-for-you", for: asked, asks: lead.asks, session: lead.session }
  const { backsOffUntil: until, hostWaitsUntil: told } = lead
  const known = hostWaitEnd(work, now) ?? (told === null ? null : isoOf(told))
  const end = lead.isWorking === true ? null : known
  if (end !== null && msUntil(end, now) > 0) return { kind: "waiting", for: "provider", until: end }
  return until !== null && msUntil(until, now) > 0
    ? { kind: "waiting", for: "failures", until: isoOf(until) }
    : { kind: "working" }
}
