// How soon a session is looked at again after a decision, where no event tells that it is time.
import type { Decision } from "./decision.ts"

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
