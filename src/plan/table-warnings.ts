// Tables that list the work of a plan and cannot be ticked, and what is said of them.

import type { WithoutTask } from "./boxes/box-lines.ts"
import { splitLabel } from "./dialects/label.ts"
import type { BoxSpot } from "./headings/own-headings.ts"
import type { TableRow, WorkTable } from "./headings/work-tables.ts"
import { once } from "./model/once.ts"
import { type IgnoredLine, isSettled, type PlanWarning, type Task } from "./model/plan.ts"
import { namedTitle, plainTitle } from "./model/title.ts"

/** `Base - the folders`, `Base (1 plan)`. */
const EXPLAINED = /[ \t]+(?:[—–-][ \t]|[(（])|[:：][ \t]/
/** `Wave 0: `, `4.1 `. */
const NUMBER = /^(?:\p{L}{1,20}[ \t]+)?\d[\d.]{0,8}[):：]?[ \t]+(?:[—–-][ \t]+)?/u
const AS_ROWS =
  "rows of a table cannot be ticked; write each that is a task as a row with a box, `- [ ] 1. Title`"
/**
 * The tables of work that a plan is told of, none of whose rows can be ticked: of one without a task all that have something left, or
 * else that they are done, but no overview of the headings that may be the work (so many are `chosen`);
 * of one all of whose tasks are settled those with a row that says itself that it is not done.
 */
export function toldTables(
  { tasks, tables, headings }: TablesOf,
  chosen: number,
): readonly WorkTable[] {
  if (tasks.some((task) => !isSettled(task))) return []
  const named = once(() => new Set(headings.map(({ text }) => nameIn(text.replace(NUMBER, "")))))
  // As many rows as headings may be the work, or rows that headings are called by.
  const isOverview = ({ rows }: WorkTable) =>
    rows.length === chosen || rows.some(({ name }) => named().has(nameIn(name.replace(NUMBER, ""))))
  const found = tables().filter((table) => {
    return table.saysStates || tasks.length > 0 || chosen === 0 || !isOverview(table)
  })
  const open = found.filter((table) => leftIn(table, tasks).length > 0)
  return open.length > 0 || tasks.length > 0 ? open : found
}

interface TablesOf extends Pick<WithoutTask, "tables" | "headings"> {
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
