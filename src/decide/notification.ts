// Decides what a person who is away is told, and what a notification program gets.
import type { Work } from "../boulder/boulder.ts"
import { holds, hostWaitEnd } from "../boulder/usage-limit.ts"
import type { OpenRequest } from "./open-request.ts"

/** What can be notified, by the names of the option `notify.on`. */
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

/** What the user's program reads on stdin, as one JSON object; docs/NOTIFY.md explains each field. */
export interface Notification {
  readonly version: 1
  readonly event: NotifyEvent
  /** An ISO time. */
  readonly at: string
  readonly project: string
  readonly plan: { readonly name: string; readonly path: string } | null
  readonly work: string | null
  readonly session: string | null
  readonly reason: string
  /** The reason in words for people. */
  readonly says: string
  /** What resumes the work; null if nothing has to be done. */
  readonly to_resume: string | null
  readonly facts: Readonly<Record<string, unknown>>
  /** The request that waits for an answer; null for anything else. */
  readonly request: OpenRequest | null
}

/** What the user has just done themselves, and need not be told. */
const OWN_DOING: ReadonlySet<string> = new Set(["stopped-by-user", "aborted", "rejected-by-user"])
const FAILURES: ReadonlySet<string> = new Set(["provider-refused", "backing-off"])

/** What delays the work or one of its tasks without pausing it. */
const WAITS: ReadonlyMap<string, NotifyEvent> = new Map([
  ["tool-long", "error"],
  ["awaiting-approval", "approval"],
  ["provider-wait", "limit"],
  ["subagent-limited", "limit"],
  ["subagent-limit-spent", "limit"],
])

/** The event that a decision in the journal is notified as; null if nobody needs to know. */
export function notifyEventOf(decision: string, reason: string): NotifyEvent | null {
  if (decision === "finish") return "done"
  // Any other rest belongs to a pause that was notified when it began.
  if (decision === "rest" || decision === "notice") return WAITS.get(reason) ?? null
  if (decision !== "pause" || OWN_DOING.has(reason)) return null
  if (reason === "usage-limited") return "limit"
  return FAILURES.has(reason) ? "error" : "pause"
}

/** How long the same reason is not notified again, in ms. */
export const NOTIFY_EVERY_MS = 60_000

/** Whether a notification is still true after that minute; `now` in ms. */
export function isStillSo(
  work: Work,
  { event, reason, facts }: Pick<Notification, "event" | "reason" | "facts">,
  now: number,
): boolean {
  // No record says how long a tool has been running.
  if (event === "done" || reason === "tool-long") return true
  if (event === "approval") return work.awaiting_approval !== null
  // About one task: its key may be another's by now.
  if (event === "limit" && typeof facts["title_hash"] === "string")
    return Object.values(work.task_sessions).some(
      ({ title_hash: hash, interrupted }) =>
        hash === facts["title_hash"] && interrupted !== undefined && holds(interrupted, now),
    )
  return reason === "provider-wait"
    ? hostWaitEnd(work, now) !== null
    : work.status === "paused" && work.pause_reason === reason
}
