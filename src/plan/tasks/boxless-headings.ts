// Headings without a box that look like tasks, in a plan that has tasks.
import {
  filledHeadings,
  type Heading,
  type Mask,
  placeOf,
  type Stretch,
  stretchReader,
  titleIndex,
} from "../blocks/blocks.ts"
import { tellsBesideWork } from "../dialects/heading-roles.ts"
import { numberedWords } from "../dialects/heading-words.ts"
import { partsOfId, splitLabel } from "../dialects/label.ts"
import { chapterReader, countedAnew } from "../headings/numbered-headings.ts"
import type { OwnLines } from "../headings/own-headings.ts"
import { once } from "../model/once.ts"
import type { Task } from "../model/plan.ts"
import { cleanTitle, saysDone } from "../model/title.ts"
import type { SortedRows } from "./rows.ts"
import { loneIds } from "./take-key.ts"

/** A line that looks like a task, and where its box would go. */
export interface Boxless {
  /** Index of its line, from 0. */
  readonly index: number
  /** Where its words begin in the line. */
  readonly at: number
  readonly title: string
  readonly isDone: boolean
  /** Whether it stands among others of its kind that have a box. */
  readonly isAmong: boolean
  /** Whether it is a heading that counts on with headings beside it that have a box: `T003` beside `T001 [DONE]`. */
  readonly isOfSeries?: boolean
}

/** A plan that has tasks, as it is looked at for those that have no box. */
export interface Looked extends OwnLines {
  readonly masks: readonly Mask[]
  readonly sorted: SortedRows
  readonly tasks: readonly Task[]
  /** The lines that would get a box if no task had one. */
  readonly chosen: () => ReadonlySet<number>
  /** Of a plan whose tasks are no rows: there nothing is looked for. */
  readonly elements: object | null
}

/** What is reckoned once for rows and headings. */
export interface Told {
  /** Whether all tasks are settled. */
  readonly isOver: boolean
  /** What stands below headings of what is told beside the work, or that are tasks: few plans have a line that asks for it. */
  readonly beside: () => readonly Stretch[]
  /** The ids of all tasks, in lower case: most plans have no line that asks for them. */
  readonly taken: () => ReadonlySet<string>
  /** Whether the tasks are just the lines that would get a box if no task had one: what else counts there was no work without boxes either. */
  readonly isChosen: () => boolean
}

const HEADING = /^ {0,3}#{1,6}[ \t]+/
/** `S3 storage`: nothing but a blank stands behind what may be an id. */
const BARE_ID = /^[A-Z]{1,4}[.-]?\d{1,9}[a-z]?[ \t]+[\p{L}\p{N}]/u

/** A heading as a line that `--add-boxes` writes to. */
export function boxlessHeading(lines: readonly string[], { index, text }: Heading): Boxless {
  return boxless(index, HEADING.exec(lines[index] ?? "")?.[0].length ?? 0, text)
}

/** Headings with an id that hold no row: where some of the level have a box, those of them that have none. */
export function headingsWithout(looked: Looked, told: Told): readonly Boxless[] {
  const { isOver, beside, taken } = told
  const { lines, sorted } = looked
  const { units, blocks } = sorted
  const { headings } = blocks
  const hidden = once(() => stretchReader(beside()))
  const title = titleIndex(headings)
  const stated = isOver
    ? headings.filter(({ index, level }) => level > 1 && sorted.statuses.get(index)?.isKnown)
    : []
  const said = new Set([...sorted.unread, ...stated].map(({ index }) => index))
  const boxed = new Set(headings.flatMap(({ level, isRow }) => (isRow ? [level] : [])))
  const outermost = isOver || boxed.size === 0 ? 0 : Math.min(...boxed)
  const labelOf = ({ index, text }: Heading) =>
    units.get(index) ?? splitLabel(numberedWords(text)).label
  const isLone = loneIds(() => [...taken(), ...headings.flatMap((one) => labelOf(one) ?? [])])
  const isAnew = once(() => countedAnew(blocks, looked.tasks))
  const isTaken = (index: number, label: string) =>
    taken().has(label.toLowerCase()) && (units.has(index) || !isAnew()(index))
  const isTask = (heading: Heading) => {
    const { index, level, text } = heading
    const label = labelOf(heading)
    if (label === null || isTaken(index, label) || index === title) return false
    if (BARE_ID.test(numberedWords(text)) && isLone(label)) return false
    // A document's own numbers: what stands around headings that are tasks is a part of it.
    if (!units.has(index) && level < outermost) return false
    return !(said.has(index) || tellsBesideWork(text))
  }
  const seriesIn = (each: Heading) =>
    `${placeOf(each)} ${partsOfId(labelOf(each) ?? " ")[0].toUpperCase()}`
  const series = new Set(headings.filter(({ isRow }) => isRow).map(seriesIn))
  const first = once(() => firstNumber(taken()))
  const filled = filledHeadings(headings, blocks.rows)
  const found = headings.flatMap((heading, order) => {
    const { index, level, text, isRow } = heading
    const prefix = HEADING.exec(lines[index] ?? "")?.[0]
    const isBare = !(filled.has(index) || headings[order + 1]?.parent === index || isRow)
    const isOfSeries = series.has(seriesIn(heading)) || Number(labelOf(heading)) < first()
    const isTaskLeft = isBare && isTask(heading) && (isOfSeries || !hidden()(index))
    if (!isTaskLeft || prefix === undefined) return []
    const row = boxless(index, prefix.length, text)
    return [{ ...row, isAmong: boxed.has(level), isOfSeries, heading }]
  })
  if (found.length === 0) return found
  const isChapter = chapterReader(blocks, { ...looked, ...told })
  return found.filter((each) => units.has(each.index) || !isChapter(each.heading, each.isAmong))
}

/** The number that the tasks begin to count at; 0 where none has one: headings with smaller ones are what they go on from. */
function firstNumber(taken: ReadonlySet<string>): number {
  const numbers = [...taken].filter((label) => /^\d{1,9}$/.test(label)).map(Number)
  return numbers.length === 0 ? 0 : numbers.reduce((one, other) => Math.min(one, other))
}

/** Such a line, by its words. */
export function boxless(index: number, at: number, words: string): Boxless {
  const isDone = saysDone(words)
  return { index, at, title: cleanTitle(words).slice(0, 80), isDone, isAmong: false }
}
