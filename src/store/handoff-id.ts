import { randomInt } from "node:crypto"

const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const LENGTH = 16

/** A new id of a handoff: 95 random bits, so that knowing one tells nothing of another. */
export function newHandoffId(): string {
  return `hnd_${randomLetters(LENGTH)}`
}

/** A name for an agent that has none: it lasts as long as its process. */
export function newHolderId(): string {
  return `mcp_${randomLetters(LENGTH)}`
}

function randomLetters(count: number): string {
  return Array.from({ length: count }, () => LETTERS[randomInt(LETTERS.length)]).join("")
}
