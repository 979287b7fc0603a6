// Lines that look like tasks and are none, and the warnings about them.
// Over 250 lines: what finds them and what is said of them share the stretches and the reasons.
import {
  type Blocks,
  below,
  belowReader,
  filledHeadings,
  type Heading,
  headingReader,
  type Mask,
  type Row,
  type Stretch,
  stretchReader,
  titleIndex,
} from "../blocks/blocks.ts"
import { looksLikeBox } from "../blocks/box.ts"
import { showsOpenBox } from "../blocks/shown-box.ts"
import type { Dialect } from "../dialects/dialects.ts"
import { headingWords } from "../dialects/heading-words.ts"
import { hasTaskId, splitLabel } from "../dialects/label.ts"
import { CRITERIA_HEADING, PUT_OFF_HEADING } from "../dialects/section-rules.ts"
import { ignoredBy } from "../headings/checks-beside.ts"
import { isOptional } from "../headings/nest-headings.ts"
import { cutLine } from "../model/lines.ts"
import {
  type IgnoredLine,
  isSettled,
  isSettledState,
  type PlanWarning,
  type Task,
  type TaskState,
} from "../model/plan.ts"
import { namedTitle, saysDone } from "../model/title.ts"
import type { SortedRows } from "./rows.ts"

/** A text right after its box, or a box right after its dash. */
const GLUED =
  /^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+\[[ xX]\](?=[\p{L}\p{N}`]|\*(?!\s|$))|\[[ xX]\][ \t])/u
const NO_TEXT = /\]\*?[ \t]*$/
/** The rules that leave out a line with an open box without intending to: the author is told. */
const NO_ROWS: ReadonlySet<string> = new Set([
  ...[
    "no-list-marker",
    "in-paragraph",
    "no-space",
    "block-quote",
    "in-table",
    "other-box",
    "indented-code",
  ],
])

interface LeftOut {
  readonly lines: readonly string[]
  /** The lines that may show a box, ascending. */
  readonly shown: readonly number[]
  readonly sorted: SortedRows
  readonly masks: readonly Mask[]
  readonly dialect: Dialect
}

/** Lines that look like a box to a person but are no rows to the grammar, and why. */
export function overlooked({ lines, shown, sorted, masks, dialect }: LeftOut) {
  const known = new Uint8Array(lines.length + 1)
  for (const { line } of sorted.ignored) known[line] = 1
  for (const { row } of sorted.entries) {
    known[row.index + 1] = 1
    known[(sorted.statuses.get(row.index)?.index ?? row.index) + 1] = 1
  }
  const hidden = [...masks, ...ignoredStretches(sorted, dialect)]
  hidden.sort((one, other) => one.from - other.from)
  const legend = new Set(sorted.legend.said)
  const ruleAt = ruleReader(hidden, (index) => legend.has(lines[index] ?? ""))
  const found: IgnoredLine[] = []
  for (const index of shown) {
    const line = lines[index] ?? ""
    const looks = known[index + 1] === 1 ? null : reasonFor(cutLine(line))
    const reason = looks === null ? null : reasonIn(line, looks, ruleAt(index))
    if (reason !== null) found.push({ line: index + 1, reason })
  }
  return found
}

/** The rule that leaves out a line which shows a box, or what it shows; null for a line that is hidden along with everything around it. */
function reasonIn(line: string, shown: string, around: string | null): string | null {
  const rule = around === "comment" && isBehindComment(line) ? null : around
  const isListed = rule === null || !HIDING.has(rule) || looksLikeBox(cutLine(line)) !== null
  return isListed ? (rule ?? shown) : null
}

/** A comment hides the rest of the line that it ends on, where a row was meant to be seen. */
function isBehindComment(line: string): boolean {
  const end = line.lastIndexOf("-->")
  return end !== -1 && showsOpenBox(line.slice(end + 3)) !== null
}

/** Tells, for ascending lines, which rule leaves them out. */
function ruleReader(
  hidden: readonly Hidden[],
  isLegend: (index: number) => boolean,
): (index: number) => string | null {
  let at = 0
  return (index) => {
    if (isLegend(index)) return "legend"
    while ((hidden[at]?.to ?? Number.POSITIVE_INFINITY) < index) at++
    const found = hidden[at]
    return found !== undefined && found.from <= index ? found.reason : null
  }
}

/** Hides everything in it: only lines that would be rows elsewhere are listed. */
const HIDING: ReadonlySet<string> = new Set(["fence", "comment", "front-matter"])

type Hidden = Pick<Mask, "from" | "to"> & { readonly reason: string }

/** What stands below headings whose rows are never tasks. */
export function ignoredStretches(
  { blocks: { headings } }: Pick<SortedRows, "blocks">,
  { sections }: Dialect,
): readonly Hidden[] {
  const isIgnored = ({ text }: Heading) => {
    const words = headingWords(text)
    const isKept = sections.some((rule) => rule.isNeverIgnored && rule.heading.test(words))
    return !isKept && ignoredBy(text) === "ignored"
  }
  return below(headings, isIgnored).map(({ from, to }) => {
    return { from, to, reason: "ignored-heading" }
  })
}

function reasonFor(line: string): string | null {
  const shown = showsOpenBox(line)
  const looks = line.includes("[") ? looksLikeBox(line) : null
  if (line.includes("[") && GLUED.test(line)) return "no-space"
  if (looks === "bare") return "no-list-marker"
  if (looks === "list") return NO_TEXT.test(line) ? "no-text" : "in-paragraph"
  return shown === null ? null : shown === "table" ? "in-table" : "other-box"
}

/** Open rows in no section: nothing is left out without a word. */
export function outsideRows({ ignored, blocks }: SortedRows, stateOf: (row: Row) => TaskState) {
  if (ignored.length === 0) return []
  const reasons = new Map(ignored.map(({ line, reason }) => [line, reason]))
  const isOutside = (row: Row) => reasons.get(row.index + 1) === "outside-section"
  const open = blocks.rows.filter((row) => isOutside(row) && !isSettledState(stateOf(row)))
  const [first] = open
  if (first === undefined) return []
  const rows =
    open.length === 1
      ? "1 open row is outside the task sections and is not counted"
      : `${open.length} open rows are outside the task sections and are not counted; the first`
  const message = `${rows}: "${namedTitle(first.box.text, 80)}".`
  return [{ line: first.index + 1, rule: "outside-rows", message }]
}

/**
 * Open rows below a heading whose rows are no tasks, such as Legend: those with a task's number, those put off, those among criteria of
 * which some are met, and all of them if no task is left; the settled ones, too, if the plan has no task.
 */
export function ignoredRows(
  { ignored, blocks }: SortedRows,
  stateOf: (row: Row) => TaskState,
  tasks: readonly Task[],
) {
  const isOver = tasks.every(isSettled)
  const lines = new Set(
    ignored.flatMap(({ line, reason }) => (reason === "ignored-heading" ? [line] : [])),
  )
  if (lines.size === 0) return []
  const isPutOff = belowReader(blocks.headings, ({ text }) =>
    PUT_OFF_HEADING.test(headingWords(text)),
  )
  const isBegun = stretchReader(begunCriteria(blocks, stateOf))
  const open = blocks.rows.filter((row) => {
    if (!lines.has(row.index + 1) || isSettledState(stateOf(row))) return false
    return isOver || isPutOff(row.index) || isBegun(row.index) || isNumbered(row)
  })
  const isNone = tasks.length === 0 && open.length === 0
  const told = isNone ? blocks.rows.filter(({ index }) => lines.has(index + 1)) : open
  const [first] = told
  if (first === undefined) return []
  const rows = `${told.length} ${isNone ? "" : "open "}${told.length === 1 ? "row" : "rows"}`
  const kind = isOver || !told.every(isNumbered) ? "" : " with a number"
  const [are, theFirst] = told.length === 1 ? ["is", ""] : ["are", "; the first"]
  const [name = "", ...others] = new Set(told.map(nameReader(blocks.headings)))
  const names = others.length === 1 ? "name" : "names"
  const more = others.length === 0 ? "" : ` and headings of ${others.length} other ${names}`
  const cure = tasks.length > 0 ? "" : RENAME
  const message = `${rows}${kind} below "${name}"${more} ${are} not counted, as under any heading with such a name${theFirst}: "${namedTitle(first.box.text, 80)}".${cure}`
  return [{ line: first.index + 1, rule: "ignored-rows", message }]
}

const RENAME = " If they are the work, rename the heading, to `Tasks` for instance."

/** Tells of ascending rows below a heading whose rows are no tasks what that says. */
function nameReader(headings: readonly Heading[]) {
  const title = titleIndex(headings)
  const isIgnored = ({ index, text }: Heading) => index !== title && ignoredBy(text) === "ignored"
  const headingAt = headingReader(headings.filter(isIgnored))
  return ({ index }: Row) => namedTitle(headingAt(index)?.text ?? "", 60)
}

/** The criteria of the whole plan some of which are met: somebody works through them as through tasks. */
function begunCriteria(
  { headings, rows }: Blocks,
  stateOf: (row: Row) => TaskState,
): readonly Stretch[] {
  const title = titleIndex(headings)
  const isMet = (row: Row) => isSettledState(stateOf(row)) || saysDone(row.box.text)
  const begun = filledHeadings(headings, rows.filter(isMet))
  return below(headings, ({ index, parent, text }) => {
    const isOuter = parent === -1 || parent === title
    return isOuter && begun.has(index) && CRITERIA_HEADING.test(headingWords(text))
  })
}

/** `E2E`, `I18N`. */
const LIKE_A_WORD = /^[A-Z]\d{1,2}[A-Z]$/

/** Whether a row begins with a number or an id: `E2E tests` begins with a word. */
function isNumbered({ box, ordinal }: Row): boolean {
  const { label } = splitLabel(box.text)
  return label === null ? ordinal !== null : hasTaskId(box.text) && !LIKE_A_WORD.test(label)
}

/** Lines with an open box that a person may have meant as rows. */
export function noRows(lines: readonly string[], ignored: readonly IgnoredLine[]): PlanWarning[] {
  const found = ignored.filter(
    ({ line, reason }) =>
      NO_ROWS.has(reason) && showsOpenBox(cutLine(lines[line - 1] ?? "")) !== null,
  )
  const [first] = found
  if (first === undefined) return []
  const boxes =
    found.length === 1
      ? `1 line with an open box is not read as a task (${first.reason}): if it is one, write it`
      : `${found.length} lines with an open box are not read as tasks (${first.reason}): write each that is one`
  const message = `${boxes} as a list row with a box, \`- [ ] Title\`, after a blank line.`
  return [{ line: first.line, rule: "no-rows", message }]
}

/** Whether a line at the margin that is no row begins with an open box all the same, and below no heading that says it may be left undone. */
export function beginsOpen(
  lines: readonly string[],
  { headings }: Pick<Blocks, "headings">,
  ignored: readonly IgnoredLine[],
): boolean {
  const isFree = belowReader(headings, isOptional)
  return ignored.some(({ line, reason }) => {
    const isOpen = BEGINNING.has(reason) && OPEN.test(lines[line - 1] ?? "")
    return isOpen && !isFree(line - 1)
  })
}

const BEGINNING: ReadonlySet<string> = new Set(["no-list-marker", "in-paragraph", "no-space"])
const OPEN = /^(?:[-*+]|\d{1,9}[.)][ \t]+)?\[ \][ \t]+[^\s]/

const LEFT_OUT: ReadonlySet<string> = new Set([
  ...["outside-rows", "ignored-rows", "no-rows", "headings-without-box"],
  ...["rows-without-box", "open-parts", "other-tags"],
])
const LOSING: ReadonlySet<string> = new Set([
  ...LEFT_OUT,
  ...["outnumbered-section", "joined-sections", "unread-status", "status-against-boxes"],
])

/** The warnings about what is not run. */
export function leftOutOf(warnings: readonly PlanWarning[]): readonly PlanWarning[] {
  return warnings.filter(({ rule }) => LEFT_OUT.has(rule))
}

/** The same, and what of sections and states may mean that tasks are missing. */
export function losingOf(warnings: readonly PlanWarning[]): readonly PlanWarning[] {
  return warnings.filter(({ rule }) => LOSING.has(rule))
}

/** All warnings, these first: they are shown if there is no room for all. */
export function losingFirst(warnings: readonly PlanWarning[]): readonly PlanWarning[] {
  return [...losingOf(warnings), ...warnings.filter(({ rule }) => !LOSING.has(rule))]
}
