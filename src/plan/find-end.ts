import type { Closers, EndingKind } from "./closers.ts"
import { type Container, matchContainers } from "./containers.ts"
import { type Cursor, enter, indentOf, newCursor } from "./cursor.ts"
import { cutLine } from "./lines.ts"

/** What ends a block: a fence of at least this length, or the end of a comment. */
export interface Ending {
  readonly kind: EndingKind
  readonly length: number
}

const NOWHERE = -1
const MAX_CLOSER_INDENT = 3
const CLOSING_FENCE = /(?:`{3,}|~{3,})(?=[ \t]*$)/y
const BACKTICK = "`"

/**
 * The line that ends the block opened on line `index`, in the first `depth` containers; null if
 * the containers end before it does.
 */
export function findEnd(
  lines: readonly string[],
  index: number,
  containers: readonly Container[],
  depth: number,
  closers: Closers,
  wanted: Ending,
): number | null {
  if (isKnownOpen(closers, index, wanted)) return null
  const cursor = newCursor()
  const last: Record<EndingKind, number[]> = { backtick: [], tilde: [], comment: [] }
  let at = index + 1
  for (; at < lines.length; at++) {
    const line = lines[at] ?? ""
    enter(cursor, cutLine(line))
    if (matchContainers(cursor, containers, depth) < depth) break
    const ending = endingOn(cursor, line)
    if (ending?.kind === wanted.kind && ending.length >= wanted.length) return at
    if (ending !== null) note(last[ending.kind], ending.length, at)
  }
  closers.last = last
  closers.until = at
  return null
}

/** A closing fence also closes every shorter one. */
function note(last: number[], length: number, at: number): void {
  for (let shorter = 0; shorter <= length; shorter++) last[shorter] = at
}

function isKnownOpen({ last, until }: Closers, index: number, wanted: Ending): boolean {
  if (last === null || index >= until) return false
  return (last[wanted.kind][wanted.length] ?? NOWHERE) <= index
}

function endingOn(cursor: Cursor, line: string): Ending | null {
  if (line.includes("-->", cursor.pos)) return { kind: "comment", length: 0 }
  if (indentOf(cursor) > MAX_CLOSER_INDENT) return null
  CLOSING_FENCE.lastIndex = cursor.next
  const fence = CLOSING_FENCE.exec(cursor.line)?.[0]
  if (fence === undefined) return null
  return { kind: fence.startsWith(BACKTICK) ? "backtick" : "tilde", length: fence.length }
}
