// What a session was told last, and within which time a message begins its turn.
import { isWithin } from "../boulder/iso-time.ts"
import type { SessionMemory } from "./session-memory.ts"

/** A message begins its turn within this, in ms; behind it the host has taken it and does nothing. */
export const BEGINS_MS = 10_000

/**
 * What a session was told last, as one text: what was decided before another message, command, compaction or turn is
 * void. Null while a message waits for its turn, whoever wrote it, and of a session that is deleted: it is not ours to
 * decide on. `now` in ms.
 */
export function heardOf(
  { lastMessage, awaitsTurnSince, running, command, compactions, isDeleted }: SessionMemory,
  now: number,
): string | null {
  if (isDeleted) return null
  if (awaitsTurnSince !== null && isWithin(awaitsTurnSince, BEGINS_MS, now)) return null
  return JSON.stringify([lastMessage, running !== null, command, compactions])
}

/** Whether a session has received a message, or begun a turn, that it had not before; a compaction that has ended is neither. */
export function hasBegunSince(before: SessionMemory, now: SessionMemory): boolean {
  return now.lastMessage !== before.lastMessage || (now.running !== null && before.running === null)
}
