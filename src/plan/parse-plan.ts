// Reads a plan of any format.
// Over 250 lines: what is read and what has no box are told by one reading.
import { withBareRows } from "./blocks/bare-rows.ts"
import type { Blocks, Heading, Mask } from "./blocks/blocks.ts"
import { scanBlocks } from "./blocks/scan-blocks.ts"
import { thatMayShowBox } from "./blocks/shown-box.ts"
import { type FrontMatter, readFrontMatter } from "./data/front-matter.ts"
import { unreadTodos } from "./data/front-todos.ts"
import { readGsdTasks } from "./data/gsd-plan.ts"
import { detectDialect } from "./dialects/detect-dialect.ts"
import { adapterOf, FORMATS } from "./formats.ts"
import { areLines, boxSpots, chosenLines } from "./headings/box-spots.ts"
import { withTitle } from "./headings/nest-headings.ts"
import { type BoxSpot, ownHeadings } from "./headings/own-headings.ts"
import { workTables } from "./headings/work-tables.ts"
import { splitLines } from "./model/lines.ts"
import { once } from "./model/once.ts"
import {
  isSettled,
  type ParseOptions,
  type Plan,
  type PlanWarning,
  type Task,
} from "./model/plan.ts"
import { stateOfWord } from "./model/state-words.ts"
import { namedTitle } from "./model/title.ts"
import { linesWithout } from "./tasks/boxless-rows.ts"
import { buildTasks } from "./tasks/build-tasks.ts"
import { withChecks } from "./tasks/checks.ts"
import { ignoredRows, indentedRows, noRows, outsideRows, overlooked } from "./tasks/left-out.ts"
import { type SortedRows, sortRows } from "./tasks/rows.ts"
import { summarize } from "./tasks/summarize.ts"
import {
  boxlessWarning,
  boxWarning,
  bulletWarning,
  doubtOf,
  emptyWarning,
  tableWarning,
  toldTables,
  withoutRows,
} from "./without-tasks.ts"

const MAX_LENGTH = 64 * 1024 * 1024

/**
 * Reads a plan of any format. It never throws and takes time linear in the text: what cannot be
 * read is a warning, and each line that looks like a checkbox is a task, a sub-item or ignored with
 * its reason. A text without any task gives the state `invalid`.
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
  const said = withoutBox[0]?.rule ?? null
  const told = toldTables(read, said)
  const summary = summarize(tasks)
  const state = summary.state === "complete" && outside.length > 0 ? "rows-outside" : summary.state
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
      ...unclosed(blocks),
      ...(tasks.length === 0 ? [] : passedOver(sorted, state)),
      ...indentedRows(ignored),
      ...noRows(lines, withoutRows(ignored, told, spots)),
      ...outside,
      ...(elements === null ? ignoredRows(sorted, built.stateOf, tasks) : []),
      ...built.warnings,
      ...checked.warnings,
      ...(choice.dialect.hasFrontStatus ? frontAgainstRows(front, tasks) : []),
      ...(elements?.warnings ?? []),
      ...withoutBox,
      ...(tasks.length === 0 ? bulletWarning(read, told, said) : []),
      ...tableWarning(told, tasks),
    ].sort(byLine),
  }
}

/** The lines that look like tasks and have no box, in a plan of rows; null for any other. */
export function boxlessOf(text: string, options: ParseOptions): WithoutBox | null {
  if (text.length > MAX_LENGTH || adapterOf(text, options) !== null) return null
  return workWithoutBox(readRows(text, options))
}

/** What `--add-boxes` writes to, and how a warning says so. */
interface WithoutBox {
  readonly spots: readonly BoxSpot[]
  /** The line, from 0, by which all that has no box may be done: then nothing is written. */
  readonly doubt: number | null
  readonly warnings: (isWritten: boolean) => readonly PlanWarning[]
}

/** The work of a plan that has no box: what is written and what is said of it are one. */
function workWithoutBox(read: ReadRows): WithoutBox | null {
  const { lines, blocks, tasks } = read
  if (tasks.length === 0) {
    const found = boxSpots({ ...read, rows: blocks.rows })
    if (found === null) return null
    const doubt = doubtOf(read, found)
    const warnings = (isWritten: boolean) => [boxWarning({ ...found, doubt }, lines, isWritten)]
    return { ...found, doubt, warnings }
  }
  if (saysItIsDone(read)) return null
  const { rows, headings } = linesWithout(read)
  const found = [...rows, ...headings].sort((one, other) => one.index - other.index)
  const chosen = read.chosen()
  const isBoxed = ({ line, steps }: Task) => steps === undefined && chosen.has(line - 1)
  const spots = tasks.every(isBoxed) ? found.filter(({ index }) => chosen.has(index)) : found
  if (spots.length === 0 && !tasks.every(isSettled)) return null
  const said = new Set(spots.length === 0 ? found : spots)
  const warnings = (isWritten: boolean) =>
    [
      { of: rows, warningOf: boxlessWarning },
      { of: headings, warningOf: emptyWarning },
    ].flatMap(({ of, warningOf }) => {
      const some = of.filter((each) => said.has(each))
      return some.length === 0 ? [] : [warningOf(some, isWritten && spots.length > 0)]
    })
  return found.length === 0 ? null : { spots, doubt: null, warnings }
}

function boxWarnings(read: ReadRows, options: ParseOptions) {
  const found = workWithoutBox(read)
  if (found === null) return { spots: [], withoutBox: [] }
  const { spots, warnings } = found
  return { spots, withoutBox: warnings(becomeTasks(read, spots, options)) }
}

/** Whether the status of the front matter and all boxes say as one that nothing is left. */
function saysItIsDone({ choice, front, tasks }: ReadRows): boolean {
  return choice.dialect.hasFrontStatus && isDoneByFront(front) && tasks.every(isSettled)
}

function isDoneByFront({ data: { status } }: FrontMatter): boolean {
  return typeof status === "string" && stateOfWord(status) === "done"
}

/** Whether just these lines are tasks beside the others once each has a box, which is what `--add-boxes` asks before it writes. */
function becomeTasks(
  { lines, tasks }: ReadRows,
  spots: readonly BoxSpot[],
  options: ParseOptions,
): boolean {
  const boxed = [...lines]
  for (const { index, at } of spots) {
    const line = lines[index] ?? ""
    boxed[index] = `${line.slice(0, at)}[ ] ${line.slice(at)}`
  }
  const after = readRows(boxed.join("\n"), { ...options, lines: boxed }).tasks
  return areLines(after, [...tasks.map(({ line }) => line - 1), ...spots.map(({ index }) => index)])
}

type ReadRows = ReturnType<typeof readRows>

function readRows(text: string, options: ParseOptions) {
  const lines = options.lines ?? splitLines(text)
  const front = readFrontMatter(lines)
  const scanned = scanBlocks(front.lines, front.lineCount)
  const shown = thatMayShowBox({ text, lines })
  const body = shown.filter((index) => index >= front.lineCount)
  const bare = withBareRows(front.lines, body, scanned)
  const blocks = withTitle(bare)
  const choice = detectDialect({
    text,
    blocks,
    hasBareRows: bare !== scanned,
    wanted: options.dialect,
    path: options.path,
    frontMatter: front.data,
  })
  const masks = frontMask(front.lineCount).concat(blocks.masks)
  const elements = choice.dialect.hasElements
    ? readGsdTasks({ lines, masks, path: options.path, siblings: options.siblings })
    : null
  const own = once(() => ownHeadings(blocks.headings, lines))
  const tables = once(() => workTables(lines, own, masks))
  const sorted =
    elements === null
      ? sortRows(blocks, choice.dialect, { lines, own, masks, tables })
      : leaveOut(blocks)
  const built = buildTasks({ text, lines, masks: blocks.masks, sorted, dialect: choice.dialect })
  const tasks = elements?.tasks ?? built.tasks
  const chosen = once(() => chosenLines({ lines, masks, tables }, blocks.headings, tasks))
  return {
    ...{ text, lines, own, tables, front, blocks, masks, shown },
    ...{ choice, elements, sorted, built, tasks, chosen },
  }
}

/** A status in the front matter that the boxes contradict: they count, and the one who keeps the board should know. */
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

/** In a plan of `<task>` elements boxes are criteria, never tasks. */
function leaveOut(blocks: Blocks): SortedRows {
  const ignored = blocks.rows.map(({ index }) => ({ line: index + 1, reason: "criterion" }))
  return {
    entries: [],
    ignored,
    passedOver: null,
    blocks,
    statuses: new Map(),
    unread: [],
    units: new Map(),
    detailed: new Set(),
    told: new Map(),
    labels: [],
    legend: { said: [], rows: new Set(), bold: [] },
  }
}

function byLine(one: { readonly line: number }, other: { readonly line: number }): number {
  return one.line - other.line
}

function frontMask(lineCount: number): Mask[] {
  return lineCount === 0 ? [] : [{ from: 0, to: lineCount - 1, reason: "front-matter" }]
}

function unclosed(blocks: Blocks): PlanWarning[] {
  return blocks.unclosed.map(({ index, rule, reopenedAt }) => {
    const kind = rule === "unclosed-fence" ? "code fence" : "comment"
    const message =
      reopenedAt === null
        ? `Nothing closes this ${kind}: it hides nothing.`
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

const PASSED_OVER = {
  outnumbered: {
    rule: "outnumbered-section",
    message: "More rows are outside the task sections than inside; all are read.",
  },
  joined: {
    rule: "joined-sections",
    message:
      "More rows are outside this format's own sections than inside; those below other task headings (Tasks, Phase N) are read too.",
  },
} as const

/** Once nothing is left, it matters no more which rows were read beside the sections; that these hold none still does. */
function passedOver({ passedOver: found }: SortedRows, state: Plan["state"]): PlanWarning[] {
  if (found?.why === "empty") return found.heading === null ? [] : [emptySection(found.heading)]
  return found === null || state === "complete" ? [] : [{ line: 1, ...PASSED_OVER[found.why] }]
}

/** The heading is named: another, such as Current tasks, may well hold the rows that are read. */
function emptySection({ index, text }: Heading): PlanWarning {
  const name = namedTitle(text, 60)
  const message = `"${name}" has no rows; those under other headings are read instead.`
  return { line: index + 1, rule: "empty-section", message }
}
