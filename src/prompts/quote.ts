// A foreign text as one harmless line.
import { cleanLine, withoutFrames } from "../plan/model/foreign-text.ts"
import { tokensOfWord } from "./tokens-of-word.ts"

/** What may not stand in our text as it is: it could close our frame, imitate one, or open code. */
const LOOKALIKES: readonly (readonly [RegExp, string])[] = [
  [/</g, "‹"],
  [/>/g, "›"],
  [/`/g, "'"],
]
const JOINERS = /[\u200c\u200d]/g

/**
 * A foreign text (a title, a path, a reason) as one line that can neither close nor imitate our frame,
 * cut to about `maxTokens` tokens. The estimate errs on the side of more tokens.
 */
export function quote(text: string, maxTokens: number): string {
  const clean = cleanLine(text.slice(0, 4_000)).replace(JOINERS, "")
  let line = withoutFrames(clean).replace(/\s+/g, " ")
  for (const [pattern, replacement] of LOOKALIKES) line = line.replace(pattern, replacement)
  return cut(line, maxTokens)
}

/** An estimate of the tokens (o200k) of a text, on the safe side for random letters and for other scripts. */
export function estimateTokens(text: string): number {
  let sum = 0
  for (const { tokens } of priced(text)) sum += tokens
  return Math.ceil(sum)
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

/** A word of ASCII letters that stands alone, with the blank before it; or any one character. */
const PIECE = / ?(?<![\p{L}\p{M}])([A-Z]?[a-z]+)(?![\p{L}\p{M}])|[\s\S]/gu

/** A text's common words, and the single characters of all the rest, in their order, each with its tokens. */
function* priced(text: string): Generator<{ readonly length: number; readonly tokens: number }> {
  let previous = ""
  for (const [piece, word] of text.matchAll(PIECE)) {
    const known = word === undefined ? null : tokensOfWord(word)
    if (known !== null) yield { length: piece.length, tokens: known }
    else
      for (const character of piece) {
        yield { length: character.length, tokens: weight(character, previous) }
        previous = character
      }
    previous = piece.slice(-1)
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
    [/[Α-ωА-ёא-ת]/, null, 1],
    [/[ぁ-ヺ]/, null, 1.5],
    [/[\u0080-\u07ff]|[一-鿿]/, null, 2],
    [/[가-힣]/, null, 2.5],
    [/^[\u0800-\uffff]$/, null, 3],
  ]
const WEIGHT_OF_REST = 4

function weight(character: string, previous: string): number {
  const row = WEIGHTS.find(
    ([fits, behind]) => fits.test(character) && (behind === null || behind.test(previous)),
  )
  return row?.[2] ?? WEIGHT_OF_REST
}
