// One printable line of at most 400 characters, without `**` and `~~`.
import { printable } from "./foreign-text.ts"
import { hashText } from "./hash-text.ts"

const MAX_TITLE_LENGTH = 400
const EMPHASIS = /\*\*|~~/g
const MARKS = /[*`~]/g
const ASCII = /^[ -~]*$/
const SPACES = /\s+/g

/** One printable line of at most 400 characters, without `**` and `~~`. */
export function cleanTitle(text: string): string {
  const line = printable(text.replace(EMPHASIS, "")).trim()
  return line.length > MAX_TITLE_LENGTH ? cut(line) : line
}

/** A title as a reader sees it: case, spacing and emphasis make no difference. */
export function plainTitle(text: string): string {
  const plain = ASCII.test(text) ? text : printable(text.normalize("NFKC"))
  return plain.replace(MARKS, "").replace(SPACES, " ").trim().toLowerCase()
}

/** 8 hex digits of the plain title. */
export function hashTitle(text: string): string {
  return hashText(plainTitle(text))
}

function cut(line: string): string {
  const last = line.charCodeAt(MAX_TITLE_LENGTH - 1)
  const isHalf = last >= 0xd800 && last <= 0xdbff
  return line.slice(0, isHalf ? MAX_TITLE_LENGTH - 1 : MAX_TITLE_LENGTH)
}
