import type { PauseReason, Work } from "./boulder.ts"
import { resumed } from "./change-work.ts"

/** Sets a work going again that is still paused for this reason; any other stays as it is. */
export function reopenWork(reason: PauseReason, now: string): (work: Work) => Work {
  return (work) =>
    work.status === "paused" && work.pause_reason === reason ? resumed(work, now) : work
}

/** Lifts the wait for the user's approval: this very wave is approved, a later one is not. */
export function approveWave(fingerprint: string): (work: Work) => Work {
  return (work) =>
    work.awaiting_approval?.fingerprint === fingerprint
      ? { ...work, awaiting_approval: null, approved_wave: fingerprint }
      : work
}
