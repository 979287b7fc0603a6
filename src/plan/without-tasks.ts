// What a plan without a single task holds instead, for its message.
import type { Blocks, Mask } from "./blocks/blocks.ts"
import { headingWords } from "./dialects/heading-words.ts"
import type { BoxSpots, WithoutTask } from "./headings/box-spots.ts"
import type { BoxSpot, Own } from "./headings/own-headings.ts"
import { cellsOf, isDelimiter, type WorkTable } from "./headings/work-tables.ts"
import { cutLine } from "./model/lines.ts"
import { isSettled, type PlanWarning, type Task, type TaskState } from "./model/plan.ts"
import { readState, STATUS_NAME, stateOfWord } from "./model/state-words.ts"
import { cleanTitle } from "./model/title.ts"

const NAMED = 3
/** One that has no box of any form. */
const BULLET =
  /^ {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]+(?:[\p{L}\p{N}*_`"'(]|(?![☐☑□▢◻⬜🔲])\p{Extended_Pictographic})/u
const STATUS_CELL = new RegExp(`\\|[ \\t*]*(?:state|progress|${STATUS_NAME})[ \\t*]*(?:\\||$)`, "i")
/** How many there are, behind a heading. */
const COUNT = /[ \t]*[([]\d{1,6}[)\]]$/
const SAID = {
  headings: { rule: "heading-tasks", what: "headings look like tasks but have no box" },
  rows: { rule: "no-boxes", what: "numbered rows have no box" },
} as const
const ADD_BOXES = "`opencode-boulder plan <file> --add-boxes` writes them"
const AS_ROWS = "write each as a row with a box, `- [ ] 1. Title`"
const NOTHING_LEFT = "no row of it is left to do"
const BY_HAND = "write a box, `[ ] `, before the words of each that is a task"

/**
 * For a plan without a single task: says what there is instead of headings or numbered rows that lack a box (`said`: the
 * rule of their warning): other rows, or a table of states, which no box can be put into.
 */
export function withoutTasks(
  { lines, own, masks, table }: Omit<WithoutTask, "rows">,
  headings: Blocks["headings"],
  said: string | null,
): readonly PlanWarning[] {
  const shown = unmasked(lines, masks)
  const states = statusTables(shown, headings)
  const isTold = states.length > 0 || said === SAID.headings.rule
  const tables = isTold ? states : workTables(table())
  if (said !== null || (tables.length > 0 && !isTold)) return tables
  return [...bulletRows(mostLikely(shown, own())), ...tables]
}

/** Where there are headings of the work, a table of it is their overview. */
function workTables(table: WorkTable | null): readonly PlanWarning[] {
  if (table === null || table.showsBox) return []
  const { index, count, ticked, first } = table
  const ticks =
    ticked === 0 ? "" : `, ${ticked === count ? "all" : `${ticked} of them`} with a tick`
  const what = ticked === count ? NOTHING_LEFT : `its rows cannot be ticked: ${AS_ROWS}`
  const message = `A table lists ${count} rows${ticks}, the first "${first.slice(0, 60)}"; ${what}.`
  return [{ line: index + 1, rule: "status-table", message }]
}

interface Line {
  readonly index: number
  readonly text: string
}

function unmasked(lines: readonly string[], masks: readonly Mask[]): readonly Line[] {
  let at = 0
  return lines.flatMap((line, index) => {
    while ((masks[at]?.to ?? lines.length) < index) at++
    const isMasked = (masks[at]?.from ?? lines.length) <= index
    return isMasked ? [] : [{ index, text: cutLine(line) }]
  })
}

/** A warning of the headings or numbered rows that a plan without a task has instead, and what makes tasks of them. */
export function boxWarning(
  { kind, spots, later }: BoxSpots,
  lines: readonly string[],
  isWritten: boolean,
): PlanWarning {
  const { rule, what } = SAID[kind]
  const nameOf = ({ index, at }: BoxSpot) => {
    const line = cutLine(lines[index] ?? "")
    return `"${cleanTitle(kind === "rows" ? line : line.slice(at)).slice(0, 60)}"`
  }
  const more = spots.length > NAMED ? ", …" : ""
  const names = spots.slice(0, NAMED).map(nameOf).join(", ")
  const [first] = later.map(nameOf)
  const others =
    later.length === 1 ? `${first} comes` : `${later.length} more, the first ${first}, come`
  const put =
    first === undefined ? "" : ` ${others} later, and ${later.length === 1 ? "gets" : "get"} none.`
  const message = `${spots.length} ${what} (${names}${more}): ${isWritten ? ADD_BOXES : BY_HAND}.${put}`
  return { line: (spots[0]?.index ?? 0) + 1, rule, message }
}

/** The rows of lists below headings of work or of what is left; where there are none, those that stand below none of what is beside the work; else all. */
function mostLikely(shown: readonly Line[], headings: readonly Own[]): readonly Line[] {
  let order = 0
  const rows = shown.flatMap((line) => {
    while ((headings[order]?.index ?? Number.POSITIVE_INFINITY) <= line.index) order++
    const { role = null, isBeside = false } = headings[order - 1] ?? {}
    return BULLET.test(line.text) ? [{ ...line, role: isBeside ? "beside" : role }] : []
  })
  const work = rows.filter(({ role }) => role === "work" || role === "left")
  const others = rows.filter(({ role }) => role !== "beside")
  return [work, others, rows].find((each) => each.length > 0) ?? []
}

/** No box is written before these: a plan's notes are bullets as often as its tasks are. */
function bulletRows(found: readonly Line[]): readonly PlanWarning[] {
  const [first] = found
  if (first === undefined) return []
  const rows = found.length === 1 ? "1 row of a list has" : `${found.length} rows of lists have`
  const named = found.length === 1 ? "" : ", the first is"
  const message = `${rows} no box${named} "${cleanTitle(first.text).slice(0, 60)}": write a box before each that is a task, \`- [ ] Title\`.`
  return [{ line: first.index + 1, rule: "no-boxes", message }]
}

/** For a plan all of whose tasks are settled: a warning of the rows of its tables that say they are not done. */
export function openTableRows({ lines, masks, tasks }: TableIn): readonly PlanWarning[] {
  const isSaid = tasks.length > 0 && tasks.every(isSettled)
  const shown = isSaid && lines.some((line) => STATUS_CELL.test(line)) ? unmasked(lines, masks) : []
  const open = rowsLeft(shown)
  const [first] = open
  if (first === undefined) return []
  const rows =
    open.length === 1
      ? "1 row of a table says that it is"
      : `${open.length} rows of tables say that they are`
  const message = `${rows} not done ("${cleanTitle(first.text).slice(0, 60)}"), though no box is open: write each that is a task as \`- [ ] 1. Title\`.`
  return [{ line: first.index + 1, rule: "status-table", message }]
}

interface TableIn {
  readonly lines: readonly string[]
  readonly masks: readonly Mask[]
  readonly tasks: readonly Task[]
}

/** Rows below a head with a column of states, whose state is none that is settled. */
function rowsLeft(shown: readonly Line[]): readonly Line[] {
  let column = -1
  return shown.filter(({ text }, at) => {
    const isHead = isDelimiter(shown[at + 1]?.text ?? "")
    if (isHead) column = statusColumn(text)
    if (!text.includes("|")) column = -1
    return !isHead && column >= 0 && saysLeft(cellsOf(text)[column] ?? "")
  })
}

function statusColumn(head: string): number {
  return cellsOf(head).findIndex((cell) => STATUS_CELL.test(`|${cell}|`))
}

function saysLeft(cell: string): boolean {
  const { state, isKnown } = readState(cell.trim())
  return isKnown && !isOver(state)
}

function saysOver(cell: string): boolean {
  const { state, isKnown } = readState(cell.trim())
  return isKnown && isOver(state)
}

function isOver(state: TaskState | null): boolean {
  return state === "done" || state === "cancelled"
}

/** A table says so in a column, or stands below a column of a board: `## open (10)`. Of those that say that all is done, no row is work. */
function statusTables(
  shown: readonly Line[],
  headings: Blocks["headings"],
): readonly PlanWarning[] {
  const heads = shown.flatMap((line, at) => {
    if (!isDelimiter(shown[at + 1]?.text ?? "")) return []
    const column = statusColumn(line.text)
    const around = column === -1 ? stateAbove(headings, line.index) : null
    if (column === -1 && around === null) return []
    const isNothingLeft = column === -1 ? isOver(around) : areOver(shown, at + 2, column)
    return [{ ...line, isNothingLeft }]
  })
  const first = heads.find(({ isNothingLeft }) => !isNothingLeft) ?? heads[0]
  if (first === undefined) return []
  const what = first.isNothingLeft ? NOTHING_LEFT : `its rows cannot be ticked: ${AS_ROWS}`
  const message = `A table says how far things are ("${cleanTitle(first.text).slice(0, 60)}"); ${what}.`
  return [{ line: first.index + 1, rule: "status-table", message }]
}

/** Whether the rows of a table, from its first on, all say in this column that they are settled. */
function areOver(shown: readonly Line[], from: number, column: number): boolean {
  let at = from
  while (saysOver(cellsOf(shown[at]?.text ?? "")[column] ?? "")) at++
  return at > from && !(shown[at]?.text ?? "").includes("|")
}

function stateAbove(headings: Blocks["headings"], line: number): TaskState | null {
  const above = headings.findLast(({ index }) => index < line)?.text ?? ""
  return stateOfWord(headingWords(above).replace(COUNT, ""))
}
