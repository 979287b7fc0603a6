import type { Work } from "./boulder.ts"

/** So many compactions with no task settled between them are a circle. */
const CIRCLE = 2

/**
 * Counts a compaction of the lead session that has just ended, when so many tasks were settled. A continuation that
 * was reserved before it is no longer good: the epoch is another.
 */
export function recordCompaction(settled: number): (work: Work) => Work {
  return (work) => {
    const { epoch, settled_at_last, in_a_row } = work.compactions
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
