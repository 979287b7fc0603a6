// Opens the heading, fence, comment or break that starts at the cursor.

import { cutLine } from "../model/lines.ts"
import { addRow } from "./add-row.ts"
import { readHeadingBox } from "./box.ts"
import { newClosers } from "./closers.ts"
import { nextCode } from "./cursor.ts"
import { type End, type Ending, findEnd } from "./find-end.ts"
import { closeUnmatched, isParagraphOpen, NO_PARAGRAPH, type Scan, touch } from "./scan-state.ts"

const TAB = 0x09
const SPACE = 0x20
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
export const NOT_OPENED = -1

/**
 * Takes the heading, fence, comment or thematic break that starts at the cursor, and returns the line to continue with; `NOT_OPENED` if
 * there is none.
 */
export function openLeaf(scan: Scan, index: number): number {
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
  if (scan.containers.length > 0) addRow(scan, index)
  touch(scan)
  if (scan.containers.length > 0) return index + 1
  const text = line.slice(next + found[0].length).replace(CLOSING_HASHES, "")
  addHeading(scan, index, found[1]?.length ?? 1, text.trim())
  return index + 1
}

/** The words of a heading with a box are those beside it: what stands in the box never decides what kind of heading it is. */
function addHeading(scan: Scan, index: number, level: number, text: string): void {
  const box = readHeadingBox(cutLine(scan.lines[index] ?? ""))
  if (box === null || box.text === "") {
    scan.headings.push({ index, level, text, isRow: false })
    return
  }
  scan.headings.push({
    index,
    level,
    text: box.text.replace(CLOSING_HASHES, "").trim(),
    isRow: true,
  })
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
  return hide(scan, index, endOf(scan, index, { kind, length: fence.length }), "fence")
}

function openComment(scan: Scan, index: number): number {
  const { line, next } = scan.cursor
  if (!line.startsWith("<!--", next)) return NOT_OPENED
  const whole = scan.lines[index] ?? ""
  const isOneLine = whole.includes("-->", next + 2)
  const end = isOneLine
    ? { index, reopenedAt: null }
    : endOf(scan, index, { kind: "comment", length: 0 })
  return hide(scan, index, end, "comment")
}

/** A block that its end closes hides its lines; any other is plain text. */
function hide(scan: Scan, index: number, end: End | null, reason: "fence" | "comment"): number {
  const reopenedAt = end?.reopenedAt ?? null
  if (end === null || reopenedAt !== null) {
    scan.unclosed.push({ index, rule: `unclosed-${reason}`, reopenedAt })
    return NOT_OPENED
  }
  closeUnmatched(scan)
  touch(scan)
  scan.masks.push({ from: index, to: end.index, reason })
  return end.index + 1
}

function endOf(scan: Scan, index: number, ending: Ending): End | null {
  const holder = scan.containers[scan.matched - 1]
  if (holder !== undefined) {
    holder.isEmpty = false
    holder.closers ??= newClosers()
  }
  const closers = holder?.closers ?? scan.rootClosers
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
  if (!mayBreak(scan.cursor)) return NOT_OPENED
  BREAK.lastIndex = scan.cursor.next
  if (!BREAK.test(scan.cursor.line)) return NOT_OPENED
  closeUnmatched(scan)
  touch(scan)
  if (scan.containers.length === 0) scan.breaks.push(index)
  return index + 1
}

/** A break ends in its sign or a blank: the last character rules out most rows of a list. */
function mayBreak({ line, next }: Scan["cursor"]): boolean {
  const last = line.charCodeAt(line.length - 1)
  return last === line.charCodeAt(next) || last === SPACE || last === TAB
}
