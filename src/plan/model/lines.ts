// The lines of a text as CommonMark counts them.
const BYTE_ORDER_MARK = 0xfeff
const [CR, LF] = [0x0d, 0x0a]

/** Longer lines are cut before they are read: no rule looks further. */
const MAX_LINE_LENGTH = 4_096
const FENCE = /^\s*(`{3,}|~{3,})(.*)$/s

/**
 * The lines of a text as CommonMark counts them: a line ends at `\n`, `\r\n` or a lone `\r`, and never at U+2028, which many languages
 * count as a line end. A byte order mark belongs to no line.
 */
export function splitLines(text: string): string[] {
  const plain = text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text
  return plain.includes("\r") ? plain.split(/\r\n|\n|\r/) : plain.split("\n")
}

/** Lines of a text, returned by position: from 0, the last one not included. */
export interface Lines {
  readonly length: number
  slice(from: number, to: number): readonly string[]
  /** All of them, if they are kept in pieces of one length. */
  readonly pieces?: readonly (readonly string[])[]
}

/** A text and its lines, from `splitLines`. */
export interface TextLines {
  readonly text: string
  readonly lines: readonly string[]
}

/**
 * The indexes, ascending, of the lines where a global pattern matches, never across a line end. If most lines do not match, one search
 * through the text takes a third of the time of one search for each line.
 */
export function linesWith(pattern: RegExp, { text, lines }: TextLines): readonly number[] {
  const found: number[] = []
  let index = 0
  let end = (text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0) + (lines[0] ?? "").length
  for (pattern.lastIndex = 0; pattern.test(text); pattern.lastIndex = end) {
    while (end < pattern.lastIndex) {
      index += 1
      const isTwo = text.charCodeAt(end) === CR && text.charCodeAt(end + 1) === LF
      end += (isTwo ? 2 : 1) + (lines[index] ?? "").length
    }
    found.push(index)
  }
  return found
}

/** The position of the first of ascending numbers that is not below `from`; their count if there is none. */
export function placeFrom(ascending: readonly number[], from: number): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ascending[middle] ?? 0) < from) low = middle + 1
    else high = middle
  }
  return low
}

/** Where a line stands in the text, without its line end; null if the text has no such line. */
export function lineRange(text: string, line: number): { start: number; end: number } | null {
  return lineRanges(text, [line])[0] ?? null
}

/** Where lines stand in the text, in one pass: `wanted` is ascending, and missing lines are left out. */
export function lineRanges(
  text: string,
  wanted: readonly number[],
): readonly { start: number; end: number }[] {
  const found: { start: number; end: number }[] = []
  let start = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0
  const lineEnd = /\r\n|\n|\r/g
  lineEnd.lastIndex = start
  for (let number = 1; found.length < wanted.length; number++) {
    const next = lineEnd.exec(text)
    if (number === wanted[found.length]) found.push({ start, end: next?.index ?? text.length })
    if (next === null) break
    start = lineEnd.lastIndex
  }
  return found
}

export function cutLine(line: string): string {
  return line.length > MAX_LINE_LENGTH ? line.slice(0, MAX_LINE_LENGTH) : line
}

/** Tells, for each line, whether a fence contains it, or begins or ends with it. Call it line by line, from the first on. */
export function fences(): (line: string) => boolean {
  let open: string | null = null
  return (line) => {
    const before = open
    open = fenceBehind(open, line)
    return before !== null || open !== null
  }
}

/** The fence that a line leaves open. A fence is closed by its own sign, at least as many times, with nothing after it. */
function fenceBehind(open: string | null, line: string): string | null {
  const [, signs = "", behind = ""] = FENCE.exec(line) ?? []
  if (open === null) return signs === "" ? null : signs
  return signs.startsWith(open) && behind.trim() === "" ? null : open
}
