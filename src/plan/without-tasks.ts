// What a plan holds that cannot be ticked, for its message: lines without a box, tables, and what one without a single task has instead.
// Over 250 lines: what is said of such lines, and whether they may be done, share the rows and signs.
import {
  type Blocks,
  below,
  belowReader,
  headingReader,
  type Mask,
  stretchReader,
  titleIndex,
} from "./blocks/blocks.ts"
import type { FrontMatter } from "./data/front-matter.ts"
import { showsLeft } from "./dialects/first-sign.ts"
import { tellsWhatWasDone } from "./dialects/heading-roles.ts"
import { splitLabel } from "./dialects/label.ts"
import { isContents } from "./dialects/no-work.ts"
import { tickedIn } from "./dialects/ticked-rows.ts"
import type { BoxSpots, WithoutTask } from "./headings/box-spots.ts"
import type { BoxSpot, Own, Role } from "./headings/own-headings.ts"
import { readStatusLines } from "./headings/status-lines.ts"
import type { TableRow, WorkTable } from "./headings/work-tables.ts"
import { saysNothing } from "./model/blocked-words.ts"
import { cutLine } from "./model/lines.ts"
import { type IgnoredLine, isSettled, type PlanWarning, type Task } from "./model/plan.ts"
import { readState, stateOfWord } from "./model/state-words.ts"
import { namedTitle, plainTitle, saysDone } from "./model/title.ts"
import type { Boxless } from "./tasks/boxless-headings.ts"

const NAMED = 3
/** One that has no box of any form. */
const BULLET =
  /^ {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]+(?:[\p{L}\p{N}*_`"'(]|(?![☐☑□▢◻⬜🔲])\p{Extended_Pictographic})/u
/** `Base - the folders`, `Base (1 plan)`. */
const EXPLAINED = /[ \t]+(?:[—–-][ \t]|[(（])|[:：][ \t]/
const MARK = /^ {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]+/
const SAID = {
  headings: { rule: "heading-tasks", what: "headings look like tasks but have no box" },
  rows: { rule: "no-boxes", what: "numbered rows have no box" },
} as const
const ONE = "1 heading looks like a task but has no box"
const ADD_BOX = "`opencode-boulder plan <file> --add-boxes` writes it"
const ADD_BOXES = "`opencode-boulder plan <file> --add-boxes` writes them"
const AS_ROWS =
  "rows of a table cannot be ticked; write each that is a task as a row with a box, `- [ ] 1. Title`"
const BY_HAND = "write a box, `[ ] `, before the words of each that is a task"

/**
 * The tables of work that a plan is told of, none of whose rows can be ticked: of one without a task all that have something left, or
 * else that they are done, but no overview of headings that are the work (`said`: the rule of the warning of what lacks a box);
 * of one all of whose tasks are settled those with a row that says itself that it is not done.
 */
export function toldTables({ tasks, tables }: TablesOf, said: string | null): readonly WorkTable[] {
  if (tasks.some((task) => !isSettled(task))) return []
  const isOverview = tasks.length === 0 && said === SAID.headings.rule
  const found = tables().filter(({ saysStates }) => saysStates || !isOverview)
  const open = found.filter((table) => leftIn(table, tasks).length > 0)
  return open.length > 0 || tasks.length > 0 ? open : found
}

interface TablesOf extends Pick<WithoutTask, "tables"> {
  readonly tasks: readonly Task[]
}

/** In a plan without a task a row that says nothing may be one; of what is a task too its box has the last word. */
function leftIn({ rows }: WorkTable, tasks: readonly Task[]): readonly TableRow[] {
  const left = rows.filter(({ isLeft }) => isLeft ?? tasks.length === 0)
  const names = new Set(left.length === 0 ? [] : tasks.map(({ title }) => nameIn(title)))
  return left.filter(({ name }) => !names.has(nameIn(splitLabel(name).rest)))
}

/** What a title begins with, up to words of explanation. */
function nameIn(title: string): string {
  return plainTitle(title.split(EXPLAINED, 1)[0] ?? title)
}

/** What is said of such tables. */
export function tableWarning(
  told: readonly WorkTable[],
  tasks: readonly Task[],
): readonly PlanWarning[] {
  const [table] = told
  if (table === undefined) return []
  const count = told.reduce((sum, { rows }) => sum + rows.length, 0)
  const left = told.flatMap((each) => leftIn(each, tasks))
  const tables = told.length === 1 ? "A table lists" : `${told.length} tables list`
  const what = `${tables} ${count} ${count === 1 ? "row" : "rows"} of work`
  const [first] = left
  const rule = "status-table"
  if (first === undefined) {
    const message = `${what}; no row of ${told.length === 1 ? "it" : "them"} is left to do.`
    return [{ line: table.index + 1, rule, message }]
  }
  const some = left.length === count ? "" : `, ${left.length} of them not done`
  const though = tasks.length === 0 ? "" : ", though no box is open"
  const message = `${what}${some}, the first "${namedTitle(first.name, 60)}"${though}: ${AS_ROWS}.`
  return [{ line: first.index + 1, rule, message }]
}

/** Without the rows of such tables, and the lines that get a box: more is said of them than that they are no rows of a list. */
export function withoutRows(
  ignored: readonly IgnoredLine[],
  told: readonly WorkTable[],
  spots: readonly BoxSpot[],
): readonly IgnoredLine[] {
  const known = [...told.flatMap(({ rows }) => rows), ...spots]
  const lines = new Set(known.map(({ index }) => index + 1))
  return ignored.filter(({ line }) => !lines.has(line))
}

/**
 * The rows of lists of a plan without a single task, where nothing else is said of it (`said`) or of its tables; beside tables that
 * are done those below headings of what is left.
 */
export function bulletWarning(
  { lines, own, masks }: Omit<WithoutTask, "rows">,
  told: readonly WorkTable[],
  said: string | null,
): readonly PlanWarning[] {
  if (said !== null || told.some((table) => leftIn(table, []).length > 0)) return []
  const rows = bulletRows(unmasked(lines, masks), own())
  const left = rows.filter(({ isDone }) => !isDone)
  if (told.length > 0) return warningOf(left.filter(({ role }) => role === "left"))
  const isAnyDone = left.length < rows.length && left.every(({ role }) => role === "beside")
  const isShown = () => lines.some((line) => MARK.test(line) && showsLeft(line.replace(MARK, "")))
  if (isAnyDone) return isShown() ? [] : doneWarning(rows.filter(({ isDone }) => isDone))
  return warningOf(mostLikely(left))
}

interface Line {
  readonly index: number
  readonly text: string
}

function unmasked(lines: readonly string[], masks: readonly Mask[]): readonly Line[] {
  const isMasked = stretchReader(masks)
  return lines.flatMap((line, index) => (isMasked(index) ? [] : [{ index, text: cutLine(line) }]))
}

/**
 * The line that may say of all that gets a box in a plan without a task that it is done: a status of the whole document, where
 * nothing else says a state, or `✅` before all rows of a heading.
 */
export function doubtOf(
  { lines, blocks, masks, front, own }: DoubtedPlan,
  { spots }: BoxSpots,
): number | null {
  const status = front.data["status"]
  const statuses = readStatusLines(lines, blocks, { masks, isNear: false })
  const document = titleIndex(blocks.headings)
  const ofText = statuses.get(document)
  const silent = spots.filter(({ index, at }) => !isShownAt(cutLine(lines[index] ?? "").slice(at)))
  const isTelling = ({ index, role, text }: Own) =>
    index !== document && (tellsWhatWasDone(text) || role === "left" || saysDone(text))
  const telling = new Set(own().flatMap((each) => (isTelling(each) ? [each.index] : [])))
  const isBelow = belowReader(blocks.headings, ({ index }) => telling.has(index))
  const isTold =
    statuses.size > 1 ||
    silent.length < spots.length ||
    spots.some(({ index }) => isBelow(index) || telling.has(index))
  if (!isTold && typeof status === "string" && stateOfWord(status) === "done") return 0
  const said = ofText === undefined ? "" : (lines[ofText.index] ?? "").slice(ofText.at)
  if (!isTold && ofText !== undefined && mayBeDone(said)) return ofText.index
  const title = blocks.headings.find(({ index }) => index === document)
  if (!isTold && title !== undefined && saysDone(title.text)) return document
  const of = new Set(silent.map(({ index }) => index))
  const held = below(blocks.headings, ({ index }) => of.has(index))
  return tickedIn(lines, masks, held).unsure[0] ?? null
}

interface DoubtedPlan extends Pick<WithoutTask, "lines" | "own" | "masks"> {
  readonly blocks: Blocks
  readonly front: FrontMatter
}

function isShownAt(words: string): boolean {
  return saysDone(words) || showsLeft(words)
}

/** `Agreed, then implemented and verified`: one of what it says one after the other. */
function mayBeDone(said: string): boolean {
  const parts = said
    .split(/[,;.][ \t]+/)
    .map((part) => part.replace(/^(?:then|now|and)[ \t]+/i, ""))
  return parts.some((part) => readState(part).state === "done")
}

/** A warning of the headings or numbered rows that a plan without a task has instead, and what makes tasks of them. */
export function boxWarning(
  { kind, spots, later, others, doubt }: BoxSpots & { readonly doubt: number | null },
  lines: readonly string[],
  isWritten: boolean,
): PlanWarning {
  const { rule, what } = SAID[kind]
  const nameOf = ({ index, at }: BoxSpot) => {
    const line = cutLine(lines[index] ?? "")
    return `"${namedTitle(kind === "rows" ? line : line.slice(at), 60)}"`
  }
  const more = spots.length > NAMED ? ", …" : ""
  const names = spots.slice(0, NAMED).map(nameOf).join(", ")
  const none = (found: readonly BoxSpot[], [one, many]: readonly [string, string]) => {
    const [first] = found.map(nameOf)
    if (first === undefined) return ""
    return found.length === 1
      ? ` ${first} ${one}, and gets none.`
      : ` ${found.length} more, the first ${first}, ${many}, and get none.`
  }
  const put =
    none(later, ["comes later", "come later"]) + none(others, ["counts as well", "count as well"])
  const found = spots.length === 1 ? ONE : `${spots.length} ${what}`
  const written = isWritten ? (spots.length === 1 ? ADD_BOX : ADD_BOXES) : BY_HAND
  const them =
    doubt === null
      ? written
      : `line ${doubt + 1} may say that they are done. Write \`[x] \` or \`[ ] \`, before the words of each that is a task`
  const message = `${found} (${names}${more}): ${them}.${put}`
  return { line: (spots[0]?.index ?? 0) + 1, rule, message }
}

/** What makes tasks of such lines: the command, where it does not refuse. */
function boxAdvice(isWritten: boolean): string {
  return isWritten
    ? "`opencode-boulder plan <file> --add-boxes` writes the boxes."
    : "Write a box, `[ ] `, before the words of each that is a task."
}

/** A warning of such lines. */
export function boxlessWarning(found: readonly Boxless[], isWritten: boolean): PlanWarning {
  const { index = 0, title = "" } = found[0] ?? {}
  const lines =
    found.length === 1
      ? "1 line without a box looks like a task but is not counted"
      : `${found.length} lines without a box look like tasks but are not counted; the first`
  const message = `${lines}: "${title}". ${boxAdvice(isWritten)}`
  return { line: index + 1, rule: "rows-without-box", message }
}

/** A warning of headings that name a unit of work and hold none. */
export function emptyWarning(
  found: readonly { readonly index: number; readonly title: string }[],
  isWritten: boolean,
): PlanWarning {
  const { index = 0, title = "" } = found[0] ?? {}
  const counted =
    found.length === 1
      ? "1 heading has no box and no row below it, and counts as no task"
      : `${found.length} headings have no box and no row below them, and do not count as tasks; the first`
  return {
    line: index + 1,
    rule: "empty-headings",
    message: `${counted}: "${title}". ${boxAdvice(isWritten)}`,
  }
}

interface Bullet extends Line {
  readonly role: Role
  /** By its own words, or by the heading above. */
  readonly isDone: boolean
}

function bulletRows(shown: readonly Line[], headings: readonly Own[]): readonly Bullet[] {
  const above = headingReader(headings)
  return shown.flatMap((line) => {
    const { role = null, isBeside = false, isDone = false } = above(line.index) ?? {}
    const words = line.text.replace(MARK, "")
    if (!BULLET.test(line.text) || isContents(line.text) || saysNothing(words)) return []
    const said = { isDone: isDone || saysDone(words) }
    return [{ ...line, ...said, role: isBeside ? "beside" : role }]
  })
}

/** Those below headings of work or of what is left; where there are none, those that stand below none of what is beside the work; else all. */
function mostLikely(rows: readonly Bullet[]): readonly Bullet[] {
  const work = rows.filter(({ role }) => role === "work" || role === "left")
  const others = rows.filter(({ role }) => role !== "beside")
  return [work, others, rows].find((each) => each.length > 0) ?? []
}

/** No box is written before these: a plan's notes are bullets as often as its tasks are. */
function warningOf(found: readonly Line[]): readonly PlanWarning[] {
  const [first] = found
  if (first === undefined) return []
  const rows = found.length === 1 ? "1 row of a list has" : `${found.length} rows of lists have`
  const named = found.length === 1 ? "" : ", the first is"
  const message = `${rows} no box${named} "${namedTitle(first.text, 60)}": write a box before each that is a task, \`- [ ] Title\`.`
  return [{ line: first.index + 1, rule: "no-boxes", message }]
}

function doneWarning(found: readonly Line[]): readonly PlanWarning[] {
  const [first] = found
  if (first === undefined) return []
  const rows = found.length === 1 ? "1 row of a list tells" : `${found.length} rows of lists tell`
  const message = `${rows} of what was done, the first "${namedTitle(first.text, 60)}"; none is left to do.`
  return [{ line: first.index + 1, rule: "no-boxes", message }]
}
