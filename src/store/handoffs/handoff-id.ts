// Makes the id of a new handoff.
import { createHash, randomInt } from "node:crypto"

const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const LENGTH = 16

/**
 * The id of a subject's record: 95 bits of its hash, so that everyone who opens one at the same moment meets in one record. `generation`
 * counts the subject's records that are done with.
 */
export function handoffIdOf(subject: string, generation: number): string {
  const digest = createHash("sha256").update(`${generation} ${subject}`).digest("hex")
  const base = BigInt(LETTERS.length)
  let rest = BigInt(`0x${digest}`)
  let letters = ""
  for (; letters.length < LENGTH; rest /= base) letters += LETTERS[Number(rest % base)]
  return `hnd_${letters}`
}

/** A name for an agent that has none; it lasts as long as its process. */
export function newHolderId(): string {
  return `mcp_${Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("")}`
}
