// Sets a work going again that is still paused for this reason.
import type { PauseReason, Work } from "./boulder.ts"
import { resumed } from "./change-work.ts"

/** Sets a work going again that is still paused for this reason; any other stays as it is. */
export function reopenWork(reason: PauseReason, now: string): (work: Work) => Work {
  return (work) =>
    work.status === "paused" && work.pause_reason === reason ? resumed(work, now) : work
}

/**
 * Lifts the wait for the user's approval: this very wave is approved, a later one is not; without a fingerprint the wave
 * that waits.
 */
export function approveWave(fingerprint: string | null = null): (work: Work) => Work {
  return (work) => {
    const waiting = work.awaiting_approval?.fingerprint ?? null
    return waiting === null || (fingerprint !== null && fingerprint !== waiting)
      ? work
      : { ...work, awaiting_approval: null, approved_wave: waiting }
  }
}
