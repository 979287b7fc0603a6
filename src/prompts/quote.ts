// A foreign text as one harmless line.
import { cleanLine, withoutFrames } from "../plan/model/foreign-text.ts"
import { isPiece, piecesOf } from "./pieces-of.ts"
import { tokensOfWord } from "./tokens-of-word.ts"

/** What may not stand in our text as it is: it could close our frame, imitate one, or open code. */
const LOOKALIKES: readonly (readonly [RegExp, string])[] = [
  [/</g, "‹"],
  [/>/g, "›"],
  [/`/g, "'"],
]
/** More is never shown. */
const MAX_CHARS = 4_000
const JOINERS = /[\u200c\u200d]/g

/**
 * A foreign text (a title, a path, a reason) as one line that can neither close nor imitate our frame,
 * cut to about `maxTokens` tokens. The estimate errs on the side of more tokens.
 */
export function quote(text: string, maxTokens: number): string {
  return cut(lineOf(text), maxTokens)
}

/** The same whole, or null where that takes over `maxTokens`: a path, a name or a command that is cut is another one. */
export function quoteWhole(text: string, maxTokens: number): string | null {
  const line = lineOf(text)
  return text.length <= MAX_CHARS && cut(line, maxTokens) === line ? line : null
}

/** An estimate of the tokens (o200k) of a text, on the safe side for random letters and for other scripts. */
export function estimateTokens(text: string): number {
  let sum = 0
  for (const { tokens } of priced(text)) sum += tokens
  return Math.ceil(sum)
}

function lineOf(text: string): string {
  const clean = cleanLine(text.slice(0, MAX_CHARS)).replace(JOINERS, "")
  let line = withoutFrames(clean).replace(/\s+/g, " ")
  for (const [pattern, replacement] of LOOKALIKES) line = line.replace(pattern, replacement)
  return line
}

function cut(line: string, maxTokens: number): string {
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
 * A word of ASCII letters that stands alone, or a part of one in other letters, both with the blank before it; or any one
 * character.
 */
const PIECE =
  / ?(?<![\p{L}\p{M}])([A-Z]?[a-z]+)(?![\p{L}\p{M}])| ?((?:(?![A-Za-z])[\p{L}\p{M}]){1,24})|[\s\S]/gu

/** A part of a text with its tokens. */
interface Priced {
  readonly length: number
  readonly tokens: number
}

/** A text's common words, parts of words in other letters, and single characters of the rest, each with its tokens. */
function* priced(text: string): Generator<Priced> {
  let previous = ""
  for (const [piece, word, letters] of text.matchAll(PIECE)) {
    const known = word === undefined ? null : tokensOfWord(word)
    const parts = letters === undefined ? [...piece] : piecesOf(piece)
    if (known === null) yield* pricedParts(parts, previous)
    else yield { length: piece.length, tokens: known }
    previous = piece.slice(-1)
  }
}

function* pricedParts(parts: readonly string[], before: string): Generator<Priced> {
  let previous = before
  for (const part of parts) {
    yield { length: part.length, tokens: isPiece(part) ? 1 : weight(part, previous) }
    previous = part
  }
}

/**
 * What a character costs behind another, as measured on random and on chosen texts of o200k: the first row
 * that fits counts. What no row knows costs a token a byte.
 */
const WEIGHTS: readonly (readonly [character: RegExp, previous: RegExp | null, tokens: number])[] =
  [
    [/[qxzj]/i, null, 1],
    [/[a-z]/, /[0-9]/, 0.9],
    [/[aeiou]/, null, 0.4],
    [/[kvwyg]/, null, 0.7],
    [/[a-z]/, null, 0.55],
    [/[A-Z]/, /[A-Z]/, 0.75],
    [/[A-Z]/, null, 0.9],
    [/[0-9]/, /[0-9]/, 0.4],
    [/ /, null, 0.4],
    // biome-ignore lint/suspicious/noControlCharactersInRegex: all that is left of ASCII
    [/[\u0000-\u007f]/, null, 1],
    [/[\u0080-\u07ff]/, null, 2],
    [/^[\u0800-\uffff]$/, null, 3],
  ]
const WEIGHT_OF_REST = 4

function weight(character: string, previous: string): number {
  const row = WEIGHTS.find(
    ([fits, behind]) => fits.test(character) && (behind === null || behind.test(previous)),
  )
  return row?.[2] ?? WEIGHT_OF_REST
}
