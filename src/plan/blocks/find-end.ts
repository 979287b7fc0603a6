// Finds where a fence, comment or element ends.

import { cutLine } from "../model/lines.ts"
import { type Closers, type EndingKind, firstBehind, noteLine } from "./closers.ts"
import { type Container, matchContainers } from "./containers.ts"
import { type Cursor, enter, indentOf, newCursor } from "./cursor.ts"
import { beginsComment, hiddenFence, isHiddenRow } from "./hidden-lines.ts"

/** What ends a block: a fence of at least this length, or the end of a comment. */
export interface Ending {
  readonly kind: EndingKind
  readonly length: number
}

/** Where a block ends. */
export interface End {
  readonly index: number
  /**
   * A line before the end that looks like the start of the next such block, with rows in between: then the end belongs to that block, and
   * nothing closes this one.
   */
  readonly reopenedAt: number | null
}

const MAX_FENCE_INDENT = 3
const CLOSING_FENCE = /(?:`{3,}|~{3,})(?=[ \t]*$)/y
const BACKTICK = "`"

/** Where the block opened on line `index`, in the first `depth` containers, ends; null if the containers end before it does. */
export function findEnd(
  lines: readonly string[],
  index: number,
  containers: readonly Container[],
  depth: number,
  closers: Closers,
  wanted: Ending,
): End | null {
  if (index >= closers.until) {
    closers.until = index + 1
    closers.hasEnded = false
  }
  const ends = () => firstBehind(closers.ends[wanted.kind][wanted.length], index)
  const cursor = newCursor()
  let end = ends()
  for (; end === null && !closers.hasEnded; end = ends()) {
    const line = lines[closers.until]
    enter(cursor, cutLine(line ?? ""))
    closers.hasEnded = line === undefined || matchContainers(cursor, containers, depth) < depth
    if (line !== undefined && !closers.hasEnded) look(closers, cursor, line)
  }
  return end === null ? null : { index: end, reopenedAt: reopening(closers, index, end, wanted) }
}

/** Notes what the line says, and goes on to the next one. */
function look(closers: Closers, cursor: Cursor, line: string): void {
  const index = closers.until++
  if (isHiddenRow(cursor.line, cursor.next)) closers.rows.push(index)
  if (beginsComment(line, cursor.pos)) noteLine(closers.starts.comment, 0, index)
  if (line.includes("-->", cursor.pos)) {
    noteLine(closers.ends.comment, 0, index)
    return
  }
  if (indentOf(cursor) > MAX_FENCE_INDENT) return
  CLOSING_FENCE.lastIndex = cursor.next
  const end = CLOSING_FENCE.exec(cursor.line)?.[0]
  const start = end === undefined ? hiddenFence(cursor.line, cursor.next) : null
  const fence = end ?? start
  if (fence === undefined || fence === null) return
  const seen = end === undefined ? closers.starts : closers.ends
  noteLine(seen[fence.startsWith(BACKTICK) ? "backtick" : "tilde"], fence.length, index)
}

function reopening({ rows, starts }: Closers, index: number, end: number, wanted: Ending) {
  const row = firstBehind(rows, index)
  if (row === null) return null
  const start = firstBehind(starts[wanted.kind][wanted.length], row - 1)
  return start !== null && start <= end ? start : null
}
