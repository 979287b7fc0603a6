// Resumes a work that is still paused for this reason.
import type { PauseReason, Work } from "./boulder.ts"
import { resumed } from "./change-work.ts"
import { isGoing } from "./usage-limit.ts"

/** Resumes a work that is still paused for this reason; any other stays as it is. */
export function reopenWork(reason: PauseReason, now: string): (work: Work) => Work {
  return (work) =>
    work.status === "paused" && work.pause_reason === reason ? resumed(work, now) : work
}

/** A work that goes on past a stop that was told: what was stopped before counts no more. Any other stays as it is. */
export function goOnPastStop(now: string): (work: Work) => Work {
  return (work) => (isGoing(work) ? { ...work, resumed_at: now } : work)
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
