// Rows without a box that look like tasks, in a plan that has tasks, else headings: what `--add-boxes` is for there too.
// Over 250 lines: which rows are meant, and which headings beside them, is one choice.
import {
  type Blocks,
  below,
  boxedLines,
  filledHeadings,
  type Heading,
  headingReader,
  stretchReader,
} from "../blocks/blocks.ts"
import { showsOpenBox } from "../blocks/shown-box.ts"
import { areLines } from "../boxes/box-lines.ts"
import { LEAST } from "../dialects/counting.ts"
import { tellsBesideWork, tellsOfLater } from "../dialects/heading-roles.ts"
import { splitLabel } from "../dialects/label.ts"
import { askForWork, isContents } from "../dialects/no-work.ts"
import { criteriaReader } from "../headings/criteria-labels.ts"
import { emptyHeadings } from "../headings/empty-headings.ts"
import { type Own, ownHeadings } from "../headings/own-headings.ts"
import { isStatusLine } from "../headings/status-lines.ts"
import {
  contentsOf,
  inFilledSeries,
  ownLines,
  toldTwice,
  unitOf,
  unitReader,
} from "../headings/stretches.ts"
import { cutLine } from "../model/lines.ts"
import { addTo, once } from "../model/once.ts"
import { isSettled } from "../model/plan.ts"
import { saysDone } from "../model/title.ts"
import {
  type Boxless,
  boxless,
  boxlessHeading,
  headingsWithout,
  type Looked,
  type Told,
} from "./boxless-headings.ts"
import { leftRows } from "./left-rows.ts"
import { loneIds } from "./take-key.ts"

const ROW = /^ {0,1}([-*+]|\d{1,9}[.)])[ \t]+(?=[^\s|])/
const BULLET = /^[-*+]$/
const CHECKED = /^ {0,1}[-*+][ \t]+\[[ xX]?\]\*?\s/
/** A word that no row begins with but one that is left to do. */
const LEFT_TO_DO = /^[*_]{0,2}(?:TODO|PENDING|WIP|DOING|BLOCKED|FIXME)(?![\p{L}\p{N}_-])/u

/** What has no box: lines that look like tasks, and headings that name a unit of work; of a heading and the lines below it, or the same one, the lines. */
export function linesWithout(looked: Looked) {
  const { blocks } = looked.sorted
  const empty = emptyHeadings(blocks, { ...looked, ...looked.sorted })
  const isEmpty = new Set(empty.map(({ index }) => index))
  const found = boxlessRows(looked)
  const withoutBox = (headings: readonly Heading[]) =>
    headings.map((each) => boxlessHeading(looked.lines, each))
  const rows = found.every(({ index }) => isEmpty.has(index)) ? [] : found
  if (rows.length === 0) return { rows, headings: withoutBox(empty) }
  const held = new Set([...rows.map(({ index }) => index), ...filledHeadings(empty, rows)])
  const named = new Set(rows.map(({ title }) => unitOf(title)))
  const isInSeries = inFilledSeries(blocks)
  const isBeside = (each: Heading) =>
    isInSeries(each) && !(held.has(each.index) || named.has(unitOf(each.text)))
  return { rows, headings: withoutBox(empty.filter(isBeside)) }
}

/**
 * Lines without a box that look like tasks, where most of what the plan counts is not among its tasks, or all of these are
 * settled: numbered rows, rows with an id or among rows with a box; else headings with an id that hold no row. What
 * stands below a heading such as Risks, or below one that is a task, is none of these.
 */
function boxlessRows(looked: Looked): readonly Boxless[] {
  const { tasks, elements, sorted } = looked
  if (tasks.length === 0 || elements !== null) return []
  const isOver = tasks.every(isSettled)
  const isAside = ({ text }: Heading) => tellsBesideWork(text) || tellsOfLater(text)
  const taken = once(() => new Set(tasks.flatMap(({ label }) => label?.toLowerCase() ?? [])))
  const beside = once(() => [
    ...below(sorted.blocks.headings, isAside),
    ...ownLines(sorted.blocks, tasks),
    ...toldTwice(sorted.blocks, sorted.units),
  ])
  const isChosen = once(() => areLines(tasks, looked.chosen()))
  const told = { isOver, beside, taken, isChosen }
  const rows = rowsWithout(looked, told)
  const headings = once(() => headingsWithout(looked, told))
  const found = isPattern(rows) ? rows : headings()
  const work = tasks.filter(({ section }) => section !== "final-wave")
  if (!isOver) {
    if (isPattern(found) && found.length > work.length) return found
    const isNext = ({ isOfSeries, isDone }: Boxless) => isOfSeries === true && !isDone
    return rows.some(isNext) ? rows.filter(isNext) : headings().filter(isNext)
  }
  const some = [found, rows].find((each) => each.length > 0) ?? []
  return some.every(({ isDone }) => isDone) ? [] : some
}

function isPattern(found: readonly Boxless[]): boolean {
  return found.length >= LEAST || found.some(({ isAmong }) => isAmong)
}

function rowsWithout(looked: Looked, told: Told): readonly Boxless[] {
  const { isOver, beside, taken } = told
  const { lines, sorted, masks } = looked
  const { blocks, entries } = sorted
  const isTaken = (label: string | undefined) => label !== undefined && taken().has(label)
  const hidden = once(() =>
    stretchReader([
      ...masks,
      ...beside(),
      ...below(blocks.headings, ({ index }) => {
        return sorted.detailed.has(index) || isTaken(sorted.units.get(index))
      }),
    ]),
  )
  const contents = once(() => contentsOf(blocks))
  // A row with a box is never said to have none, even outside the sections.
  const isRead = boxedLines(blocks.rows, entries)
  const left = isOver ? leftRows(lines, blocks) : new Set<number>()
  const judging = once(() => criteriaReader(lines, blocks.headings))
  const isOwn = ({ index, label, number, title }: Labelled) =>
    !(hidden()(index) || isTaken(label) || judging()(index)) &&
    !(contents()(title, number) && !left.has(index)) &&
    showsOpenBox(cutLine(lines[index] ?? "")) === null
  const found: Labelled[] = []
  let listed = ""
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? ""
    if (isInside(line)) continue
    listed = markerOf(line, listed)
    if (line === "" || isRead(index)) continue
    const row = rowOn(line, index, { listed, isLeft: left.has(index) })
    if (row !== null && isOwn(row)) found.push(row)
  }
  if (found.length === 0) return found
  const meant = withoutRules(
    withoutLoneIds(withoutHeads(found, lines, isRead), taken),
    looked,
    told,
  )
  const unitAt = unitReader(sorted.blocks, sorted.units)
  const named = meant.map((row) => {
    const unit = row.isTold ? undefined : unitAt(row.index)
    return unit === undefined ? row : boxlessHeading(lines, unit)
  })
  return named.filter(({ index }, at) => named[at - 1]?.index !== index)
}

/** Without `1. Backend` right in front of rows: several such lines are the headings of these. */
function withoutHeads(
  found: readonly Labelled[],
  lines: readonly string[],
  isRead: (index: number) => boolean,
): readonly Labelled[] {
  const leads = ({ index, isTold }: Labelled) => {
    let next = index + 1
    while (lines[next]?.trim() === "") next++
    return !isTold && isRead(next)
  }
  const heads = new Set(found.filter(leads))
  return heads.size < LEAST ? found : found.filter((row) => !heads.has(row))
}

/** Without what only a word with a digit tells as a task, of which there is no other: `H1 and its results stay`, `**I18n** — nine languages`. */
function withoutLoneIds(found: readonly Labelled[], taken: Told["taken"]): readonly Labelled[] {
  const isLone = loneIds(() => [...taken(), ...found.map(({ label }) => label)])
  return found.flatMap((row) => {
    if (row.isMeant || !isLone(row.label)) return [row]
    return row.isBullet ? [] : [{ ...row, label: "", isTold: false }]
  })
}

/**
 * Without rows that have nothing but a number, where the tasks are just what would get boxes if nothing had one, where all of a list are
 * done, or below a heading that tells of no work, where most of them ask for nothing to be done: numbers count rules and reasons as
 * often as tasks. What is left to do is always said.
 */
function withoutRules(
  found: readonly Labelled[],
  looked: Looked,
  { isChosen }: Told,
): readonly Labelled[] {
  const headings = ownHeadings(looked.sorted.blocks.headings, looked.lines)
  const lists = new Map<Own | undefined, Labelled[]>()
  const above = headingReader(headings)
  for (const row of found) {
    const heading = above(row.index)
    if (!(row.isTold || heading?.role === "left")) addTo(lists, heading, row)
  }
  const { blocks, units } = looked.sorted
  const boxless = unitsBeside(blocks, units)
  const isUnit = (heading: Own | undefined) => heading !== undefined && boxless.has(heading.index)
  // Where a heading names the work, a list below another is no more than what its verbs say of it.
  const isNamed = [...lists.keys()].some((heading) => heading?.role === "work")
  const rules = [...lists].filter(([heading, list]) => {
    if (isChosen() || list.every(({ isDone }) => isDone)) return true
    const mayBeRules = heading !== undefined && heading.level > 1 && heading.role !== "work"
    if (isUnit(heading)) return false
    const isSure = isNamed && !units.has(heading?.index ?? -1)
    return (
      mayBeRules &&
      !askForWork(
        list.map(({ title }) => title),
        isSure,
      )
    )
  })
  const out = new Set(rules.flatMap(([, list]) => list))
  const ofUnits = new Set([...lists].flatMap(([heading, list]) => (isUnit(heading) ? list : [])))
  return found.flatMap((row) =>
    out.has(row) ? [] : [ofUnits.has(row) ? { ...row, isOfSeries: true } : row],
  )
}

/** The lines of units without any box beside others of their series that have some, `Phase 2` beside `Phase 1`, where no more of them have none. */
function unitsBeside(blocks: Blocks, units: ReadonlyMap<number, string>): ReadonlySet<number> {
  const filled = filledHeadings(blocks.headings, blocks.rows)
  const isInSeries = inFilledSeries(blocks)
  const named = blocks.headings.filter((each) => units.has(each.index) && isInSeries(each))
  const isLeft = ({ index, isRow, text }: Heading) =>
    !(isRow || filled.has(index) || saysDone(text))
  const left = named.filter(isLeft)
  return new Set(left.length * 2 > named.length ? [] : left.map(({ index }) => index))
}

interface Labelled extends Boxless {
  /** In lower case; empty for none. */
  readonly label: string
  /** The same, or the number that a list gives. */
  readonly number: string
  /** Whether it has more than the number of its list to tell it as a task, */
  readonly isTold: boolean
  /** and more than an id. */
  readonly isMeant: boolean
  readonly isBullet: boolean
}

interface Among {
  /** The bullet of the list with boxes that the line stands in; empty for none. */
  readonly listed: string
  /** Whether it is said to be left to do. */
  readonly isLeft: boolean
}

/** What looks like a task on a line at the margin: a numbered row, one with an id and words, or one of a list with boxes. */
function rowOn(line: string, index: number, { listed, isLeft }: Among): Labelled | null {
  const [prefix, marker = ""] = ROW.exec(line) ?? []
  if (prefix === undefined || isStatusLine(line) || isContents(cutLine(line))) return null
  const words = cutLine(line).slice(prefix.length)
  const { label, rest } = splitLabel(words)
  const isAmong = marker === listed
  const isMeant = isAmong || isLeft || LEFT_TO_DO.test(words)
  const isTold = label !== null || isMeant
  const isBullet = BULLET.test(marker)
  if ((!isTold && isBullet) || (label !== null && rest === "")) return null
  const id = label?.toLowerCase() ?? ""
  const number = id === "" ? marker.slice(0, -1) : id
  const row = boxless(index, prefix.length, words)
  return { ...row, label: id, number, isAmong, isTold, isMeant, isBullet }
}

const [TAB, BLANK] = [0x09, 0x20]

/** Whether a line stands further in than any row at the margin, as most lines of a plan do. */
function isInside(line: string): boolean {
  const first = line.charCodeAt(0)
  return first === TAB || (first === BLANK && line.charCodeAt(1) === BLANK)
}

/** The bullet of a list with boxes that this line goes on with; empty for a line of none. */
function markerOf(line: string, listed: string): string {
  if (line === "") return ""
  if (CHECKED.test(line)) return line.trimStart().charAt(0)
  return listed !== "" && ROW.exec(line)?.[1] === listed ? listed : ""
}
