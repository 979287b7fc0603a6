// How soon a session is looked at again where no event tells that it is time: after a decision, after a look that failed, and while its person is waited for.
import type { Decision } from "./decision.ts"

/** How soon a situation is looked at anew that had moved on before its decision was written, or shown. */
export const SUPERSEDED_MS = 1_000
/** A turn's end is written within this of its idle; what is not there then has died with its host. */
export const HALF_WRITTEN_MS = 1_000
/** How often a work that waits for a person is looked at: a `stat` of the plan and our own small file. */
export const WATCH_MS = 2_000
/** A look that could not be made is made again, ever later: a host that is silent must not end a run. */
const LOST_MS = 5_000
const MAX_LOST_MS = 300_000
/** How soon to look again where no idle tells the end of a compaction; a busy session has its idle before it. */
const COMPACTION_MS = 10_000

/** Waits that end without an idle of the lead: what a child has asked is answered there, and no event tells of its own. */
const AWAITED: ReadonlySet<string> = new Set([
  "question-pending",
  "permission-pending",
  "session-busy",
  "provider-wait",
])
/** How soon to look again at one of those. */
const AWAITED_MS = 30_000

/** When a session is to be looked at again after a decision, in ms since 1970; null where an event tells. */
export function lookAgainAt(decision: Decision, now: number): number | null {
  if (decision.kind === "compact") return now + COMPACTION_MS
  if (AWAITED.has(decision.reason)) return now + AWAITED_MS
  return decision.kind === "retry" ? decision.at : null
}

/** How soon a session is looked at again whose last looks, so many in a row, could not be made, in ms. */
export function lookAgainAfterLostMs(times: number): number {
  return Math.min(MAX_LOST_MS, LOST_MS * 2 ** (times - 1))
}
