// Counts compactions: the epoch that voids reservations, and circles.
import type { Work } from "./boulder.ts"

/** So many compactions with no task settled between them are a circle. */
const CIRCLE = 2

/**
 * Counts a compaction of the lead session that has just ended, when so many tasks were settled. A continuation that
 * was reserved before it is no longer good: the epoch is another. What the user asks for is no circle of the work: in
 * a turn of their own it goes uncounted.
 */
export function recordCompaction(
  settled: number,
  { isUsersTurn }: { readonly isUsersTurn: boolean },
): (work: Work) => Work {
  return (work) => {
    const { epoch, settled_at_last, in_a_row } = work.compactions
    if (isUsersTurn) return { ...work, compactions: { ...work.compactions, epoch: epoch + 1 } }
    const isFirst = epoch === 0 || settled > settled_at_last
    return {
      ...work,
      compactions: {
        epoch: epoch + 1,
        settled_at_last: settled,
        in_a_row: isFirst ? 1 : in_a_row + 1,
      },
    }
  }
}

/** Whether the work only fills its context and empties it again: nothing was settled, up to now. */
export function goesInCircles({ compactions }: Work, settled: number): boolean {
  return compactions.in_a_row >= CIRCLE && settled <= compactions.settled_at_last
}
