// The linear scanner: rows, headings and masked lines.

import { cutLine } from "../model/lines.ts"
import { addRow } from "./add-row.ts"
import type { Blocks } from "./blocks.ts"
import { newClosers } from "./closers.ts"
import { matchContainers, openContainer } from "./containers.ts"
import { enter, indentOf, isBlank, newCursor } from "./cursor.ts"
import { NOT_OPENED, openLeaf } from "./open-leaf.ts"
import {
  CODE_INDENT,
  closeUnmatched,
  isParagraphOpen,
  NO_PARAGRAPH,
  type Scan,
  touch,
} from "./scan-state.ts"

/** Deeper nesting is read as text, so that no line costs more than its length. */
const MAX_DEPTH = 32

/**
 * Finds rows, headings and masked lines from line `from` on. The grammar is CommonMark's, line by
 * line and in linear time; test/property/plan-blocks.test.ts holds it equal to remark's reading.
 * On purpose different: an HTML block hides nothing but a comment, and a fence or a comment that
 * nothing closes is plain text.
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
    isInterrupting: false,
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
  scan.isInterrupting = isParagraphOpen(scan) && scan.matched === scan.containers.length
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
  const container = openContainer(scan.cursor, scan.isInterrupting)
  if (container === null) return false
  closeUnmatched(scan)
  touch(scan)
  scan.containers.push(container)
  scan.matched = scan.containers.length
  return true
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
