// What the scanner knows between two lines.
import type { Heading, Mask, Row, Unclosed } from "./blocks.ts"
import type { Closers } from "./closers.ts"
import type { Container } from "./containers.ts"
import type { Cursor } from "./cursor.ts"

/** The state of one reading: what was found, and what is open on the current line. */
export interface Scan {
  readonly lines: readonly string[]
  readonly cursor: Cursor
  readonly containers: Container[]
  readonly rootClosers: Closers
  readonly rows: Row[]
  readonly headings: Omit<Heading, "parent" | "end">[]
  readonly masks: Mask[]
  readonly breaks: number[]
  readonly unclosed: Unclosed[]
  /** How many containers the current line continues. */
  matched: number
  /** The line could continue a paragraph: as in micromark, all lists on it must then begin with 1. */
  isInterrupting: boolean
  paragraphStart: number
  /** The line on which a container was last opened. */
  openedOn: number
}

export const CODE_INDENT = 4
export const NO_PARAGRAPH = -1

export function isParagraphOpen(scan: Scan): boolean {
  return scan.paragraphStart !== NO_PARAGRAPH
}

export function closeUnmatched(scan: Scan): void {
  scan.containers.length = scan.matched
}

/** The innermost open container has content now, and no paragraph that could continue. */
export function touch(scan: Scan): void {
  const inner = scan.containers.at(-1)
  if (inner !== undefined) inner.isEmpty = false
  scan.paragraphStart = NO_PARAGRAPH
}
