// The rounds of a work, as changes: begin, end, reserve the one compaction.
import type { RoundEnd, Work } from "./boulder.ts"
import { type CountedTurns, countTurns } from "./continuation-record.ts"

const GRAVITY: Readonly<Record<RoundEnd, number>> = {
  "checkpoint-due": 1,
  "context-grown": 1,
  "soft-limit": 2,
  "hard-limit": 3,
}

/** Whether `reason` is more serious than the one that ended the round; each is reported once a round. */
export function isGraver(reason: RoundEnd, ended: RoundEnd | null): boolean {
  return ended === null || GRAVITY[reason] > GRAVITY[ended]
}

/** Ends the round with checkpoint `seq`: the next one is due when as many tasks again are settled. */
export function endRound(reason: RoundEnd, seq: number, settled: number): (work: Work) => Work {
  return (work) => ({
    ...work,
    checkpoint_seq: Math.max(work.checkpoint_seq, seq),
    round: {
      ...work.round,
      settled_at_checkpoint: settled,
      ended: isGraver(reason, work.round.ended) ? reason : work.round.ended,
    },
  })
}

/** Begins the next round if one has ended. */
export function beginRound(work: Work): Work {
  const { round } = work
  if (round.ended === null) return work
  return { ...work, round: { ...round, number: round.number + 1, ended: null, compacted: false } }
}

/** Begins the first round of a new work: what was done or settled before does not count. */
export function firstRound(done: number, settled: number): (work: Work) => Work {
  return (work) => ({
    ...work,
    done_at_start: done,
    round: { ...work.round, settled_at_checkpoint: settled },
  })
}

/**
 * Reserves the one compaction of an ended round before the host is asked for it. `turns` keeps the count of turns without progress over the
 * compaction. A round that is not over, or was already compacted, stays as it is.
 */
export function reserveCompaction(turns: CountedTurns): (work: Work) => Work {
  return (work) =>
    work.status !== "active" || work.round.ended === null || work.round.compacted
      ? work
      : {
          ...work,
          round: { ...work.round, compacted: true },
          continuation: countTurns(turns)(work.continuation),
        }
}
