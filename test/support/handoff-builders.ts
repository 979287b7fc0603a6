import type { Handoff } from "../../src/boulder/handoff.ts"
import {
  type HandoffActor,
  type HandoffChange,
  newHandoff,
  type SavedProgress,
} from "../../src/boulder/handoff-changes.ts"
import { NOW } from "./builders.ts"

export const FIRST = "ses_first"
export const SECOND = "ses_second"
export const THIRD = "ses_third"
const LEASE_MS = 30 * 60_000
const PROJECT = "project-one"

/** A session that acts. */
export function anActor(sessionId: string, given: Partial<HandoffActor> = {}): HandoffActor {
  return {
    sessionId,
    agent: "build",
    place: null,
    family: [],
    leaseMs: LEASE_MS,
    ...given,
  }
}

/** A change as made at a given moment, `minutes` after `NOW`, whatever the store's clock says. */
export function timed(minutes: number, change: HandoffChange): HandoffChange {
  return (handoff) => change(handoff, NOW + minutes * 60_000)
}

export function someProgress(given: Partial<SavedProgress> = {}): SavedProgress {
  const status = given.status ?? "blocked"
  const reason = status === "blocked" ? "no network" : null
  return { status, summary: "half done", reason, unblock: null, ...given }
}

/** The id of a handoff that ends in this number. */
export function idOf(number: number): string {
  return `hnd_${String(number).padStart(16, "0")}`
}

/** A record that `FIRST` has blocked at `NOW`. */
export function aHandoff(given: Partial<Handoff> = {}): Handoff {
  const subject = {
    id: idOf(1),
    project: PROJECT,
    workId: null,
    planName: null,
    taskKey: null,
    titleHash: null,
    taskText: "the importer",
    fromOutside: false,
  }
  return { ...newHandoff(subject, anActor(FIRST), someProgress(), NOW), ...given }
}
