// What a session was told last, and within which time a message begins its turn.
import { isWithin } from "../../boulder/iso-time.ts"
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

/**
 * Whether a session has begun on a prompt of ours that has failed. Where the host has not answered it, a message or a turn
 * that was not there before is taken for it; where it has refused it, only our own message. `before` is as it was prompted.
 */
export function hasBegunSince(
  before: SessionMemory,
  now: SessionMemory,
  isRefused: boolean,
): boolean {
  const isReceived = now.lastMessage !== before.lastMessage
  if (isRefused) return isReceived && now.unansweredSince !== null
  return isReceived || (now.running !== null && before.running === null)
}
