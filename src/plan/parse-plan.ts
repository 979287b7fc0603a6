// Reads a plan of any format.
import { type Blocks, stretchReader } from "./blocks/blocks.ts"
import { isOfKnownFormat } from "./boxes/beside-tasks.ts"
import { headingsOfTasks, ownLines } from "./boxes/own-lines.ts"
import { boxWarnings } from "./boxes/without-box.ts"
import type { FrontMatter } from "./data/front-matter.ts"
import { unreadTodos } from "./data/front-todos.ts"
import { LEAST } from "./dialects/counting.ts"
import { adapterOf, FORMATS } from "./formats.ts"
import { unsettled, withStatus } from "./headings/heading-tasks.ts"
import {
  type IgnoredLine,
  isSettled,
  type ParseOptions,
  type Plan,
  type PlanWarning,
  type Task,
} from "./model/plan.ts"
import { namedTitle } from "./model/title.ts"
import { isDoneByFront, MAX_LENGTH, type ReadRows, readRows } from "./read-rows.ts"
import { tableWarning, toldTables, withoutRows } from "./table-warnings.ts"
import { withChecks } from "./tasks/checks.ts"
import { beginsOpen, ignoredRows, noRows, outsideRows, overlooked } from "./tasks/left-out.ts"
import type { SortedRows } from "./tasks/rows.ts"
import { summarize } from "./tasks/summarize.ts"

/**
 * Reads a plan of any format. It never throws and takes time linear in the text: what cannot be read is a warning, and each line that looks
 * like a checkbox is a task, a sub-item or ignored for a reason. A text without any task gives the state `invalid`.
 */
export function parsePlan(text: string, options: ParseOptions = {}): Plan {
  const isTooLong = text.length > MAX_LENGTH
  const adapter = isTooLong ? null : adapterOf(text, options)
  if (adapter !== null) return adapter.read(text, options)
  const read = isTooLong ? readRows("", { ...options, lines: [""] }) : readRows(text, options)
  const { lines, front, blocks, masks, choice, elements, sorted, built } = read
  const whole = { text: read.text, lines, masks }
  const checked = withChecks(read.tasks, { ...whole, headings: blocks.headings })
  const { tasks } = checked
  const looked = overlooked({ ...whole, shown: read.shown, sorted, dialect: choice.dialect })
  const ignored = [...sorted.ignored, ...looked].sort(byLine)
  const outside = elements === null ? outsideRows(sorted, built.stateOf) : []
  const { spots, withoutBox } = boxWarnings(read, options)
  const told = isOfKnownFormat(read) ? [] : toldTables(read, ignored, () => ownLines(read))
  const summary = summarize(tasks)
  const isOpenBeside = () => outside.length > 0 || hasOpenBeside(read, ignored)
  const state = summary.state === "complete" && isOpenBeside() ? "rows-outside" : summary.state
  return {
    dialect: choice.dialect.name,
    evidence: choice.evidence,
    ...summary,
    state,
    subItems: built.subItems,
    ignored,
    warnings: [
      ...unknownDialect(options.dialect),
      ...front.warnings,
      ...unreadTodos(front),
      ...tooLong(isTooLong),
      ...unclosed(blocks, ignored),
      ...(tasks.length === 0 ? [] : passedOver(sorted, state)),
      ...noRows(lines, withoutRows(ignored, tasks.length === 0 ? told : [], spots)),
      ...outside,
      ...(elements === null ? ignoredRows(sorted, built.stateOf, tasks) : []),
      ...built.warnings,
      ...checked.warnings,
      ...(choice.dialect.hasFrontStatus ? frontAgainstRows(front, tasks) : []),
      ...(elements?.warnings ?? []),
      ...withoutBox,
      ...tableWarning(told),
    ].sort(byLine),
  }
}

/**
 * Whether a line that is no row begins with an open box; or whether a plan of no known format has at least as many headings with a status
 * that would be its tasks if it had no rows, and some of them are open: its rows are notes then.
 */
function hasOpenBeside(read: ReadRows, ignored: Plan["ignored"]): boolean {
  const { lines, blocks, sorted, tasks } = read
  if (beginsOpen(lines, blocks, ignored)) return true
  if (isOfKnownFormat(read)) return false
  const told = new Set(headingsOfTasks(read).map(({ index }) => index))
  for (const { index, isBeside } of read.own()) if (isBeside) told.add(index)
  const found = withStatus(sorted).filter(({ index }) => !told.has(index))
  return found.length >= Math.max(LEAST, tasks.length) && unsettled(sorted, found).length > 0
}

/** A status in the front matter that the boxes contradict: the boxes count, and whoever keeps the board should know. */
function frontAgainstRows(front: FrontMatter, tasks: readonly Task[]): PlanWarning[] {
  const { status } = front.data
  const open = tasks.filter((task) => !isSettled(task)).length
  const isSame = isDoneByFront(front) === (open === 0)
  if (tasks.length === 0 || typeof status !== "string" || isSame) return []
  const boxes =
    open === 0 ? "no box is open" : open === 1 ? "1 box is open" : `${open} boxes are open`
  const message = `The front matter says "${status.slice(0, 40)}", but ${boxes}: the boxes count.`
  return [{ line: 1, rule: "status-against-boxes", message }]
}

function byLine(one: { readonly line: number }, other: { readonly line: number }): number {
  return one.line - other.line
}

/** If a fence is missing, those behind it open where they should close: the boxes that may be hidden by it are said. */
function unclosed(blocks: Blocks, ignored: readonly IgnoredLine[]): PlanWarning[] {
  if (blocks.unclosed.length === 0) return []
  const isCode = stretchReader(blocks.masks.filter(({ reason }) => reason === "fence"))
  const hidden = ignored.flatMap(({ line }) => (isCode(line - 1) ? [line] : []))
  return blocks.unclosed.map(({ index, rule, reopenedAt }) => {
    const kind = rule === "unclosed-fence" ? "code fence" : "comment"
    const above = kind === "comment" ? [] : hidden.filter((line) => line <= index)
    const told = above.length === 1 ? "1 box stands" : `${above.length} boxes stand`
    const boxes =
      above.length === 0 ? "" : ` If one is missing above, ${told} in no code (line ${above[0]}).`
    const message =
      reopenedAt === null
        ? `Nothing closes this ${kind}: it hides nothing.${boxes}`
        : `Tasks stand between this ${kind} and the one on line ${reopenedAt + 1}: it is read as never closed and hides nothing.`
    return { line: index + 1, rule, message }
  })
}

function unknownDialect(wanted: string | undefined): PlanWarning[] {
  if (wanted === undefined || FORMATS.some(({ name }) => name === wanted)) return []
  const names = FORMATS.map(({ name }) => name).join(", ")
  const message = `There is no dialect "${wanted.slice(0, 40)}"; known are ${names}.`
  return [{ line: 1, rule: "unknown-dialect", message }]
}

function tooLong(isTooLong: boolean): PlanWarning[] {
  if (!isTooLong) return []
  return [
    { line: 1, rule: "too-long", message: `The plan is longer than ${MAX_LENGTH} characters.` },
  ]
}

/**
 * Once nothing is left, it no longer matters which rows were read outside the sections; that the sections have none still does. The heading
 * is named, because another one, such as Current tasks, may well have the rows that are read.
 */
function passedOver({ passedOver: found }: SortedRows, state: Plan["state"]): PlanWarning[] {
  if (found === null || (found.why !== "empty" && state === "complete")) return []
  if (found.why === "joined") return [{ line: 1, rule: "joined-sections", message: JOINED }]
  if (found.heading === null) return []
  const line = found.heading.index + 1
  const name = namedTitle(found.heading.text, 60)
  const messages = {
    empty: `No row with a box is below "${name}": those under other headings are read instead.`,
    outnumbered: `Most rows are not below headings such as "${name}": rows elsewhere are read as tasks too.`,
    phase: `Rows below "${name}" are read as tasks too, since no row stands for their phase.`,
    series: `Rows below "${name}" are read as tasks too, since their ids continue those of the tasks.`,
  }
  return [{ line, rule: `${found.why}-section`, message: messages[found.why] }]
}

const JOINED =
  "More rows are outside this format's own sections than inside; those below other task headings (Tasks, Phase N) are read too."
