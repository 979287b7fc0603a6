// The linear scanner: rows, headings and masked lines.

import { cutLine } from "../model/lines.ts"
import { addRow } from "./add-row.ts"
import { type Blocks, nestHeadings } from "./blocks.ts"
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
const NONE = -1
const SPACE = 0x20
const STAR = 0x2a
const PLUS = 0x2b
const DASH = 0x2d
const CAPITAL_A = 0x41
const CAPITAL_Z = 0x5a

/**
 * Finds rows, headings and masked lines from line `from` on. The grammar is CommonMark's, line by line and in linear time;
 * test/property/plan-blocks.test.ts checks that it equals remark's reading. Two differences are intended: an HTML block hides nothing but a
 * comment, and a fence or comment that nothing closes is plain text.
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
    openedOn: NONE,
  }
  let before = NONE
  for (let index = from; index < lines.length; ) {
    const line = lines[index] ?? ""
    const indent = indentOfWords(line)
    const start = index
    if (indent !== NONE && indent === before) {
      // A bullet with words right after one just like it takes its place.
      scan.paragraphStart = index
      index += 1
    } else {
      index = scanLine(scan, index, line)
      before = scan.openedOn === start ? indent : NONE
    }
  }
  return { ...scan, headings: nestHeadings(scan.headings, lines.length) }
}

/** The indent of a bullet followed by one blank and a word, `  - Title`; `NONE` for any other line. */
function indentOfWords(line: string): number {
  let at = 0
  while (line.charCodeAt(at) === SPACE) at += 1
  const sign = line.charCodeAt(at)
  if (sign !== DASH && sign !== STAR && sign !== PLUS) return NONE
  // As a capital: bit 5 distinguishes the cases of a letter.
  const letter = line.charCodeAt(at + 2) & ~0x20
  return line.charCodeAt(at + 1) === SPACE && letter >= CAPITAL_A && letter <= CAPITAL_Z ? at : NONE
}

/** Reads one line, or a whole fence or comment, and returns the line to continue with. */
function scanLine(scan: Scan, index: number, line: string): number {
  enter(scan.cursor, cutLine(line))
  scan.matched = matchContainers(scan.cursor, scan.containers, scan.containers.length)
  scan.isInterrupting = isParagraphOpen(scan) && scan.matched === scan.containers.length
  while (indentOf(scan.cursor) < CODE_INDENT && !isBlank(scan.cursor)) {
    const next = openLeaf(scan, index)
    if (next !== NOT_OPENED) return next
    if (!openNested(scan, index)) break
  }
  addText(scan, index)
  return index + 1
}

function openNested(scan: Scan, index: number): boolean {
  if (scan.matched >= MAX_DEPTH) return false
  const container = openContainer(scan.cursor, scan.isInterrupting)
  if (container === null) return false
  closeUnmatched(scan)
  touch(scan)
  scan.containers.push(container)
  scan.matched = scan.containers.length
  scan.openedOn = index
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
