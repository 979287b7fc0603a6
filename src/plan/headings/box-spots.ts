// Where boxes go in a plan without a task: before its headings or its numbered rows.
// Over 250 lines: headings and rows are chosen from together, and share what a row knows of the heading above.

import {
  type Blocks,
  boxedLines,
  headingReader,
  type Mask,
  placeOf,
  stretchReader,
} from "../blocks/blocks.ts"
import { LEAST } from "../dialects/counting.ts"
import { shownFirst } from "../dialects/first-sign.ts"
import { mayTellOfWork, tellsBesideWork, tellsOfWork } from "../dialects/heading-roles.ts"
import { BEFORE_NAME, numberedWords } from "../dialects/heading-words.ts"
import { askForWork, isContents } from "../dialects/no-work.ts"
import { cutLine } from "../model/lines.ts"
import { addTo } from "../model/once.ts"
import type { Task } from "../model/plan.ts"
import { saysDone } from "../model/title.ts"
import { criteriaReader } from "./criteria-labels.ts"
import { hasNumber, holdsPlan, numberedHeadings } from "./numbered-headings.ts"
import { type BoxSpot, type Own, type OwnLines, ownHeadings, type Role } from "./own-headings.ts"
import { calledBy, loneTask, onCommonLevel, unitHeadings } from "./units-of-work.ts"
import type { WorkTable } from "./work-tables.ts"

/** What gets the boxes of a plan that has none. */
export interface BoxSpots {
  readonly kind: "headings" | "rows"
  readonly spots: readonly BoxSpot[]
  /** Whether no heading says that they are work. */
  readonly isGuess: boolean
}

/** What is known of a plan that has no task. */
export interface WithoutTask extends OwnLines, Pick<Blocks, "rows" | "headings"> {
  readonly masks: readonly Mask[]
  /** The tables that list its work. */
  readonly tables: () => readonly WorkTable[]
}

/** `A1. Title`, `M0 — Title`, `3.1 M1: Title`, `APP-14 — Title`; Q1 is a quarter or a question, V1 a version. */
const LETTERED = new RegExp(
  `^(?:\\d+(?:\\.\\d+)*[ \\t]+)?(?![QV]\\d)(?:[A-Z]{1,2}|[A-Z]{2,6}-)\\d{1,3}${BEFORE_NAME}[ \\t]*\\S`,
)
const MAX_LENGTH = 200
/** A row of a numbered list at the margin that begins with words. */
const ROW = /^ ?\d{1,9}[.)][ \t]+(?![-+*>][ \t]|#{1,6}[ \t]|\d{1,9}[.)][ \t]|```|~~~)(?=\S)/

/**
 * The lines that get a box in a plan without a task: headings such as "Task 1" or "Step 1", else rows that count on through headings such as "P0 — Title", else these, else the numbered rows below
 * a heading that speaks of work, else headings with a number, else the numbered rows below other headings, where most ask
 * for something to be done, else a single heading "Task 1". Rules, a document's own sections, versions and what comes after the plan get none, nor what has a box.
 */
export function* likelySpots({
  lines,
  own: ownOf,
  rows: read,
  masks,
}: Omit<WithoutTask, "tables">): Generator<BoxSpots, void> {
  const own = ownOf()
  const work = own.filter(({ isBeside }) => !isBeside)
  const isBoxed = boxedLines(read)
  const rows = numberedRows(lines, own, masks)
  const numbered = numberedHeadings(own)
  const isWithin = withinReader(own, numbered.all)
  const free = rows.filter(({ heading, role }) => role === "left" || !isWithin(heading))
  const isPlaced = besideSpoken(free)
  const ofWork = free.filter(
    (each) => each.role === "left" || each.role === "work" || isPlaced(each),
  )
  const choices: (() => BoxSpots)[] = [
    () => asHeadings(withSiblings(unitHeadings(own), numbered.all, own)),
    () => ofRows(countingThrough(rows, onCommonLevel(lettered(work, rows))), () => true),
    () => ofHeadings(lettered(work, rows)),
    () => ofRows(ofWork, (each) => isRightBelow(each) || isPlaced(each)),
    () => ofHeadings(numbered.below),
    () => ofRows(ofWork, () => true),
    () => ofHeadings(numbered.all),
    () => ({ ...ofRows(asking(rows), () => true), isGuess: true }),
    () => ({ ...ofRows(rows, ({ role, isDone }) => role === "left" || isDone), isGuess: true }),
    () => ({ ...ofHeadings(testHeadings(own, work)), isGuess: true }),
    () => ({ ...asHeadings(loneTask(work)), isGuess: true }),
  ]
  for (const choose of choices) {
    const chosen = choose()
    const found = { ...chosen, spots: chosen.spots.filter(({ index }) => !isBoxed(index)) }
    if (found.spots.length >= (choose === choices.at(-1) ? 1 : LEAST)) yield found
  }
}

/** The likeliest of these; none where tables of work say more than a guess. */
export function boxSpots(read: WithoutTask): BoxSpots | null {
  const [found] = likelySpots(read)
  return found === undefined || (found.isGuess && read.tables().length > 0) ? null : found
}

const BOX = /\[[ xX]\][ \t]/

/** The indexes of the lines that would get a box if no task had one: what was left out then is left out for good. */
export function chosenLines(
  { lines, masks, tables }: Omit<WithoutTask, "own" | "rows" | "headings">,
  headings: Blocks["headings"],
  tasks: readonly Task[],
): ReadonlySet<number> {
  const bare = [...lines]
  for (const { line } of tasks) bare[line - 1] = (bare[line - 1] ?? "").replace(BOX, "")
  const own = () => ownHeadings(headings, bare)
  const spots = boxSpots({ lines: bare, own, rows: [], headings, masks, tables })?.spots ?? []
  return new Set(spots.map(({ index }) => index))
}

/** Whether the tasks are those of these lines, by their indexes, and no others. */
export function areLines(tasks: readonly Pick<Task, "line">[], lines: Iterable<number>): boolean {
  const wanted = new Set(lines)
  return wanted.size === tasks.length && tasks.every(({ line }) => wanted.has(line - 1))
}

/** Headings with an id, but none that stands beside a heading of rows that are the work: `### M1.1 Gate` beside `### Tasks`. */
function lettered(work: readonly Own[], rows: readonly NumberedRow[]): readonly Own[] {
  const places = new Set<number>()
  for (const { heading } of rows) {
    const isWork = heading?.role === "work" || heading?.role === "left"
    if (isWork && !isLettered(heading) && heading.parent !== -1) places.add(heading.parent)
  }
  return work.filter((each) => isLettered(each) && !places.has(each.parent))
}

function isLettered({ text }: Own): boolean {
  return LETTERED.test(numberedWords(text))
}

/** `Test 1`, `Test 2`: beside work they tell how it is looked at, and are the work of a checklist or plan that has no other. */
function testHeadings(all: readonly Own[], work: readonly Own[]): readonly Own[] {
  return all.some(({ role }) => role === "title") ? calledBy("test", work) : []
}

/** Tells whether a heading has a number and stands among these, or below one that does: what is listed there are its details. */
function withinReader(
  own: readonly Own[],
  series: readonly Own[],
): (heading: Own | undefined) => boolean {
  const places = new Set(series.map(placeOf))
  const within = new Set<number>()
  for (const each of own) {
    const isOne = hasNumber(each) && places.has(placeOf(each)) && !holdsPlan(each)
    if (isOne || within.has(each.parent)) within.add(each.index)
  }
  return (heading) => heading !== undefined && within.has(heading.index)
}

/** Units with the numbers beside those that hold them, `## 3. Title` beside `## 2. Title` with `### Step 2a`; none where one of these is called after its units, `## 4. Steps`. */
function withSiblings(
  spots: readonly Own[],
  numbered: readonly Own[],
  own: readonly Own[],
): readonly Own[] {
  const units = new Set(spots.map(({ index }) => index))
  const around = new Set<number>()
  for (const { index, parent } of own.toReversed())
    if (units.has(index) || around.has(index)) around.add(parent)
  const holding = numbered.filter(({ index }) => around.has(index))
  if (holding.length < LEAST || holding.some(({ text }) => tellsOfWork(text))) return spots
  for (const { index, text } of numbered)
    if (!(around.has(index) || tellsBesideWork(text))) units.add(index)
  return own.filter(({ index }) => units.has(index))
}

/**
 * Tells of rows at the place of those that their own heading calls the work, `### P0` beside `### P2 (Backlog)`: below one and
 * the same heading of work, or beside what is left where most ask for something to be done.
 */
function besideSpoken(rows: readonly NumberedRow[]): (row: NumberedRow) => boolean {
  const placesOf = (found: readonly NumberedRow[]) =>
    new Set(found.flatMap(({ heading }) => (heading === undefined ? [] : [placeOf(heading)])))
  const spoken = placesOf(rows.filter(isRightBelow))
  const left = placesOf(rows.filter(({ role }) => role === "left"))
  const asked = new Set(left.size === 0 ? [] : asking(rows))
  return (row) => {
    const { heading, role } = row
    if (heading === undefined || tellsBesideWork(heading.text)) return false
    const at = placeOf(heading)
    return (role === "work" && spoken.has(at)) || (asked.has(row) && left.has(at))
  }
}

/** Rows whose own heading, and not one around it, says that they are the work. */
function isRightBelow({ heading, role }: NumberedRow): boolean {
  if (role === "left" || heading === undefined) return role === "left"
  return tellsOfWork(heading.text) && !tellsBesideWork(heading.text)
}

function asHeadings(spots: readonly Own[]): BoxSpots {
  return { kind: "headings", isGuess: false, spots }
}

function ofHeadings(headings: readonly Own[]): BoxSpots {
  return asHeadings(onCommonLevel(headings))
}

interface NumberedRow extends BoxSpot {
  /** Of the heading above. */
  readonly heading: Own | undefined
  readonly role: Role
  readonly isDone: boolean
  /** Its number with the sign behind it. */
  readonly number: string
  readonly words: string
}

function numberedRows(
  lines: readonly string[],
  headings: readonly Own[],
  masks: readonly Mask[],
): readonly NumberedRow[] {
  const isMasked = stretchReader(masks)
  const isJudging = criteriaReader(lines, headings)
  const above = headingReader(headings)
  return lines.flatMap((line, index) => {
    const at = isMasked(index) ? undefined : ROW.exec(cutLine(line))?.[0].length
    if (at === undefined || isJudging(index)) return []
    const heading = above(index)
    const { role = null, isDone = false } = heading ?? {}
    if (role !== "work" && role !== "left" && isContents(cutLine(line))) return []
    const [number, words] = [line.slice(0, at).trim(), line.slice(at, at + MAX_LENGTH)]
    return [{ index, at, heading, role, isDone, number, words }]
  })
}

/** The rows below headings each of which holds some, where they count on from the first to the last and most ask for something to be done: the smaller unit. */
function countingThrough(
  rows: readonly NumberedRow[],
  headings: readonly Own[],
): readonly NumberedRow[] {
  const known = new Set<Own | undefined>(headings)
  const own = rows.filter(({ heading }) => known.has(heading))
  const isCounted = own.every(({ number }, at) => Number.parseInt(number, 10) === at + 1)
  const holding = new Set(own.map(({ heading }) => heading)).size
  const isOne = isCounted && holding >= LEAST && holding === headings.length
  return isOne && askForWork(own.map(({ words }) => words)) ? own : []
}

/** Rows below no heading but a title, unless two lists stand in one, and those of lists of one count, one row of which says its state, or most of which ask for something to be done. */
function asking(rows: readonly NumberedRow[]): readonly NumberedRow[] {
  const lists = new Map<Own | undefined, NumberedRow[]>()
  for (const row of rows) addTo(lists, row.heading, row)
  const counted: { readonly lists: (readonly NumberedRow[])[]; last: NumberedRow | undefined }[] =
    []
  for (const list of lists.values()) {
    const before = counted.at(-1)
    const last = list.at(-1)
    if (before === undefined || !countsOn(before.last, list[0]))
      counted.push({ lists: [list], last })
    else {
      before.lists.push(list)
      before.last = last
    }
  }
  return counted.flatMap((each) => (each.lists.some(mayBeWork) ? each.lists.flat() : []))
}

/** `4.` behind `3.`, below headings of one level that tell of work alike. */
function countsOn(last: NumberedRow | undefined, first: NumberedRow | undefined): boolean {
  if (last?.heading === undefined || first?.heading === undefined) return false
  const isLike = last.heading.level === first.heading.level && last.role === first.role
  return isLike && Number.parseInt(first.number, 10) === Number.parseInt(last.number, 10) + 1
}

function mayBeWork(list: readonly NumberedRow[]): boolean {
  const heading = list[0]?.heading
  if (heading === undefined || heading.level === 1) return !areChapters(list)
  const words = list.map((row) => row.words)
  if (words.some((each) => saysDone(each) || shownFirst(each) === "left")) return true
  const isOfWork = heading.role !== "beside" && mayTellOfWork(heading.text)
  return isOfWork && askForWork(words, true)
}

/** Two lists in one, `1.` and `1)`: chapters of a text without headings, and what one of them lists. */
function areChapters(list: readonly NumberedRow[]): boolean {
  return list.some(({ number }) => number === "1.") && list.some(({ number }) => number === "1)")
}

function ofRows(rows: readonly NumberedRow[], isMeant: (row: NumberedRow) => boolean): BoxSpots {
  return { kind: "rows", isGuess: false, spots: rows.filter(isMeant) }
}
