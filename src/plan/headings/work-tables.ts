// Tables that list the work of a plan, whose rows no box can be put into.
import type { Mask } from "../blocks/blocks.ts"
import { tellsOfLater } from "../dialects/heading-roles.ts"
import { splitLabel } from "../dialects/label.ts"
import { cutLine } from "../model/lines.ts"
import { cleanTitle } from "../model/title.ts"
import { unitNumbers } from "./empty-headings.ts"
import type { Own, Role } from "./own-headings.ts"
import { stretchReader } from "./stretches.ts"

/** A table below a heading of work, the title or none: each of its rows has a number, most have a tick, or its head says that they are tasks. */
export interface WorkTable {
  /** Index of its head, from 0. */
  readonly index: number
  /** Of its rows. */
  readonly count: number
  readonly ticked: number
  /** Whether a row shows an open box: what is said of such lines says it of this one. */
  readonly showsBox: boolean
  /** What its first row begins with. */
  readonly first: string
}

const DELIMITER = /^[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t:-]*)+$/
const TICK = /[✅☑✔✓]|\[[xX]\]/u
const BOX = /[☐⬜□🔲]|\[[ \t]\]/u
/** `1`, `05`, `2. Title`; a dotted number and one with letters are ids as in a row. */
const NUMBER = /^[*_`#]{0,4}(\d{1,3})(?=[.):]?(?:[*_`\s]|$))/
/** What the head of a list of work says that its rows are. */
const UNIT =
  /^[*_ \t]*(?:tasks?|steps?|milestones?|phases?|stages?|sprints?|increments?|stor(?:y|ies)|actions?|to-?dos?|deliverables?)[*_ \t]*$/i
/** What says so wherever the table stands, if its rows are counted. */
const TASK = /^[*_ \t]*(?:tasks?|to-?dos?|user stor(?:y|ies)|stor(?:y|ies)|action items?)[*_ \t]*$/i
/** Two of a kind make a list, one does not. */
const LEAST = 2
const AT_WORK: ReadonlySet<Role> = new Set<Role>(["work", "left"])

/** Whether a line stands between a table's head and its rows. */
export function isDelimiter(line: string): boolean {
  return DELIMITER.test(line)
}

/** What stands in a table's row, cell by cell. */
export function cellsOf(row: string): readonly string[] {
  return row.trim().replace(/^\|/, "").split("|")
}

/** The first table that lists the plan's work. */
export function workTable(
  lines: readonly string[],
  headings: readonly Own[],
  masks: readonly Mask[],
): WorkTable | null {
  const isMasked = stretchReader(masks)
  const units = unitNumbers(headings)
  let order = 0
  for (let index = 1; index < lines.length; index++) {
    while ((headings[order]?.index ?? lines.length) < index) order++
    if (isMasked(index) || !isDelimiter(cutLine(lines[index] ?? ""))) continue
    const rows = rowsBelow(lines, index)
    const above = headings[order - 1]
    const head = cellsOf(cutLine(lines[index - 1] ?? ""))
    if (ruleFor(above, units)(head, rows)) return { index: index - 1, ...told(rows) }
    index += rows.length
  }
  return null
}

function rowsBelow(lines: readonly string[], delimiter: number): readonly string[] {
  const rows: string[] = []
  for (let at = delimiter + 1; (lines[at] ?? "").includes("|"); at++)
    rows.push(cutLine(lines[at] ?? ""))
  return rows
}

function isAtWork(above: Own | undefined, units: ReadonlyMap<number, string>): boolean {
  if (above === undefined || above.level === 1) return true
  return (AT_WORK.has(above.role) || units.has(above.index)) && !above.isBeside
}

/** What tells a table of work below such a heading; none is below what was done or comes later, whatever it says. */
function ruleFor(above: Own | undefined, units: ReadonlyMap<number, string>) {
  const isTitled = above !== undefined && above.level > 1
  if (isTitled && (above.isDone || tellsOfLater(above.text))) return () => false
  return isAtWork(above, units) ? listsWork : namesTasks
}

/** Below a heading of anything else: `| ID | Task |`, and an id or a number in each row. */
function namesTasks(head: readonly string[], rows: readonly string[]): boolean {
  const isNamed = head.slice(0, LEAST).some((cell) => TASK.test(cell))
  return isNamed && rows.length >= LEAST && areCounted(rows)
}

function listsWork(head: readonly string[], rows: readonly string[]): boolean {
  const shown = rows.filter((row) => TICK.test(row) || BOX.test(row)).length
  const isList = shown * 2 > rows.length || areCounted(rows)
  return rows.length >= LEAST && (isList || head.slice(0, LEAST).some((cell) => UNIT.test(cell)))
}

/** Whether the first cells count upwards, or have an id each. */
function areCounted(rows: readonly string[]): boolean {
  const names = rows.map((row) => cellsOf(row)[0]?.trim() ?? "")
  const numbers = names.map((name) => Number(NUMBER.exec(name)?.[1]))
  if (numbers.every((number, at) => number > (numbers[at - 1] ?? -1))) return true
  const ids = new Set(names.map((name) => splitLabel(name).label))
  return ids.size === rows.length && !ids.has(null)
}

function told(rows: readonly string[]): Omit<WorkTable, "index"> {
  const ticked = rows.filter((row) => TICK.test(row)).length
  const cells = cellsOf(rows[0] ?? "").slice(0, LEAST)
  const first = cleanTitle(cells.map((cell) => cell.trim()).join(" "))
  return { count: rows.length, ticked, showsBox: rows.some((row) => BOX.test(row)), first }
}
