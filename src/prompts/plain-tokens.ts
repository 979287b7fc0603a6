// The tokens of a text in plain letters, counted without a pattern.
import { COMMON_WORDS } from "./common-words.ts"
import { isPiece, piecesOf } from "./pieces-of.ts"

/** ASCII, and signs that stand beside it: dashes, quotes, arrows, ticks. None of them is a letter or a mark. */
const PLAIN = /^[\0-\x7f\u2010-\u205f\u2190-\u23ff\u2500-\u27bf]*$/
/** The longest part of a word, in letters of one kind. */
const MAX_LETTERS = 24
const MAX_DIGITS = 3
const [BLANK, ASCII_END] = [0x20, 0x80]
/** What a sign beyond ASCII costs that no table knows. */
const SIGN_TOKENS = 3

/**
 * The same as the tokenizer's pattern makes of a text (quote.ts), for a text in plain letters; null for any other. Beyond `most` it is
 * counted no further: of a long text that is cut anyway the rest costs nothing.
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

/** Letters, capitals first, or a sign, each with the blank before it; up to three digits; any other character. */
function endOfPart(text: string, at: number): number {
  const start = behindBlank(text, at)
  const letters = endOf(text, endOf(text, start, MAX_LETTERS, isCapital), MAX_LETTERS, isSmall)
  if (letters > start) return letters
  const digits = endOf(text, at, MAX_DIGITS, isDigit)
  if (digits > at) return digits
  return isSign(text.charCodeAt(start)) ? start + 1 : at + 1
}

/** Of ASCII no part costs more than one, and a word that is common is one. */
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

/** Where a run of such characters ends, at most so many. */
function endOf(text: string, from: number, most: number, is: (code: number) => boolean): number {
  let at = from
  // Behind the end is NaN, which is none of them.
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

/** What is printed and is neither a letter nor a digit. */
function isSign(code: number): boolean {
  return code > BLANK && code < 0x7f && !isDigit(code) && !isCapital(code) && !isSmall(code)
}
