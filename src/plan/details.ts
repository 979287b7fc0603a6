import type { Mask } from "./blocks.ts"
import type { Entry } from "./rows.ts"

/** What a task's row and its detail lines say beside the marker. */
export interface Details {
  readonly hints: readonly DependencyHint[]
  /** A `BLOCKED:` line right below the row. */
  readonly isBlocked: boolean
}

export interface DependencyHint {
  readonly line: number
  /** The list behind "depends on" as it is written. */
  readonly list: string
}

const BLOCKED_LINE = /^[ \t]*(?:[-*+][ \t]+)?(?:\*\*)?BLOCKED(?:\*\*)?:/

const IN_PARENTHESES =
  /\((?:depends(?:[ -]on)?|blocked[ -]by)(?![a-z])[ \t]*:?[ \t]*([^()]{1,400})\)/i
const BEHIND_COLON =
  /(?<![a-z])(?:blocked[ -]by|depends(?:[ -]on)?|dependencies)(?:\*\*|__)?[ \t]*:(?:\*\*|__)?[ \t]*([^|]{0,400})/i
const NONE: Details = { hints: [], isBlocked: false }

/** Reads the details of a task that ends on line `endLine`; masked lines say nothing. */
export function readDetails(
  lines: readonly string[],
  masks: readonly Mask[],
  { row }: Entry,
  endLine: number,
): Details {
  const hints = hintIn(row.box.text, row.index)
  let isBlocked = false
  let at = firstMaskAfter(masks, row.index)
  for (let index = row.index + 1; index < endLine; index++) {
    const line = lines[index] ?? ""
    if (!isWorthReading(line)) continue
    while ((masks[at]?.to ?? endLine) < index) at++
    if ((masks[at]?.from ?? endLine) <= index) continue
    hints.push(...hintIn(line, index))
    isBlocked ||= isBlockedLine(line, row.contentColumn)
  }
  return hints.length === 0 && !isBlocked ? NONE : { hints, isBlocked }
}

/** Whether a line below a row blocks its task, as `markTask` writes it; deeper lines speak of a sub-item. */
export function isBlockedLine(line: string, contentColumn: number): boolean {
  return BLOCKED_LINE.test(line) && indentOf(line) <= contentColumn + 1
}

const MAX_LENGTH = 1_000

/** Most lines are not: this is the cheapest way to tell. */
function isWorthReading(line: string): boolean {
  return (
    line.includes("epend") ||
    line.includes("lock") ||
    line.includes("LOCK") ||
    line.includes("EPEND")
  )
}

function hintIn(whole: string, index: number): DependencyHint[] {
  const text = whole.slice(0, MAX_LENGTH)
  const list = (IN_PARENTHESES.exec(text) ?? BEHIND_COLON.exec(text))?.[1]
  return list === undefined ? [] : [{ line: index + 1, list }]
}

function indentOf(line: string): number {
  return /^[ \t]*/.exec(line)?.[0].length ?? 0
}

function firstMaskAfter(masks: readonly Mask[], index: number): number {
  let low = 0
  let high = masks.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((masks[middle]?.to ?? 0) < index) low = middle + 1
    else high = middle
  }
  return low
}
