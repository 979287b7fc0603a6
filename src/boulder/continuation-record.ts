// Reserves a continuation before its prompt is sent, and undoes that.
import type { Work } from "./boulder.ts"
import { isBefore, isWithin, msOf } from "./iso-time.ts"

const HOUR_MS = 3_600_000

/** How far a session's turns have moved its work, up to the last one. */
export interface CountedTurns {
  readonly noProgressStreak: number
  readonly fingerprint: string
  /** The last turn, which this count includes; null if there is none. */
  readonly messageId: string | null
}

/** An attempt to continue. */
interface Reservation extends CountedTurns {
  readonly now: string
}

/** Stores the number of turns without progress, and the turn that was counted last. */
export function countTurns({ noProgressStreak, fingerprint, messageId }: CountedTurns) {
  return (continuation: Work["continuation"]): Work["continuation"] => ({
    ...continuation,
    no_progress_streak: noProgressStreak,
    fingerprint,
    counted_message_id: messageId,
  })
}

/** Passes over a turn after which the work was resumed: its end no longer says anything about the work. */
export function countTurn(messageId: string): (work: Work) => Work {
  return (work) =>
    work.continuation.counted_message_id === messageId
      ? work
      : { ...work, continuation: { ...work.continuation, counted_message_id: messageId } }
}

/** Reserves one continuation before its prompt is sent, so that a failing prompt cannot repeat without limit. */
export function reserveContinuation(reservation: Reservation): (work: Work) => Work {
  const { now } = reservation
  return (work) => ({
    ...work,
    // An idle lead without children has nothing running below it: what is still recorded as running has died.
    dispatches: {},
    continuation: {
      ...countTurns(reservation)(work.continuation),
      count: work.continuation.count + 1,
      last_at: now,
      recent: [...withinTheHour(work.continuation.recent, msOf(now)), now].slice(-1_000),
    },
  })
}

/** Counts a failed prompt (no message), or a turn that ended in an error. */
export function recordFailure(messageId: string | null, now: string): (work: Work) => Work {
  return (work) => ({
    ...work,
    continuation: {
      ...work.continuation,
      failures: work.continuation.failures + 1,
      failed_at: now,
      failed_message_id: messageId ?? work.continuation.failed_message_id,
    },
  })
}

/** Applies the outcome of a session's last turn: a failure is counted once, a turn that went well resets the count. */
export function recordTurn(
  turn: { readonly messageId: string; readonly failed: boolean; readonly endedAt: number },
  now: string,
): (work: Work) => Work {
  return (work) => {
    const { failures, failed_at, failed_message_id } = work.continuation
    if (turn.failed)
      return failed_message_id === turn.messageId ? work : recordFailure(turn.messageId, now)(work)
    if (work.limited !== null) return recordTurn(turn, now)({ ...work, limited: null })
    const isLater = failed_at === null || isBefore(failed_at, turn.endedAt, msOf(now))
    return failures === 0 || !isLater
      ? work
      : { ...work, continuation: { ...work.continuation, failures: 0, failed_at: null } }
  }
}

/** The times within the hour before `nowMs`, and those up to an hour ahead, which a clock set back leaves behind. */
export function withinTheHour(times: readonly string[], nowMs: number): readonly string[] {
  return times.filter((time) => isWithin(time, HOUR_MS, nowMs))
}
