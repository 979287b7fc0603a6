// Turns a foreign text into one word of a command line to paste.
import { printable } from "../plan/model/foreign-text.ts"

const PLAIN = /^[A-Za-z0-9_./][A-Za-z0-9_@%+=:,./-]*$/

/**
 * A foreign text as the last word of a command line that a person may paste into a shell, and not as an option: one that begins with a dash
 * follows `--`. Cut the text before this, not afterwards: a cut may remove the closing quote.
 */
export function shellWord(text: string): string {
  const word = printable(text)
  if (PLAIN.test(word)) return word
  return `${word.startsWith("-") ? "-- " : ""}'${word.replaceAll("'", "'\\''")}'`
}
