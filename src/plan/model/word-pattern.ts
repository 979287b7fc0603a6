// Compiles patterns of words in any alphabet, on demand.
import { once } from "./once.ts"

/** What a text can be tested with. */
export type WordPattern = Pick<RegExp, "test">

/** ASCII, and signs beyond it (dashes, quotes, arrows, ticks) that are neither letters nor digits nor two units long. */
const PLAIN =
  /^[\0-\x7f\xa0-\xa9\xab-\xb1\xb6-\xb8\xbb\xbf\xd7\xf7\u2010-\u205f\u2190-\u23ff\u2500-\u2775\u2794-\u27bf]*$/

/**
 * A pattern of words in either case, with the letters and digits of every alphabet as `\p{L}` and `\p{N}`, each inside brackets. Node takes
 * up to 70 ms to compile one of these. A text whose letters and digits are all ASCII is tested with those alone, both in small letters,
 * which takes a tenth of that.
 */
export function wordPattern(source: string): WordPattern {
  const ofAll = once(() => new RegExp(source, "iu"))
  const plain = source.replaceAll("\\p{L}", "a-z").replaceAll("\\p{N}", "0-9")
  const ofAscii = once(() => new RegExp(inSmallLetters(plain)))
  return {
    test: (text) => (PLAIN.test(text) ? ofAscii().test(text.toLowerCase()) : ofAll().test(text)),
  }
}

/** A pattern's source in small letters, except those that a backslash gives a meaning. */
function inSmallLetters(source: string): string {
  return source.replace(/\\.|[A-Z]+/g, (part) =>
    part.startsWith("\\") ? part : part.toLowerCase(),
  )
}
