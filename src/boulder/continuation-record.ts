// Reserves a continuation before its prompt is sent, and undoes it.
import type { Work } from "./boulder.ts"
import { isBefore, isWithin, msOf } from "./iso-time.ts"

const HOUR_MS = 3_600_000

/** An attempt to go on. */
interface Reservation {
  readonly now: string
  readonly noProgressStreak: number
  readonly fingerprint: string
}

/** Reserves one continuation before its prompt is sent, so that a failing prompt cannot storm. */
export function reserveContinuation(reservation: Reservation): (work: Work) => Work {
  const { now, noProgressStreak, fingerprint } = reservation
  return (work) => ({
    ...work,
    // Nothing runs below an idle lead without children: what is still written down as in flight has died.
    dispatches: {},
    continuation: {
      ...work.continuation,
      count: work.continuation.count + 1,
      no_progress_streak: noProgressStreak,
      last_at: now,
      recent: [...withinTheHour(work.continuation.recent, msOf(now)), now].slice(-1_000),
      fingerprint,
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
