// Lines that look like tasks and are none, and the warnings about them.
import type { Mask, Row } from "../blocks/blocks.ts"
import { looksLikeBox } from "../blocks/box.ts"
import { cutLine } from "../model/lines.ts"
import type { IgnoredLine, PlanWarning, TaskState } from "../model/plan.ts"
import { cleanTitle } from "../model/title.ts"
import type { SortedRows } from "./rows.ts"

/** A text right behind its box, or a box right behind its dash. */
const GLUED = /^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+\[[ xX]\](?=[\p{L}\p{N}*`])|\[[ xX]\][ \t])/u
const NO_TEXT = /\]\*?[ \t]*$/
const OPEN_BOX = /\[[\s]?\]/
const NO_ROWS: ReadonlySet<string> = new Set([
  "no-list-marker",
  "in-paragraph",
  "no-space",
  "block-quote",
])

/** Lines that look like a box to a person, and why they are none. */
export function overlooked(lines: readonly string[], sorted: SortedRows, masks: readonly Mask[]) {
  const known = new Set(sorted.ignored.map(({ line }) => line))
  for (const { row } of sorted.entries) known.add(row.index + 1)
  const ignored: IgnoredLine[] = []
  let at = 0
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? ""
    if (!line.includes("[") || known.has(index + 1)) continue
    while ((masks[at]?.to ?? lines.length) < index) at++
    const reason = reasonFor(cutLine(line), index, masks[at])
    if (reason !== null) ignored.push({ line: index + 1, reason })
  }
  return ignored
}

function reasonFor(line: string, index: number, mask: Mask | undefined): string | null {
  const looks = looksLikeBox(line)
  const isGlued = GLUED.test(line)
  if (looks === null && !isGlued) return null
  if (mask !== undefined && mask.from <= index) return looks === null ? null : mask.reason
  if (isGlued) return "no-space"
  if (looks === "bare") return "no-list-marker"
  return NO_TEXT.test(line) ? "no-text" : "in-paragraph"
}

/** Open rows that stand in no section: nothing is left out without a word. */
export function outsideRows({ ignored, blocks }: SortedRows, stateOf: (row: Row) => TaskState) {
  const outside = new Set(
    ignored.flatMap(({ line, reason }) => (reason === "outside-section" ? [line] : [])),
  )
  const open = blocks.rows.filter((row) => outside.has(row.index + 1) && isLeft(stateOf(row)))
  const [first] = open
  if (first === undefined) return []
  const rows = open.length === 1 ? "1 open row stands" : `${open.length} open rows stand`
  const message = `${rows} outside the sections for tasks and count as none; the first: "${cleanTitle(first.box.text).slice(0, 80)}".`
  return [{ line: first.index + 1, rule: "outside-rows", message }]
}

function isLeft(state: TaskState): boolean {
  return state !== "done" && state !== "cancelled"
}

/** Lines with an open box that a person may have meant as rows. */
export function noRows(lines: readonly string[], ignored: readonly IgnoredLine[]): PlanWarning[] {
  const found = ignored.filter(
    ({ line, reason }) => NO_ROWS.has(reason) && OPEN_BOX.test(cutLine(lines[line - 1] ?? "")),
  )
  const [first] = found
  if (first === undefined) return []
  const boxes =
    found.length === 1 ? "1 line with an open box is" : `${found.length} lines with an open box are`
  const message = `${boxes} no row of a list and no task (${first.reason}): write it as \`- [ ] Title\` behind a blank line.`
  return [{ line: first.line, rule: "no-rows", message }]
}

/** Rows four columns in, below no item: CommonMark says code, and their author may have meant tasks. */
export function indentedRows(ignored: readonly IgnoredLine[]): PlanWarning[] {
  const found = ignored.filter(({ reason }) => reason === "indented-code")
  const [first] = found
  if (first === undefined) return []
  const lines = found.length === 1 ? "1 line" : `${found.length} lines`
  const message = `${lines} with a box are indented by 4 columns or a tab below no item: that is code, not a task.`
  return [{ line: first.line, rule: "indented-rows", message }]
}

const LOSING: ReadonlySet<string> = new Set([
  "outside-rows",
  "no-rows",
  "indented-rows",
  "outnumbered-section",
  "headings-without-box",
  "empty-headings",
  "open-parts",
  "status-against-boxes",
])

/** Warnings with those of open rows that are left out first: they are shown where not all are. */
export function losingFirst(warnings: readonly PlanWarning[]): readonly PlanWarning[] {
  const isLosing = ({ rule }: PlanWarning) => LOSING.has(rule)
  return [...warnings.filter(isLosing), ...warnings.filter((warning) => !isLosing(warning))]
}
