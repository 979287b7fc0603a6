// A pattern of words in any alphabet, compiled where a text first asks for it.

/** What a text may be asked. */
export type WordPattern = Pick<RegExp, "test">

const ASCII = /^[\0-\x7f]*$/

/**
 * A pattern of words in either case, with the letters and digits of every alphabet as `\p{L}` and `\p{N}`, each within brackets.
 * Node takes longer to compile these than to read a small plan by them: a text that is all ASCII has no others than ASCII's,
 * and is asked for those alone.
 */
export function wordPattern(source: string): WordPattern {
  let ofAscii: RegExp | null = null
  let ofAll: RegExp | null = null
  return {
    test(text) {
      if (!ASCII.test(text)) {
        ofAll ??= new RegExp(source, "iu")
        return ofAll.test(text)
      }
      ofAscii ??= new RegExp(source.replaceAll("\\p{L}", "a-z").replaceAll("\\p{N}", "0-9"), "i")
      return ofAscii.test(text)
    },
  }
}
