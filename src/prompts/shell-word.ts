const PLAIN = /^[A-Za-z0-9_./][A-Za-z0-9_@%+=:,./-]*$/
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu

/**
 * A foreign text as one word of a command line that a person may paste into a shell; what cannot be printed is left
 * out. Clean and cut a text before, not behind: a cut may take the closing quote.
 */
export function shellWord(text: string): string {
  const printable = text.replace(UNPRINTABLE, "")
  return PLAIN.test(printable) ? printable : `'${printable.replaceAll("'", "'\\''")}'`
}
