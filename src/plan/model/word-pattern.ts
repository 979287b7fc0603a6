// A pattern of words in any alphabet, compiled where a text first asks for it.
import { once } from "./once.ts"

/** What a text may be asked. */
export type WordPattern = Pick<RegExp, "test">

const ASCII = /^[\0-\x7f]*$/

/**
 * A pattern of words in either case, with the letters and digits of every alphabet as `\p{L}` and `\p{N}`, each within brackets.
 * Node takes longer to compile these than to read a small plan by them: a text that is all ASCII has no others than ASCII's,
 * and is asked for those alone, both in small letters, which is compiled in half the time that the flag takes.
 */
export function wordPattern(source: string): WordPattern {
  const ofAll = once(() => new RegExp(source, "iu"))
  const plain = source.replaceAll("\\p{L}", "a-z").replaceAll("\\p{N}", "0-9")
  const ofAscii = once(() => new RegExp(inSmallLetters(plain)))
  return {
    test: (text) => (ASCII.test(text) ? ofAscii().test(text.toLowerCase()) : ofAll().test(text)),
  }
}

/** A pattern's source in small letters, but for those that a backslash gives a meaning. */
function inSmallLetters(source: string): string {
  return source.replace(/\\.|[A-Z]+/g, (part) =>
    part.startsWith("\\") ? part : part.toLowerCase(),
  )
}
