// Counts the tokens of a text in plain letters without the pattern of all scripts.
import { COMMON_WORDS } from "./common-words.ts"
import { isPiece, piecesOf } from "./pieces-of.ts"

/** ASCII, and the signs that usually go with it: dashes, quotes, arrows, ticks. None of them is a letter or a mark. */
const PLAIN = /^[\0-\x7f\u2010-\u205f\u2190-\u23ff\u2500-\u27bf]*$/
/** A part is letters, capitals first, or a sign, each with the blank before it; up to three digits; or any other character. */
const PART = / ?(?:[A-Z]{1,24}[a-z]{0,24}|[a-z]{1,24}|[!-/:-@[-`{-~])|[0-9]{1,3}|[\s\S]/g
const LONGEST_PART = 49
const ASCII_END = 0x80
/** The cost of a sign beyond ASCII that no table knows. */
const SIGN_TOKENS = 3

/**
 * Counts what the tokenizer's pattern (quote.ts) makes of a text in plain letters; null for any other text. Stops counting at `most`: the
 * rest of a long text is cut anyway.
 */
export function plainTokens(text: string, most = Number.POSITIVE_INFINITY): number | null {
  if (!PLAIN.test(text)) return null
  let sum = 0
  for (const part of text.slice(0, LONGEST_PART * (most + 1)).match(PART) ?? []) {
    sum += costOf(part)
    if (sum > most) return sum
  }
  return sum
}

/** A sign or digits in ASCII cost one token, and so does a common word; other letters cost as many as their pieces. */
function costOf(part: string): number {
  const last = part.charCodeAt(part.length - 1)
  if (!isLetter(last)) return last < ASCII_END || isPiece(part) ? 1 : SIGN_TOKENS
  const word = part.trimStart()
  // A capital behind the first letter makes it another word.
  const isCommon =
    COMMON_WORDS.has(word) || COMMON_WORDS.has(`${word.charAt(0).toLowerCase()}${word.slice(1)}`)
  return isCommon || isPiece(part) ? 1 : piecesOf(part).length
}

function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a)
}
