// A pattern of words in any alphabet, compiled where a text first asks for it.
import { once } from "./once.ts"

/** What a text may be asked. */
export type WordPattern = Pick<RegExp, "test">

const ASCII = /^[\0-\x7f]*$/

/**
 * A pattern of words in either case, with the letters and digits of every alphabet as `\p{L}` and `\p{N}`, each within brackets.
 * Node takes longer to compile these than to read a small plan by them: a text that is all ASCII has no others than ASCII's,
 * and is asked for those alone.
 */
export function wordPattern(source: string): WordPattern {
  const ofAll = once(() => new RegExp(source, "iu"))
  const plain = source.replaceAll("\\p{L}", "a-z").replaceAll("\\p{N}", "0-9")
  const ofAscii = once(() => new RegExp(plain, "i"))
  return { test: (text) => (ASCII.test(text) ? ofAscii() : ofAll()).test(text) }
}
