// Turns a foreign text into one harmless line.
import { cleanLine, withoutFrames } from "../plan/model/foreign-text.ts"
import { COMMON_WORDS } from "./common-words.ts"
import { isPiece, piecesOf } from "./pieces-of.ts"

/** What must be replaced in our text: it could close our frame, imitate one, or open code. */
const LOOKALIKES: readonly (readonly [RegExp, string])[] = [
  [/</g, "‹"],
  [/>/g, "›"],
  [/`/g, "'"],
]
/** No more than this is ever shown. */
const MAX_CHARS = 4_000
const JOINERS = /[\u200c\u200d]/g

/**
 * A foreign text (a title, a path, a reason) as one line that can neither close nor imitate our frame, cut to about `maxTokens` tokens. The
 * estimate errs on the side of more tokens.
 */
export function quote(text: string, maxTokens: number): string {
  return cut(lineOf(text), maxTokens)
}

/** The key of a task, in full, since the model gives it back: take-key.ts makes none that costs more. What is longer is not ours. */
export function quoteKey(key: string): string {
  return quote(key, 60)
}

/** At most this many keys are named where more are meant. */
export const SHOWN_KEYS = 2

/** Some of these keys, and how many more there are; "" for none. */
export function quoteKeys(keys: readonly string[]): string {
  const shown = keys.slice(0, SHOWN_KEYS).map(quoteKey)
  const more = keys.length - shown.length
  const all = more > 0 ? [...shown, `${more} more`] : shown
  return all.length > 1 ? `${all.slice(0, -1).join(", ")} and ${all.at(-1)}` : all.join("")
}

/** The same as a sentence with exactly one end: its own full stop, ours, or the cut. */
export function quoteSentence(text: string, maxTokens: number): string {
  const said = quote(text, maxTokens)
  return /[.…]$/.test(said) ? said : `${said}.`
}

/**
 * The same in full, or null if that takes more than `maxTokens`: a path, name or command that is cut is another one, and so is one that
 * loses one of two blanks.
 */
export function quoteWhole(text: string, maxTokens: number): string | null {
  const line = lineOf(text, /[^\S ]/g)
  return text.length <= MAX_CHARS && cut(line, maxTokens) === line ? line : null
}

/** An estimate of the tokens (o200k) of a text, on the safe side for random letters and other scripts. */
export function estimateTokens(text: string): number {
  let sum = 0
  for (const { tokens } of priced(text)) sum += tokens
  return sum
}

function lineOf(text: string, blanks = /\s+/g): string {
  const clean = cleanLine(text.slice(0, MAX_CHARS)).replace(JOINERS, "")
  let line = withoutFrames(clean).replace(blanks, " ")
  for (const [pattern, replacement] of LOOKALIKES) line = line.replace(pattern, replacement)
  return line
}

function cut(line: string, maxTokens: number): string {
  if (mostTokens(line) <= maxTokens) return line
  let sum = 0
  let end = 0
  for (const { tokens, length } of priced(line)) {
    sum += tokens
    if (sum > maxTokens) return `${line.slice(0, end).trimEnd()}…`
    end += length
  }
  return line
}

/**
 * The parts into which the tokenizer divides a text: ASCII letters up to the next capital, or other letters, both with the blank before
 * them; up to three digits; a sign with the blank before it; any other character. A word next to letters of another script is not one of
 * these.
 */
const PIECE =
  / ?(?<!(?![A-Za-z])[\p{L}\p{M}])([A-Z]?[a-z]{1,24})(?![a-z]|(?![A-Z])[\p{L}\p{M}])| ?([A-Z]{0,24}[a-z]{1,24}|[A-Z]{1,24})| ?((?:(?![A-Za-z])[\p{L}\p{M}]){1,24})|[0-9]{1,3}| ?[!-/:-@[-`{-~]|[\s\S]/gu

/** A text's common words, and the parts that the tokenizer first makes of the rest, each with its tokens. */
function* priced(text: string): Generator<{ readonly length: number; readonly tokens: number }> {
  for (const [piece, word, ascii, letters] of text.matchAll(PIECE)) {
    const isLetters = (word ?? ascii ?? letters) !== undefined
    const isCommon = word !== undefined && COMMON_WORDS.has(word.toLowerCase())
    const parts = isLetters && !isCommon ? piecesOf(piece) : [piece]
    for (const part of parts)
      yield { length: part.length, tokens: isCommon || isPiece(part) ? 1 : weight(part) }
  }
}

/** No part is longer than this, by `PIECE`: a text with more characters than its tokens allow is cut. */
export const PART_CHARS = 26

const ASCII = /^[\0-\x7f]*$/

/** The most that a text of this length can cost: one short enough need not be counted. */
export function mostTokens(text: string): number {
  return ASCII.test(text) ? text.length : 3 * text.length
}

/** What no table knows costs a token for each byte of its first character: one in ASCII. */
function weight(part: string): number {
  const code = part.codePointAt(0) ?? 0
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code < 0x10000 ? 3 : 4
}
