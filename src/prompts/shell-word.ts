import { printable } from "../plan/foreign-text.ts"

const PLAIN = /^[A-Za-z0-9_./][A-Za-z0-9_@%+=:,./-]*$/

/**
 * A foreign text as one word of a command line that a person may paste into a shell. Cut a text before, not behind: a
 * cut may take the closing quote.
 */
export function shellWord(text: string): string {
  const word = printable(text)
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
