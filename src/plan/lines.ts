const BYTE_ORDER_MARK = 0xfeff

/** Longer lines are cut before they are read: no rule looks further than this. */
const MAX_LINE_LENGTH = 4_096

/**
 * The lines of a text as CommonMark counts them: after `\n`, `\r\n` or a lone `\r`, and never after
 * U+2028, which many languages count as a line end. A byte order mark belongs to no line.
 */
export function splitLines(text: string): string[] {
  const plain = text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text
  return plain.includes("\r") ? plain.split(/\r\n|\n|\r/) : plain.split("\n")
}

/** Where a line stands in the text, without its line end; null if the text has no such line. */
export function lineRange(text: string, line: number): { start: number; end: number } | null {
  let start = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0
  const lineEnd = /\r\n|\n|\r/g
  lineEnd.lastIndex = start
  for (let number = 1; ; number++) {
    const found = lineEnd.exec(text)
    if (number === line) return { start, end: found === null ? text.length : found.index }
    if (found === null) return null
    start = lineEnd.lastIndex
  }
}

export function cutLine(line: string): string {
  return line.length > MAX_LINE_LENGTH ? line.slice(0, MAX_LINE_LENGTH) : line
}
