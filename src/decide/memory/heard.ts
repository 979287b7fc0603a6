// What a session was last told, and how soon a message must begin its turn.
import { isWithin } from "../../boulder/iso-time.ts"
import type { SessionMemory } from "./session-memory.ts"

/** A message begins its turn within this time, in ms. After that, the host has accepted it and does nothing with it. */
export const BEGINS_MS = 10_000

/**
 * What a session was last told, as a text: a decision made before another message, command, compaction or turn is void. Null while a
 * message waits for its turn, whoever wrote it, and for a deleted session: nothing is ours to decide then. `now` in ms.
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
 * Whether a session has started on a prompt of ours that failed. If the host did not answer the prompt, any new message or turn counts as
 * its start; if the host refused it, only our own message does. `before` is the memory when it was prompted.
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
