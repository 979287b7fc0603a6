// Reserves a continuation before its prompt is sent, and undoes it.
import type { Work } from "./boulder.ts"
import { isBefore, isWithin, msOf } from "./iso-time.ts"

const HOUR_MS = 3_600_000

/** How a session's turns moved its work, up to the last one. */
export interface CountedTurns {
  readonly noProgressStreak: number
  readonly fingerprint: string
  /** The last turn, which is counted with this; null where there is none. */
  readonly messageId: string | null
}

/** An attempt to go on. */
interface Reservation extends CountedTurns {
  readonly now: string
}

/** Keeps the count of turns without progress, with the turn that it has counted last. */
export function countTurns({ noProgressStreak, fingerprint, messageId }: CountedTurns) {
  return (continuation: Work["continuation"]): Work["continuation"] => ({
    ...continuation,
    no_progress_streak: noProgressStreak,
    fingerprint,
    counted_message_id: messageId,
  })
}

/** A turn that the work was set going behind: it is gone past, and its end tells nothing of the work any more. */
export function countTurn(messageId: string): (work: Work) => Work {
  return (work) =>
    work.continuation.counted_message_id === messageId
      ? work
      : { ...work, continuation: { ...work.continuation, counted_message_id: messageId } }
}

/** Reserves one continuation before its prompt is sent, so that a failing prompt cannot storm. */
export function reserveContinuation(reservation: Reservation): (work: Work) => Work {
  const { now } = reservation
  return (work) => ({
    ...work,
    // Nothing runs below an idle lead without children: what is still written down as in flight has died.
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

/** Takes the outcome of a session's last turn into account: a failure is counted once, a turn that went well forgets them. */
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

/** The times of the last hour before `nowMs`; those that a step back of the clock has put up to an hour ahead too. */
export function withinTheHour(times: readonly string[], nowMs: number): readonly string[] {
  return times.filter((time) => isWithin(time, HOUR_MS, nowMs))
}
