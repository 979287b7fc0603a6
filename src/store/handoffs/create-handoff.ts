// Makes the next record of a subject, and never a second one.
import type { Handoff } from "../../boulder/handoff.ts"
import { StoreError } from "../disk/store-error.ts"
import { handoffIdOf } from "./handoff-id.ts"
import { busy, MAX_TRIES } from "./handoff-revisions.ts"
import type { HandoffStore } from "./handoff-store.ts"

/** What a new record is for. */
interface Wanted {
  /** The subject as a text: everyone who means the same meets in one record. */
  readonly subject: string
  readonly make: (id: string, now: number) => Handoff
  /** Whether a record of the subject is done with, so that the next one may begin. */
  readonly isPast: (handoff: Handoff) => boolean
}

/**
 * Makes the next record of a subject. If another was faster, returns that record to be changed instead. Records that are done with keep
 * their ids: the same hash with a lower generation.
 */
export async function createHandoff(
  store: HandoffStore,
  { subject, make, isPast }: Wanted,
): Promise<{ readonly handoff: Handoff; readonly isNew: boolean }> {
  /** The current record of a generation; null if there is none, or it is done with. */
  const look = async (generation: number): Promise<"free" | "past" | Handoff> => {
    const handoff = await readOrPast(store, handoffIdOf(subject, generation))
    if (handoff === null) return "free"
    return handoff === "past" || isPast(handoff) ? "past" : handoff
  }
  let generation = 0
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const id = handoffIdOf(subject, generation)
    const handoff = await store.create((now) => make(id, now))
    if (handoff !== null) return { handoff, isNew: true }
    const there = await look(generation)
    if (typeof there === "object") return { handoff: there, isNew: false }
    if (there === "past") generation = await afterPast(generation, look)
  }
  // A name that exists but no listing shows: a file system may mistake one name for another.
  throw busy(handoffIdOf(subject, generation))
}

/** The first generation after a past one that is not past itself, found in doubling steps. */
async function afterPast(
  past: number,
  look: (generation: number) => Promise<unknown>,
): Promise<number> {
  let [low, high] = [past, past + 1]
  while ((await look(high)) === "past") [low, high] = [high, high + 2 * (high - past)]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if ((await look(middle)) === "past") low = middle
    else high = middle
  }
  return high
}

/** An unreadable record is no reason to save nothing: the next one begins beside it. */
async function readOrPast(store: HandoffStore, id: string): Promise<Handoff | "past" | null> {
  try {
    return await store.read(id)
  } catch (error) {
    if (error instanceof StoreError && error.code === "corrupt") return "past"
    throw error
  }
}
