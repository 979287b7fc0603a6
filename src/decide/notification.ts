// What a person who is away is told of: which decisions and requests, and what a program gets of each.
import type { Work } from "../boulder/boulder.ts"
import { holds, hostWaitEnd } from "../boulder/usage-limit.ts"
import type { HostEvent } from "./memory/host-event.ts"
import type { OpenRequest } from "./open-request.ts"

/** What may be told of, as the option `notify.on` names it. */
export const NOTIFY_EVENTS = [
  "pause",
  "question",
  "permission",
  "approval",
  "limit",
  "done",
  "error",
] as const

export type NotifyEvent = (typeof NOTIFY_EVENTS)[number]

/** What a program of the user's reads on its stdin, as one JSON object; docs/NOTIFY.md says each field. */
export interface Notification {
  readonly version: 1
  readonly event: NotifyEvent
  /** ISO time. */
  readonly at: string
  readonly project: string
  readonly plan: { readonly name: string; readonly path: string } | null
  readonly work: string | null
  readonly session: string | null
  readonly reason: string
  /** The reason as a person reads it. */
  readonly says: string
  /** What sets the work going again; null where nothing is to be done. */
  readonly to_resume: string | null
  readonly facts: Readonly<Record<string, unknown>>
  /** What waits for an answer; null for all else. */
  readonly request: OpenRequest | null
}

/** What the user has done themselves in that moment: they need not be told of it. */
const OWN_DOING: ReadonlySet<string> = new Set(["stopped-by-user", "aborted", "rejected-by-user"])
const FAILURES: ReadonlySet<string> = new Set(["provider-refused", "backing-off"])

/** What holds up the work or one task of it, and is no pause. */
const WAITS: ReadonlyMap<string, NotifyEvent> = new Map([
  ["tool-long", "error"],
  ["awaiting-approval", "approval"],
  ["provider-wait", "limit"],
  ["subagent-limited", "limit"],
  ["subagent-limit-spent", "limit"],
])

/** What a decision of the journal is told as; null where nobody has to know. */
export function notifyEventOf(decision: string, reason: string): NotifyEvent | null {
  if (decision === "finish") return "done"
  // Any other rest is a pause that lasts: that was told when it began.
  if (decision === "rest" || decision === "notice") return WAITS.get(reason) ?? null
  if (decision !== "pause" || OWN_DOING.has(reason)) return null
  if (reason === "usage-limited") return "limit"
  return FAILURES.has(reason) ? "error" : "pause"
}

/** What an open request is told as. */
export function requestEventOf(told: {
  readonly kind: (HostEvent & { kind: "question-asked" | "permission-asked" })["kind"]
}): NotifyEvent {
  return told.kind === "question-asked" ? "question" : "permission"
}

/** How long nothing more is told of one reason, in ms. */
export const NOTIFY_EVERY_MS = 60_000

/** Whether what was to be told of a work is still so behind that minute; `now` in ms. */
export function isStillSo(
  work: Work,
  { event, reason, facts }: Pick<Notification, "event" | "reason" | "facts">,
  now: number,
): boolean {
  // How long a tool runs no record says.
  if (event === "done" || reason === "tool-long") return true
  if (event === "approval") return work.awaiting_approval !== null
  // Of one task: its key may be another by now.
  if (event === "limit" && typeof facts["title_hash"] === "string")
    return Object.values(work.task_sessions).some(
      ({ title_hash: hash, interrupted }) =>
        hash === facts["title_hash"] && interrupted !== undefined && holds(interrupted, now),
    )
  return reason === "provider-wait"
    ? hostWaitEnd(work, now) !== null
    : work.status === "paused" && work.pause_reason === reason
}
