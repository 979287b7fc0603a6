// Resumes a work that is still paused for this reason.
import type { PauseReason, Work } from "./boulder.ts"
import { resumed } from "./change-work.ts"
import { isBefore, isoOf, msOf } from "./iso-time.ts"
import { isGoing } from "./usage-limit.ts"

/** Resumes a work that is still paused for this reason; any other stays as it is. */
export function reopenWork(reason: PauseReason, now: string): (work: Work) => Work {
  return (work) =>
    work.status === "paused" && work.pause_reason === reason ? resumed(work, now) : work
}

/** A work that goes on past a stop that was told, or a refusal: what came before counts no more. Any other stays as it is. */
export function goOnPastStop(now: string): (work: Work) => Work {
  return (work) => (isGoing(work) ? { ...withoutRejection(work), resumed_at: now } : work)
}

/**
 * Keeps when the user has last said no to a work that goes on, or is to, for the next process; null where nothing of
 * that holds any more. `at` and `now` in ms.
 */
export function keepRejection(at: number | null, now: number): (work: Work) => Work {
  return (work) => {
    const holds = at !== null && !isBefore(Math.min(at, now), work.resumed_at, now)
    if (!holds) return work.rejected_at === undefined ? work : withoutRejection(work)
    const since = isoOf(at)
    return !isGoing(work) || work.rejected_at === since ? work : { ...work, rejected_at: since }
  }
}

/** When the user has last said no to a work, as it is remembered or else kept, in ms; null where they have not. */
export function rejectionOf({ rejected_at: kept }: Work, remembered: number | null): number | null {
  return remembered ?? (kept === undefined ? null : msOf(kept))
}

function withoutRejection({ rejected_at: _, ...work }: Work): Work {
  return work
}

/** Approves this very wave, which ends the wait for it; a later one is not approved. */
export function approveWave(fingerprint: string): (work: Work) => Work {
  return (work) => ({
    ...work,
    awaiting_approval: null,
    spoken_wave: null,
    approved_wave: fingerprint,
  })
}

/** Forgets what the final wave has brought: its rows are to be run again, and nobody has approved them. */
export function forgetWave(work: Work): Work {
  return {
    ...work,
    final_wave: {},
    awaiting_approval: null,
    approved_wave: null,
    spoken_wave: null,
  }
}
