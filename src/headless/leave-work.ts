// What a run leaves of its work where its server ends with it.
import type { PauseReason, Work } from "../boulder/boulder.ts"
import { changeWork, pause } from "../boulder/change-work.ts"
import { isoOf } from "../boulder/iso-time.ts"
import { withoutWait } from "../boulder/usage-limit.ts"
import { worksLed } from "../decide/place.ts"
import type { Journal } from "../store/records/journal.ts"
import type { BoulderStore } from "../store/revisions/boulder-store.ts"
import type { RunEvent, RunOutcome } from "./run-event.ts"

/** A run that ends. */
interface RunLeft {
  readonly leadId: string
  /** Null where it has failed. */
  readonly outcome: RunOutcome | null
  readonly store: BoulderStore
  readonly journal: Pick<Journal, "append">
  /** ms since 1970 */
  readonly now: () => number
  readonly emit: (event: RunEvent) => void
}

/**
 * Leaves nothing of a run's works going: an opencode that is open on the same project would take them up, and spend for
 * them, though their run has ended. Tells of each that it pauses.
 */
export async function leaveWork({
  leadId,
  outcome,
  store,
  journal,
  now,
  emit,
}: RunLeft): Promise<void> {
  const end = endOf(outcome)
  if (end === null) return
  const at = isoOf(now())
  const leave = leftBy(end.reason)
  const { boulder: before } = await store.read()
  for (const { work_id: workId } of worksLed(before, leadId)) {
    const { boulder, changed } = await store.update(
      changeWork(workId, at, (work) => (work.lead_session_id === leadId ? leave(work) : work)),
    )
    const reason = boulder.works[workId]?.pause_reason ?? null
    if (!changed || reason === null) continue
    const told = { at, decision: "pause", reason }
    emit({ kind: "decision", ...told })
    await journal.append({ ...told, session: leadId, work: workId, facts: { why: end.why } })
  }
}

/** What waits for a limit's end waits for its user by then; what waits for an approval still does. */
function leftBy(reason: PauseReason): (work: Work) => Work {
  return (work) => (work.awaiting_approval === null ? pause(reason)(withoutWait(work)) : work)
}

interface End {
  readonly reason: "aborted" | "rejected-by-user"
  readonly why: string
}

/** Why a work is paused where its run ends so; null where it goes on only by its user's word. */
function endOf(outcome: RunOutcome | null): End | null {
  switch (outcome?.kind) {
    case "complete":
      return null
    case "interrupted":
      return { reason: "aborted", why: "its run was interrupted" }
    case "out-of-time":
      return { reason: "aborted", why: "the time limit of its run is over" }
    case "needs-user":
      return ofNeed(outcome.need.reason)
    default:
      return { reason: "aborted", why: "its run failed" }
  }
}

function ofNeed(need: string): End | null {
  if (need === "awaiting-approval") return null
  const isAsked = need === "question" || need === "permission"
  return { reason: isAsked ? "rejected-by-user" : "aborted", why: "its run ended" }
}
