// Counts compactions: the epoch that makes reservations void, and circles.
import type { Work } from "./boulder.ts"

/** This many compactions without a settled task in between are a circle. */
const CIRCLE = 2

/**
 * Counts a compaction of the lead session that has just ended, with this many tasks settled. A continuation reserved before it is void,
 * since the epoch has changed. A compaction in a turn of the user's is not counted as a circle of the work.
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

/** Whether the work only fills its context and empties it again, with nothing settled up to now. */
export function goesInCircles({ compactions }: Work, settled: number): boolean {
  return compactions.in_a_row >= CIRCLE && settled <= compactions.settled_at_last
}
