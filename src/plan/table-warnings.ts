// Finds the tables of a plan, whose rows cannot be ticked, and says so.
import { type Mask, type Stretch, stretchReader } from "./blocks/blocks.ts"
import { LEAST } from "./dialects/counting.ts"
import type { BoxSpot } from "./headings/own-headings.ts"
import { cutLine } from "./model/lines.ts"
import { addTo } from "./model/once.ts"
import { type IgnoredLine, isSettled, type PlanWarning, type Task } from "./model/plan.ts"
import { namedTitle } from "./model/title.ts"

/** The tables with one head. */
export interface Tables {
  readonly head: string
  /** From the first row to the last of each. */
  readonly bodies: readonly Stretch[]
  readonly rowCount: number
}

interface TablesOf {
  readonly lines: readonly string[]
  readonly masks: readonly Mask[]
  readonly tasks: readonly Task[]
}

const DELIMITER = /^[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t:-]*)+$/
const LINK = /\[([^[\]]{1,200})\]\([^()\s]{1,400}\)/g
/** How many heads are reported, and how many lines of each. */
const MAX_TOLD = 4
const MAX_LINES = 3

/**
 * In a plan with nothing left to run, the tables outside its tasks, except a legend, longest first; tables with the same head count as one,
 * and a table with a single row does not count.
 */
export function toldTables(
  { lines, masks, tasks }: TablesOf,
  ignored: readonly IgnoredLine[],
  inTasks: () => readonly Stretch[],
): readonly Tables[] {
  if (!tasks.every(isSettled)) return []
  const isApart = stretchReader([...masks, ...inTasks()])
  const legend = new Set(ignored.flatMap(({ line, reason }) => (reason === "legend" ? line : [])))
  const byHead = new Map<string, Stretch[]>()
  for (const { at, body } of tablesIn(lines)) {
    if (isApart(body.from) || legend.has(body.from + 1)) continue
    addTo(byHead, cellsIn(lines[at] ?? "") || cellsIn(lines[body.from] ?? ""), body)
  }
  const found = [...byHead].map(([head, bodies]) => ({
    ...{ head, bodies },
    rowCount: bodies.reduce((sum, { from, to }) => sum + to + 1 - from, 0),
  }))
  return found
    .filter(({ rowCount }) => rowCount >= LEAST)
    .sort((one, other) => other.rowCount - one.rowCount)
}

/** The tables that have a row: the line of the head, and the rows. */
export function* tablesIn(
  lines: readonly string[],
): Generator<{ at: number; body: Stretch }, void> {
  for (let index = 1; index < lines.length; index++) {
    const line = lines[index] ?? ""
    if (!line.includes("|") || !DELIMITER.test(cutLine(line))) continue
    const [at, from] = [index - 1, index + 1]
    while (lines[index + 1]?.includes("|") === true) index++
    if (lines[at]?.includes("|") === true && index >= from) yield { at, body: { from, to: index } }
  }
}

function cellsIn(line: string): string {
  const cells = cutLine(line).replace(LINK, "$1").split("|")
  return cells.flatMap((cell) => cell.trim() || []).join(" | ")
}

/** What to say about such tables. */
export function tableWarning(told: readonly Tables[]): readonly PlanWarning[] {
  const [longest] = told
  if (longest === undefined) return []
  const more = told.slice(MAX_TOLD).reduce((sum, { bodies }) => sum + bodies.length, 0)
  const rest = more === 0 ? "" : `, and ${more} more ${more === 1 ? "table" : "tables"}`
  const all = told.slice(0, MAX_TOLD).map(wordsOf).join(", ")
  // The line of a single table is shown before the message.
  const tables = told.length > 1 ? all : all.replace(/^line \d+ /, "")
  const message = `Rows of a table cannot be ticked and are not run: ${tables}${rest}. Write each row that is a task as a list row with a box, \`- [ ] 1. Title\`.`
  return [{ line: headLine(longest.bodies[0]), rule: "table-rows", message }]
}

function wordsOf({ head, bodies, rowCount }: Tables): string {
  const lines = `${bodies.length === 1 ? "line" : "lines"} ${bodies.slice(0, MAX_LINES).map(headLine).join(", ")}`
  const more = bodies.length > MAX_LINES ? ", …" : ""
  return `${lines}${more} "${namedTitle(head, 60)}" (${rowCount} rows)`
}

function headLine(body: Stretch | undefined): number {
  return (body?.from ?? 0) - 1
}

/**
 * The ignored lines without rows of reported tables and lines that get a box: other messages say more about them than that they are no list
 * rows.
 */
export function withoutRows(
  ignored: readonly IgnoredLine[],
  told: readonly Tables[],
  spots: readonly BoxSpot[],
): readonly IgnoredLine[] {
  const named = told.slice(0, MAX_TOLD).flatMap(({ bodies }) => bodies)
  const boxed = spots.map(({ index }) => ({ from: index, to: index }))
  const isSaid = stretchReader([...named, ...boxed])
  return ignored.filter(({ line }) => !isSaid(line - 1))
}
