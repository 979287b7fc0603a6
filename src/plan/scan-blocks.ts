import type { Blocks, Heading, Mask, Row, Unclosed } from "./blocks.ts"
import { readBox, readHeadingBox } from "./box.ts"
import { type Closers, newClosers } from "./closers.ts"
import { type Container, matchContainers, openContainer } from "./containers.ts"
import { type Cursor, enter, indentOf, isBlank, newCursor, nextCode } from "./cursor.ts"
import { type Ending, findEnd } from "./find-end.ts"
import { cutLine } from "./lines.ts"

/** Deeper nesting is read as text, so that no line costs more than its length. */
const MAX_DEPTH = 32
const CODE_INDENT = 4
const HASH = 0x23
const STAR = 0x2a
const DASH = 0x2d
const LESS_THAN = 0x3c
const EQUALS = 0x3d
const UNDERSCORE = 0x5f
const BACKTICK = 0x60
const TILDE = 0x7e

const ATX_HEADING = /(#{1,6})(?:[ \t]+|$)/y
const CLOSING_HASHES = /(?:^|[ \t])#+[ \t]*$/
const UNDERLINE = /(?:=+|-+)[ \t]*$/y
const BREAK = /(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/y
const FENCE = /(?:(`{3,})[^`]*|(~{3,}).*)$/sy
const NOT_OPENED = -1
const NO_PARAGRAPH = -1

interface Scan {
  readonly lines: readonly string[]
  readonly cursor: Cursor
  readonly containers: Container[]
  readonly rootClosers: Closers
  readonly rows: Row[]
  readonly headings: Heading[]
  readonly masks: Mask[]
  readonly breaks: number[]
  readonly unclosed: Unclosed[]
  /** How many containers the current line continues. */
  matched: number
  paragraphStart: number
}

/**
 * Finds rows, headings and masked lines from line `from` on. The grammar is CommonMark's, line by
 * line and in linear time; test/property/plan-blocks.test.ts holds it equal to remark's reading.
 * On purpose different: an HTML block hides nothing but a comment, and a fence or a comment that
 * nothing closes is plain text (plan-formats rule 2).
 */
export function scanBlocks(lines: readonly string[], from: number): Blocks {
  const scan: Scan = {
    lines,
    cursor: newCursor(),
    containers: [],
    rootClosers: newClosers(),
    rows: [],
    headings: [],
    masks: [],
    breaks: [],
    unclosed: [],
    matched: 0,
    paragraphStart: NO_PARAGRAPH,
  }
  let index = from
  while (index < lines.length) index = scanLine(scan, index)
  return scan
}

/** Reads one line, or a whole fence or comment, and returns the line to go on with. */
function scanLine(scan: Scan, index: number): number {
  enter(scan.cursor, cutLine(scan.lines[index] ?? ""))
  scan.matched = matchContainers(scan.cursor, scan.containers, scan.containers.length)
  while (indentOf(scan.cursor) < CODE_INDENT && !isBlank(scan.cursor)) {
    const next = openLeaf(scan, index)
    if (next !== NOT_OPENED) return next
    if (!openNested(scan)) break
  }
  addText(scan, index)
  return index + 1
}

function openNested(scan: Scan): boolean {
  if (scan.matched >= MAX_DEPTH) return false
  const isInterrupting = isParagraphOpen(scan) && scan.matched === scan.containers.length
  const container = openContainer(scan.cursor, isInterrupting)
  if (container === null) return false
  closeUnmatched(scan)
  touch(scan)
  scan.containers.push(container)
  scan.matched = scan.containers.length
  return true
}

function openLeaf(scan: Scan, index: number): number {
  switch (nextCode(scan.cursor)) {
    case HASH:
      return openHeading(scan, index)
    case BACKTICK:
    case TILDE:
      return openFence(scan, index)
    case LESS_THAN:
      return openComment(scan, index)
    case EQUALS:
    case DASH:
      return closeSetext(scan, index) ? index + 1 : openBreak(scan, index)
    case STAR:
    case UNDERSCORE:
      return openBreak(scan, index)
    default:
      return NOT_OPENED
  }
}

function openHeading(scan: Scan, index: number): number {
  const { line, next } = scan.cursor
  ATX_HEADING.lastIndex = next
  const found = ATX_HEADING.exec(line)
  if (found === null) return NOT_OPENED
  closeUnmatched(scan)
  touch(scan)
  if (scan.containers.length > 0) return index + 1
  const text = line.slice(next + found[0].length).replace(CLOSING_HASHES, "")
  addHeading(scan, index, found[1]?.length ?? 1, text.trim())
  return index + 1
}

function addHeading(scan: Scan, index: number, level: number, text: string): void {
  const box = readHeadingBox(cutLine(scan.lines[index] ?? ""))
  const isRow = box !== null && box.text !== ""
  scan.headings.push({ index, level, text, isRow })
  if (!isRow) return
  scan.rows.push({
    index,
    box,
    kind: "heading",
    ordinal: null,
    parent: null,
    quoted: false,
    contentColumn: 0,
  })
}

function openFence(scan: Scan, index: number): number {
  FENCE.lastIndex = scan.cursor.next
  const found = FENCE.exec(scan.cursor.line)
  if (found === null) return NOT_OPENED
  const fence = found[1] ?? found[2] ?? ""
  const kind = found[1] === undefined ? "tilde" : "backtick"
  const end = endOf(scan, index, { kind, length: fence.length })
  if (end === null) {
    scan.unclosed.push({ index, rule: "unclosed-fence" })
    return NOT_OPENED
  }
  closeUnmatched(scan)
  touch(scan)
  scan.masks.push({ from: index, to: end, reason: "fence" })
  return end + 1
}

function openComment(scan: Scan, index: number): number {
  const { line, next } = scan.cursor
  if (!line.startsWith("<!--", next)) return NOT_OPENED
  const whole = scan.lines[index] ?? ""
  const isOneLine = whole.includes("-->", next + 2)
  const end = isOneLine ? index : endOf(scan, index, { kind: "comment", length: 0 })
  if (end === null) {
    scan.unclosed.push({ index, rule: "unclosed-comment" })
    return NOT_OPENED
  }
  closeUnmatched(scan)
  touch(scan)
  scan.masks.push({ from: index, to: end, reason: "comment" })
  return end + 1
}

function endOf(scan: Scan, index: number, ending: Ending): number | null {
  const holder = scan.containers[scan.matched - 1]
  if (holder !== undefined) holder.isEmpty = false
  const closers = holder === undefined ? scan.rootClosers : holder.closers
  return findEnd(scan.lines, index, scan.containers, scan.matched, closers, ending)
}

function closeSetext(scan: Scan, index: number): boolean {
  if (!isParagraphOpen(scan) || scan.matched < scan.containers.length) return false
  const { line, next } = scan.cursor
  UNDERLINE.lastIndex = next
  if (!UNDERLINE.test(line)) return false
  const start = scan.paragraphStart
  scan.paragraphStart = NO_PARAGRAPH
  if (scan.containers.length > 0) return true
  const text = scan.lines.slice(start, index).map((part) => cutLine(part).trim())
  const level = line.charCodeAt(next) === EQUALS ? 1 : 2
  scan.headings.push({ index: start, level, text: text.join(" "), isRow: false })
  return true
}

function openBreak(scan: Scan, index: number): number {
  BREAK.lastIndex = scan.cursor.next
  if (!BREAK.test(scan.cursor.line)) return NOT_OPENED
  closeUnmatched(scan)
  touch(scan)
  if (scan.containers.length === 0) scan.breaks.push(index)
  return index + 1
}

function addText(scan: Scan, index: number): void {
  const { cursor } = scan
  if (isBlank(cursor)) {
    closeUnmatched(scan)
    scan.paragraphStart = NO_PARAGRAPH
    return
  }
  if (isParagraphOpen(scan)) return
  closeUnmatched(scan)
  if (indentOf(cursor) >= CODE_INDENT) {
    touch(scan)
    if (cursor.line.includes("[")) {
      scan.masks.push({ from: index, to: index, reason: "indented-code" })
    }
    return
  }
  addRow(scan, index)
  touch(scan)
  scan.paragraphStart = index
}

/** A row is a list item whose first words are a box and a text. */
function addRow(scan: Scan, index: number): void {
  const item = scan.containers.at(-1)
  if (item === undefined || item.isQuote || !item.isEmpty) return
  const box = readBox(scan.cursor.line, scan.cursor.next)
  if (box === null || box.text === "") return
  const outer = scan.containers.slice(0, -1)
  item.row = {
    index,
    box,
    kind: "list",
    ordinal: item.ordinal,
    parent: outer.findLast((container) => container.row !== null)?.row ?? null,
    quoted: outer.some((container) => container.isQuote),
    contentColumn: scan.cursor.nextColumn,
  }
  scan.rows.push(item.row)
}

function isParagraphOpen(scan: Scan): boolean {
  return scan.paragraphStart !== NO_PARAGRAPH
}

function closeUnmatched(scan: Scan): void {
  scan.containers.length = scan.matched
}

/** The innermost open container has content now, and no paragraph that could go on. */
function touch(scan: Scan): void {
  const inner = scan.containers.at(-1)
  if (inner !== undefined) inner.isEmpty = false
  scan.paragraphStart = NO_PARAGRAPH
}
