import type { Mask } from "./blocks.ts"
import type { Entry } from "./rows.ts"
import { namesRecord, saysNothing } from "./says-nothing.ts"
import { lastVerdict } from "./verdict.ts"

/** What a task's row and its detail lines say beside the marker. */
export interface Details {
  readonly hints: readonly DependencyHint[]
  /** A `BLOCKED:` line right below the row: one of ours names the record of the block. */
  readonly blocked: "by-us" | "by-hand" | null
  /** The last verdict that the row or a line of its own below it states. */
  readonly verdict: "pass" | "reject" | null
}

export interface DependencyHint {
  readonly line: number
  /** The list behind "depends on" as it is written. */
  readonly list: string
}

const BLOCKED_LINE = /^[ \t]*(?:[-*+][ \t]+)?(?:\*\*)?BLOCKED(?:\*\*)?:(?:\*\*)?[ \t]*(.*)/

const IN_PARENTHESES =
  /\((?:depends(?:[ -]on)?|blocked[ -]by)(?![a-z])[ \t]*:?[ \t]*([^()]{1,400})\)/i
const BEHIND_COLON =
  /(?<![a-z])(?:blocked[ -]by|depends(?:[ -]on)?|dependencies)(?:\*\*|__)?[ \t]*:(?:\*\*|__)?[ \t]*([^|]{0,400})/i
/** A line that states a verdict of its own accord; within a sentence it is an instruction. */
const VERDICT_LINE = /(?:^|\|)[^\p{L}\p{N}|]{0,40}(?:x\][^\p{L}\p{N}|]{0,10})?verdict/iu
const NONE: Details = { hints: [], blocked: null, verdict: null }

/** Reads the details of a task that ends on line `endLine`; masked lines say nothing. */
export function readDetails(
  lines: readonly string[],
  masks: readonly Mask[],
  { row }: Entry,
  endLine: number,
): Details {
  const hints = hintIn(row.box.text, row.index)
  let blocked: Details["blocked"] = null
  let verdict = verdictOn(row.box.text)
  for (const index of tellingLines(lines, masks, row.index, endLine)) {
    const line = lines[index] ?? ""
    hints.push(...hintIn(line, index))
    if (blocked !== "by-hand") blocked = blockOn(line, row.contentColumn) ?? blocked
    if (VERDICT_LINE.test(line.slice(0, MAX_LENGTH))) verdict = verdictOn(line) ?? verdict
  }
  return hints.length === 0 && blocked === null && verdict === null
    ? NONE
    : { hints, blocked, verdict }
}

/** The lines below a row that may say something, and that nothing hides. */
function* tellingLines(
  lines: readonly string[],
  masks: readonly Mask[],
  row: number,
  endLine: number,
): Generator<number> {
  let at = firstMaskAfter(masks, row)
  for (let index = row + 1; index < endLine; index++) {
    if (!isWorthReading(lines[index] ?? "")) continue
    while ((masks[at]?.to ?? endLine) < index) at++
    if ((masks[at]?.from ?? endLine) > index) yield index
  }
}

function blockOn(line: string, contentColumn: number): Details["blocked"] {
  if (!isBlockedLine(line, contentColumn)) return null
  return namesRecord(line) ? "by-us" : "by-hand"
}

/** Whether a line below a row blocks its task, as `markTask` writes it; deeper lines speak of a sub-item. */
export function isBlockedLine(line: string, contentColumn: number): boolean {
  const words = BLOCKED_LINE.exec(line)?.[1]
  if (words === undefined || indentOf(line) > contentColumn + 1) return false
  return !saysNothing(words)
}

const MAX_LENGTH = 1_000

/** Most lines are not: this is the cheapest way to tell. */
function isWorthReading(line: string): boolean {
  return (
    line.includes("epend") ||
    line.includes("lock") ||
    line.includes("LOCK") ||
    line.includes("EPEND") ||
    line.includes("ERDICT") ||
    line.includes("erdict")
  )
}

function verdictOn(line: string): Details["verdict"] {
  return /verdict/i.test(line) ? lastVerdict(line.slice(0, MAX_LENGTH)) : null
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
