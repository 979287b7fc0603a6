// Tables that list the work of a plan, whose rows no box can be put into.

import { headingReader, type Mask, stretchReader } from "../blocks/blocks.ts"
import { LEAST } from "../dialects/counting.ts"
import {
  introduces,
  tellsOfLater,
  tellsWhatIsLeft,
  tellsWhatIsNotDone,
} from "../dialects/heading-roles.ts"
import { headingWords } from "../dialects/heading-words.ts"
import { splitLabel } from "../dialects/label.ts"
import { isOfUnits, isUnit, signsIn } from "../dialects/table-heads.ts"
import {
  type CellRow,
  calledColumn,
  isFilled,
  saysLeft,
  stateColumn,
} from "../dialects/table-states.ts"
import { unitNumbers } from "../dialects/unit-names.ts"
import { cutLine } from "../model/lines.ts"
import { once } from "../model/once.ts"
import { isSettledState } from "../model/plan.ts"
import { stateOfWord } from "../model/state-words.ts"
import { cleanTitle, isOfWords, plainTitle, saysDone } from "../model/title.ts"
import type { Own, Role } from "./own-headings.ts"

/** A row of such a table. */
export interface TableRow {
  /** Index of its line, from 0. */
  readonly index: number
  /** What it begins with. */
  readonly name: string
  /** What it says itself, or the heading above for it; null where neither does. */
  readonly isLeft: boolean | null
}

/**
 * A table with a column of states; or one below a heading of work, the title or none, each of whose rows has a number or
 * a state, or whose head says that they are tasks.
 */
export interface WorkTable {
  /** Index of its head, from 0. */
  readonly index: number
  readonly rows: readonly TableRow[]
  /** Whether a column or its heading says the states of its rows. */
  readonly saysStates: boolean
}

const DELIMITER = /^[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t:-]*)+$/
/** `1`, `05`, `2. Title`; a dotted number and one with letters are ids as in a row. */
const NUMBER = /^[*_`#]{0,4}(\d{1,3})(?=[.):]?(?:[*_`\s]|$))/
/** So many signs of it make a table one of work. */
const SURE = 3
/** How many there are, behind a heading, or in which version. */
const COUNT = /[ \t]*[([（]v?\d{1,6}(?:\.\d{1,4}){0,3}[)\]）]?$/i
const LINK = /\[([^[\]]{1,200})\]\([^()\s]{1,400}\)/g
const BOLD = /^(?:\*\*|__)/
/** What counts the rows above it. */
const TOTAL =
  /^[*_ \t]*(?:(?:grand |sub-?)?totals?|totale|gesamt|summe|suma|итого|всего|razem|toplam|合计|合計|总计|總計|小计|小計|합계|소계)[*_:： \t]*$/iu
/** A check sign as HTML writes it. */
const CHECK = /&(?:#1000[34]|#9989|check(?:mark)?);/g
const LETTER = /[\p{L}\p{N}]/u
const A_WORD = /\p{L}{2}/u
/** What a row begins with. */
const NAMES = 2
/** More columns are no list of work, and too many to look at. */
const MAX_CELLS = 20
const AT_WORK: ReadonlySet<Role> = new Set<Role>(["work", "left"])

/** The tables that list the plan's work, in their order. */
export function workTables(
  lines: readonly string[],
  own: () => readonly Own[],
  masks: readonly Mask[],
): readonly WorkTable[] {
  const isMasked = stretchReader(masks)
  const headings = once(own)
  const units = once(() => unitNumbers(headings()))
  const found: Table[] = []
  const headingAbove = once(() => headingReader(headings()))
  for (let index = 1; index < lines.length; index++) {
    const line = lines[index] ?? ""
    if (!line.includes("|") || isMasked(index) || !DELIMITER.test(cutLine(line))) continue
    const above = headingAbove()(index)
    const [head, all] = [cellsOf(lines[index - 1] ?? ""), rowsBelow(lines, index)]
    const rows = all.filter(
      ({ cells }) => !(isGroup(cells, head.length) || TOTAL.test(cells[0] ?? "")),
    )
    const place = placeOf(above, units())
    const column = stateColumn(head, rows, place === "work")
    found.push({ index: index - 1, head, rows, above, place, column })
    index += all.length
  }
  return withLikeHeads(found).flatMap((read) => tableOf(read) ?? [])
}

/** A column of states is one in each table of the same head, also where its words are not known. */
function withLikeHeads(found: readonly Table[]): readonly Table[] {
  const nameOfHead = ({ head }: Table) => head.join("|").toLowerCase()
  const known = new Set(found.flatMap((read) => (read.column === null ? [] : [nameOfHead(read)])))
  return found.map((read) =>
    read.column === null && known.has(nameOfHead(read))
      ? { ...read, column: calledColumn(read.head) }
      : read,
  )
}

interface Row extends CellRow {
  readonly index: number
}

interface Table {
  readonly index: number
  readonly head: readonly string[]
  readonly rows: readonly Row[]
  readonly above: Own | undefined
  readonly place: Place
  /** The column that says states. */
  readonly column: number | null
}

/** What its heading makes of a table: a list of work, perhaps one, or none, whatever its rows say. */
type Place = "work" | "other" | "none"

function cellsOf(line: string): readonly string[] {
  const bare = cutLine(line).trim().replace(/^\|/, "").replace(/\|$/, "")
  const plain = bare.replace(LINK, "$1").replace(CHECK, "✔")
  return plain.split("|", MAX_CELLS).map((cell) => cell.trim())
}

function rowsBelow(lines: readonly string[], delimiter: number): readonly Row[] {
  const rows: Row[] = []
  for (let index = delimiter + 1; (lines[index] ?? "").includes("|"); index++)
    rows.push({ index, cells: cellsOf(lines[index] ?? "") })
  return rows
}

/** A row with a single cell names a group of those below it, unless only a state may be missing beside it. */
function isGroup(cells: readonly string[], columns: number): boolean {
  const filled = cells.filter(isFilled).length
  return filled === 0 || (filled === 1 && (columns !== 2 || BOLD.test(cells[0] ?? "")))
}

function placeOf(above: Own | undefined, units: ReadonlyMap<number, string>): Place {
  if (above === undefined || above.level === 1) return "work"
  if (above.isDone || tellsOfLater(above.text) || tellsWhatIsNotDone(above.text)) return "none"
  const isWork = AT_WORK.has(above.role) || units.has(above.index)
  return isWork && !above.isBeside ? "work" : "other"
}

function tableOf(read: Table): WorkTable | null {
  const { index, head, rows, above, place } = read
  const around = read.column === null ? saysLeftAbove(above, place) : null
  const saysStates = read.column !== null || around !== null
  if (rows.length === 0 || !(saysStates || isListed(read))) return null
  const column = read.column ?? calledColumn(head)
  const isLeft = ({ cells }: Row) => {
    const said = column === null ? null : saysLeft(cells[column] ?? "")
    if (column !== null && !isFilled(cells[column] ?? "")) return true
    const isDone = column === null && namesOf(cells).some(saysDone)
    return said ?? (isDone || above?.isDone === true ? false : around)
  }
  return {
    index,
    rows: rows.map((row) => ({
      index: row.index,
      name: nameOf(row.cells.filter((_, at) => at !== column)),
      isLeft: isLeft(row),
    })),
    saysStates,
  }
}

function namesOf(cells: readonly string[]): readonly string[] {
  return cells.slice(0, NAMES)
}

/** Its first cells, up to one of several words. */
function nameOf(cells: readonly string[]): string {
  const first = cells.filter((cell) => LETTER.test(cell)).slice(0, NAMES + 1)
  const worded = first.findIndex((cell) => isOfWords(plainTitle(cell)))
  return cleanTitle(first.slice(0, worded === -1 ? NAMES : worded + 1).join(" "))
}

/** Whether a table that says no states lists work: at a place of work by numbers or a head of units, and anywhere by what its head says. */
function isListed({ head, rows, place, above }: Table): boolean {
  if (rows.length < LEAST || place === "none") return false
  const isCounted = areCounted(rows)
  if (signsOfWork({ head, rows, above }, isCounted) >= SURE) return true
  return place === "work" && (isCounted || namesOf(head).some(isUnit))
}

/** What its head says, its numbers, and whether its heading tells of something else; none where what names its rows is no work. */
function signsOfWork(
  { head, rows, above }: Pick<Table, "head" | "rows" | "above">,
  isCounted: boolean,
): number {
  const signs = signsIn(head, (at) => holdsWords(rows, at))
  if (signs === null) return 0
  const isBeside = above?.role === "beside" && !introduces(above.text) && !isOfUnits(above.text)
  return signs + Number(isCounted) - Number(isBeside)
}

function holdsWords(rows: readonly Row[], column: number): boolean {
  return rows.filter(({ cells }) => A_WORD.test(cells[column] ?? "")).length * 2 > rows.length
}

/** Whether the first cells count upwards, or have an id each. */
function areCounted(rows: readonly Row[]): boolean {
  const names = rows.map(({ cells }) => cells[0] ?? "")
  const numbers = names.map((name) => Number(NUMBER.exec(name)?.[1]))
  if (numbers.every((number, at) => number > (numbers[at - 1] ?? -1))) return true
  const ids = new Set(names.map((name) => splitLabel(name).label))
  return ids.size === rows.length && !ids.has(null)
}

/** Below a column of a board, `## open (10)`, and below a heading of what is left the rows have its state. */
function saysLeftAbove(above: Own | undefined, place: Place): boolean | null {
  if (above === undefined) return null
  const state = stateOfWord(headingWords(above.text).replace(COUNT, ""))
  if (state !== null) return !isSettledState(state)
  return place === "work" && tellsWhatIsLeft(above.text) ? true : null
}
