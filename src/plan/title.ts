import { hashText } from "./hash-text.ts"

const MAX_TITLE_LENGTH = 400
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is for
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g
const EMPHASIS = /\*\*|~~/g
const MARKS = /[*`~]/g
const ASCII = /^[ -~]*$/
const SPACES = /\s+/g

/** One printable line of at most 400 characters, without `**` and `~~`. */
export function cleanTitle(text: string): string {
  const line = text.replace(EMPHASIS, "").replace(UNPRINTABLE, " ").trim()
  return line.length > MAX_TITLE_LENGTH ? cut(line) : line
}

/** 8 hex digits of the title as a reader sees it: case, spacing and emphasis make no difference. */
export function hashTitle(text: string): string {
  const plain = ASCII.test(text) ? text : text.normalize("NFKC").replace(UNPRINTABLE, " ")
  return hashText(plain.replace(MARKS, "").replace(SPACES, " ").trim().toLowerCase())
}

function cut(line: string): string {
  const last = line.charCodeAt(MAX_TITLE_LENGTH - 1)
  const isHalf = last >= 0xd800 && last <= 0xdbff
  return line.slice(0, isHalf ? MAX_TITLE_LENGTH - 1 : MAX_TITLE_LENGTH)
}
