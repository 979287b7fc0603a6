// The lists and quotes that a line stands in.
import type { Row } from "./blocks.ts"
import type { Closers } from "./closers.ts"
import { type Cursor, indentOf, isBlank, nextCode, skipColumns, skipSign } from "./cursor.ts"

/** An open block quote or list item. */
export interface Container {
  readonly isQuote: boolean
  /** How many columns a line must be indented to stay in the item. */
  readonly indent: number
  readonly ordinal: string | null
  closers: Closers | null
  isEmpty: boolean
  row: Row | null
}

const GREATER_THAN = 0x3e
const STAR = 0x2a
const PLUS = 0x2b
const DASH = 0x2d
const ZERO = 0x30
const NINE = 0x39
const MAX_SIGN_INDENT = 3
const MAX_PADDING = 4
const SPACE = 0x20
const TAB = 0x09
const BULLET = "-"
const WORDS = /\S/g
const NUMBER_SIGN = /\d{1,9}[.)](?=[ \t]|$)/y

/** How many of the first `depth` containers the line continues; the cursor then stands after them. */
export function matchContainers(
  cursor: Cursor,
  containers: readonly Container[],
  depth: number,
): number {
  for (let at = 0; at < depth; at++) {
    const container = containers[at]
    if (container === undefined || !goesOn(cursor, container)) return at
  }
  return depth
}

/** Opens the quote or list item that starts at the cursor; null if there is none. */
export function openContainer(cursor: Cursor, isInterrupting: boolean): Container | null {
  if (nextCode(cursor) === GREATER_THAN) {
    skipQuoteSign(cursor)
    return newContainer(true, 0, null)
  }
  const sign = signAt(cursor)
  if (sign === null) return null
  const ordinal = sign === BULLET ? null : sign.slice(0, -1)
  if (isInterrupting && !mayInterrupt(cursor, sign.length, ordinal)) return null
  const before = indentOf(cursor) + sign.length
  skipSign(cursor, sign.length)
  const padding = isBlank(cursor) || indentOf(cursor) > MAX_PADDING ? 1 : indentOf(cursor)
  skipColumns(cursor, padding)
  return newContainer(false, before + padding, ordinal)
}

/** The sign of a list item at the cursor, `-` for every bullet; null if there is none. Only numbers need a pattern. */
function signAt(cursor: Cursor): string | null {
  const code = nextCode(cursor)
  if (code === DASH || code === STAR || code === PLUS) {
    const behind = cursor.line.charCodeAt(cursor.next + 1)
    return behind === SPACE || behind === TAB || Number.isNaN(behind) ? BULLET : null
  }
  if (!(code >= ZERO && code <= NINE)) return null
  NUMBER_SIGN.lastIndex = cursor.next
  return NUMBER_SIGN.exec(cursor.line)?.[0] ?? null
}

/** A list can interrupt a paragraph only if it has text, and a numbered one only if it starts with 1. */
function mayInterrupt(cursor: Cursor, signLength: number, ordinal: string | null): boolean {
  if (ordinal !== null && ordinal !== "1") return false
  WORDS.lastIndex = cursor.next + signLength
  return WORDS.test(cursor.line)
}

function goesOn(cursor: Cursor, container: Container): boolean {
  if (container.isQuote) {
    if (indentOf(cursor) > MAX_SIGN_INDENT || nextCode(cursor) !== GREATER_THAN) return false
    skipQuoteSign(cursor)
    return true
  }
  if (isBlank(cursor)) return !container.isEmpty
  if (indentOf(cursor) < container.indent) return false
  skipColumns(cursor, container.indent)
  return true
}

function skipQuoteSign(cursor: Cursor): void {
  skipSign(cursor, 1)
  if (indentOf(cursor) > 0) skipColumns(cursor, 1)
}

function newContainer(isQuote: boolean, indent: number, ordinal: string | null): Container {
  return { isQuote, indent, ordinal, closers: null, isEmpty: true, row: null }
}
