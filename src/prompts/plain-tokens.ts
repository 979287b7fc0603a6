// Counts the tokens of a text in plain letters without using a pattern.
import { COMMON_WORDS } from "./common-words.ts"
import { isPiece, piecesOf } from "./pieces-of.ts"

/** ASCII, and the signs that usually go with it: dashes, quotes, arrows, ticks. None of them is a letter or a mark. */
const PLAIN = /^[\0-\x7f\u2010-\u205f\u2190-\u23ff\u2500-\u27bf]*$/
/** The longest part of a word, in letters of one kind. */
const MAX_LETTERS = 24
const MAX_DIGITS = 3
const [BLANK, ASCII_END] = [0x20, 0x80]
/** The cost of a sign beyond ASCII that no table knows. */
const SIGN_TOKENS = 3

/**
 * Counts what the tokenizer's pattern (quote.ts) makes of a text in plain letters; null for any other text. Stops counting at `most`: the
 * rest of a long text is cut anyway.
 */
export function plainTokens(text: string, most = Number.POSITIVE_INFINITY): number | null {
  if (!PLAIN.test(text)) return null
  let sum = 0
  for (let at = 0, end = 0; at < text.length && sum <= most; at = end) {
    end = endOfPart(text, at)
    sum += costOf(text, at, end)
  }
  return sum
}

/** A part is letters, capitals first, or a sign, each with the blank before it; up to three digits; or any other character. */
function endOfPart(text: string, at: number): number {
  const start = behindBlank(text, at)
  const letters = endOf(text, endOf(text, start, MAX_LETTERS, isCapital), MAX_LETTERS, isSmall)
  if (letters > start) return letters
  const digits = endOf(text, at, MAX_DIGITS, isDigit)
  if (digits > at) return digits
  return isSign(text.charCodeAt(start)) ? start + 1 : at + 1
}

/** A sign or digits in ASCII cost one token, and so does a common word; other letters cost as many as their pieces. */
function costOf(text: string, at: number, end: number): number {
  const last = text.charCodeAt(end - 1)
  const part = text.slice(at, end)
  if (!isSmall(last) && !isCapital(last)) return last < ASCII_END || isPiece(part) ? 1 : SIGN_TOKENS
  const start = behindBlank(text, at)
  const isWhole = isSmall(last) && !isSmall(text.charCodeAt(end))
  const isWord = isWhole && (end - start === 1 || !isCapital(text.charCodeAt(start + 1)))
  const isCommon = isWord && COMMON_WORDS.has(text.slice(start, end).toLowerCase())
  return isCommon || isPiece(part) ? 1 : piecesOf(part).length
}

function behindBlank(text: string, at: number): number {
  return text.charCodeAt(at) === BLANK ? at + 1 : at
}

/** Where a run of such characters ends, after at most this many. */
function endOf(text: string, from: number, most: number, is: (code: number) => boolean): number {
  let at = from
  // Past the end there is NaN, which is none of them.
  while (at - from < most && is(text.charCodeAt(at))) at += 1
  return at
}

function isCapital(code: number): boolean {
  return code >= 0x41 && code <= 0x5a
}

function isSmall(code: number): boolean {
  return code >= 0x61 && code <= 0x7a
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/** Printable, and neither a letter nor a digit. */
function isSign(code: number): boolean {
  return code > BLANK && code < 0x7f && !isDigit(code) && !isCapital(code) && !isSmall(code)
}
