// Resumes a work that is still paused for a given reason.
import type { PauseReason, Work } from "./boulder.ts"
import { resumed } from "./change-work.ts"
import { isBefore, isoOf, msOf } from "./iso-time.ts"

/** Resumes a work that is still paused for this reason; any other stays as it is. */
export function reopenWork(reason: PauseReason, now: string): (work: Work) => Work {
  return (work) =>
    work.status === "paused" && work.pause_reason === reason ? resumed(work, now) : work
}

/** Whether something, in ms, came after the work was last resumed. In the future it counts as now: the clock was set back. */
export function isSinceResumed(at: number, work: Pick<Work, "resumed_at">, now: number): boolean {
  return !isBefore(Math.min(at, now), work.resumed_at, now)
}

/**
 * Records for the next process when the user last said no in a session of a work; null if that no longer holds. Refusals in other sessions
 * stay, and a completed work stays as it is. `at` and `now` in ms.
 */
export function keepRejection(
  sessionId: string,
  at: number | null,
  now: number,
): (work: Work) => Work {
  return (work) => {
    const { [sessionId]: kept, ...others } = work.rejections
    const holds = at !== null && isSinceResumed(at, work, now)
    const since = holds ? isoOf(at) : undefined
    if (work.status === "completed" || kept === since) return work
    const rejections = since === undefined ? others : { ...others, [sessionId]: since }
    return { ...work, rejections }
  }
}

/** When the user last said no to a work, remembered or recorded, in ms; null if they have not. */
export function rejectionOf({ rejections }: Work, remembered: number | null): number | null {
  const kept = Object.values(rejections).map(msOf)
  const all = remembered === null ? kept : [...kept, remembered]
  return all.length === 0 ? null : Math.max(...all)
}

/** Whether the user has said no in a session of the work, and that session has not gone on since. */
export function isRejected({ rejections }: Work): boolean {
  return Object.keys(rejections).length > 0
}

/** Approves this very wave, which ends the wait for it; a later wave is not approved. */
export function approveWave(fingerprint: string): (work: Work) => Work {
  return (work) => ({
    ...withoutLapse(work),
    awaiting_approval: null,
    spoken_wave: null,
    approved_wave: fingerprint,
  })
}

/** Forgets the results of the final wave: its rows must run again, and nobody has approved them. */
export function forgetWave(work: Work): Work {
  return {
    ...withoutLapse(work),
    final_wave: {},
    awaiting_approval: null,
    approved_wave: null,
    spoken_wave: null,
  }
}

function withoutLapse({ approval_lapsed: _, ...work }: Work): Work {
  return work
}
