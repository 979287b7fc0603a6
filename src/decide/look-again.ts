// How soon to look at a session again if no event will tell: after a decision, after a failed look, and while its user is awaited.
import type { Decision } from "./decision.ts"

/** How soon to look again if the situation changed before its decision was written or shown. */
export const SUPERSEDED_MS = 1_000
/** The end of a turn is written within this time of its idle; if it is not there by then, it died with its host. */
export const HALF_WRITTEN_MS = 1_000
/** How often to look at a work that waits for a person: one `stat` of the plan and our own small file. */
export const WATCH_MS = 2_000
/** A failed look is repeated at growing intervals: a silent host must not end a run. */
const LOST_MS = 5_000
const MAX_LOST_MS = 300_000
/** How soon to look again if no idle marks the end of a compaction; a busy session has its idle earlier. */
const COMPACTION_MS = 10_000

/** Waits that end without an idle of the lead: a child's question is answered in the child, and no event says so. */
const AWAITED: ReadonlySet<string> = new Set([
  "question-pending",
  "permission-pending",
  "session-busy",
  "provider-wait",
])
/** How soon to look again after one of those. */
const AWAITED_MS = 30_000

/** When to look at a session again after a decision, in ms since 1970; null if an event will tell. */
export function lookAgainAt(decision: Decision, now: number): number | null {
  if (decision.kind === "compact") return now + COMPACTION_MS
  if (AWAITED.has(decision.reason)) return now + AWAITED_MS
  return decision.kind === "retry" ? decision.at : null
}

/** How soon to look again after this many failed looks in a row, in ms. */
export function lookAgainAfterLostMs(times: number): number {
  return Math.min(MAX_LOST_MS, LOST_MS * 2 ** (times - 1))
}
