// What stands outside the tasks of a plan and has no box: it is not run.

import {
  filledHeadings,
  type Heading,
  placeOf,
  type Stretch,
  stretchReader,
  titleIndex,
} from "../blocks/blocks.ts"
import { showsOpenBox } from "../blocks/shown-box.ts"
import { isChecked } from "../dialects/checklists.ts"
import { numberedWords } from "../dialects/heading-words.ts"
import { splitLabel } from "../dialects/label.ts"
import { isNamedUnit } from "../dialects/unit-names.ts"
import { namesTask, seriesOf } from "../headings/named-headings.ts"
import { cutLine } from "../model/lines.ts"
import { once } from "../model/once.ts"
import { isSettled, type Task } from "../model/plan.ts"
import { cleanTitle, hashTitle, saysDone } from "../model/title.ts"
import type { ReadRows } from "../read-rows.ts"
import { type BoxChoice, boxChoices } from "./box-choices.ts"
import type { BoxPlace, WithoutTask } from "./box-lines.ts"
import { doneSpots } from "./box-ticks.ts"
import { isLikely } from "./likeliest-choice.ts"

/** A plan that has tasks. */
type WithTasks = Omit<ReadRows, "text">

/** What a box could be put before outside the tasks: rows of lists, and headings that hold no row with a box. */
interface Beside extends WithoutTask {
  readonly blocks: ReadRows["blocks"]
  readonly places: () => readonly BoxPlace[]
}

const RANGE = /^(\d{1,4})[-–](\d{1,4})$/
const MAX_RANGE = 50
const INDENTED = /^(?:[ ]{2}|[ ]?\t)/
const MARK = /^ ?([-*+]|\d{1,9}[.)])[ \t]/

/** The choices of what stands outside the tasks, the likeliest first. */
export function* choicesBeside(read: WithTasks): Generator<BoxChoice, void> {
  if (read.elements !== null) return
  const beside = besideTasks(read)
  const left = unitsLeft(read, beside)
  if (left !== null) yield left
  const shown = new Set<number>()
  for (const choice of boxChoices(beside, beside.places())) {
    for (const { index } of choice.spots) shown.add(index)
    yield choice
  }
  // Headings that stand alone are no choice of a plan without a task.
  const isAlone = ({ kind, index }: BoxPlace) => kind === "headings" && !shown.has(index)
  const spots = countedOf(beside).filter(isAlone)
  if (spots.length > 0) yield { kind: "headings", spots, likelihood: "unlikely" }
}

/**
 * What a plan is told of it: units of a series of which others are tasks or hold some, `Phase 2` beside `Phase 1`; else, in a plan
 * of no known format, the likeliest: units, lines that the plan calls left, and any that look like work where all tasks are settled, or
 * more lines outside them have no box than there are tasks.
 */
export function toldBeside(read: WithTasks): BoxChoice | null {
  if (read.elements !== null) return null
  const beside = besideTasks(read)
  const left = unitsLeft(read, beside)
  if (left !== null || isOfKnownFormat(read)) return left
  const work = workOf(read)
  const isMost = work.every(isSettled) || countedOf(beside).length > work.length
  const said = saidLines(read, beside, isMost)
  if (!isMost && said.size === 0) return null
  const isTold = ({ spots }: BoxChoice) => spots.some(({ index }) => said.has(index))
  for (const choice of boxChoices(beside, beside.places())) {
    const isMeant = isTold(choice) || (isMost && isLikely(choice))
    if (isMeant && !showsBox(choice, read) && !isDone(choice, read)) return choice
  }
  return null
}

/** Lines that a heading calls left, and units; where most is `outside`, also rows of a list with boxes. */
function saidLines(read: WithTasks, { places }: Beside, outside: boolean): ReadonlySet<number> {
  const isSaid = ({ index, heading, words }: BoxPlace) =>
    heading?.role === "left" || (read.sorted.units.has(index) && mayBeUnit(words))
  const said = places().flatMap((each) => (isSaid(each) ? [each.index] : []))
  const siblings = outside ? workOf(read).flatMap((task) => siblingsOf(task, read)) : []
  return new Set([...said, ...siblings])
}

function isDone({ spots }: BoxChoice, { lines, blocks }: WithTasks): boolean {
  return doneSpots(lines, blocks, spots).size === spots.length
}

/** Whether the format says what its tasks are: what stands beside them is none. */
export function isOfKnownFormat(read: Pick<ReadRows, "tasks" | "choice">): boolean {
  return read.choice.dialect.name !== "generic" && workOf(read).length > 0
}

/** Its tasks without the reviews of a final wave: these alone are no work. */
function workOf({ tasks }: Pick<ReadRows, "tasks">): readonly Task[] {
  return tasks.filter(({ section }) => section !== "final-wave")
}

/** `- ☐ a`: of such lines another warning tells. */
function showsBox({ spots }: BoxChoice, { lines }: WithTasks): boolean {
  return spots.some(({ index }) => showsOpenBox(cutLine(lines[index] ?? "")) !== null)
}

function besideTasks(read: WithTasks): Beside {
  const isBeside = besideReader(read)
  return {
    ...read,
    own: once(() => read.own().filter(isBeside())),
    places: once(() => read.places().filter(isBeside())),
  }
}

/** Makes readers of ascending lines: whether one is outside all tasks, and no heading that holds a row. */
function besideReader(read: WithTasks) {
  const holding = once(() => holdingRows(read))
  const title = titleIndex(read.blocks.headings)
  const stretches = once(() => ownLines(read))
  return () => {
    const isWithin = stretchReader(stretches())
    return ({ index }: { readonly index: number }) =>
      index !== title && !holding().has(index) && !isWithin(index)
  }
}

type OfTasks = Pick<ReadRows, "tasks" | "lines" | "blocks" | "sorted">

/** What stands below a heading that is a task, or tells more of one; and right below a row, up to an empty line or a sibling of its list. */
export function ownLines(read: OfTasks): readonly Stretch[] {
  const { tasks, blocks } = read
  const starts = new Set(tasks.map(({ line }) => line - 1))
  const boxed = blocks.headings.filter(({ index }) => starts.has(index))
  const sections = [...boxed, ...headingsOfTasks(read)]
  return [
    ...sections.map(({ index, end }) => ({ from: index, to: end - 1 })),
    ...tasks.map((task) => {
      const [sibling = Number.POSITIVE_INFINITY] = siblingsOf(task, read)
      return { from: task.line - 1, to: Math.min(endOf(task, read), sibling - 1) }
    }),
  ]
}

/** The last line before one at the margin behind an empty line. */
function endOf({ line, endLine }: Task, { lines }: OfTasks): number {
  let to = line - 1
  for (let index = line; index < endLine; index++) {
    const text = lines[index] ?? ""
    if (text.trim() === "") continue
    if (to < index - 1 && !INDENTED.test(text)) break
    to = index
  }
  return to
}

/** The lines right behind a row that go on with its list. */
function siblingsOf(task: Task, read: OfTasks): readonly number[] {
  const { lines } = read
  const mark = markOf(lines[task.line - 1])
  if (mark === null) return []
  const found: number[] = []
  const end = endOf(task, read)
  for (let index = task.line; index <= end; index++)
    if (markOf(lines[index]) === mark) found.push(index)
  return found
}

/** The bullet of a row at the margin, `1` for any number; null for any other line. */
function markOf(line = ""): string | null {
  const mark = MARK.exec(line)?.[1] ?? null
  return mark !== null && /\d/.test(mark) ? "1" : mark
}

/** Headings that tell more of a row that is a task: `Task 3` of its number, and others that begin with its words. */
function headingsOfTasks({ tasks, blocks, sorted }: OfTasks): readonly Heading[] {
  const titles = new Map(
    tasks.flatMap(({ label, title }) =>
      numbersOf(label ?? "").map((number) => [number, title.toLowerCase()] as const),
    ),
  )
  const hashes = new Set(tasks.map(({ titleHash }) => titleHash))
  const isOfTask = ({ index, text }: Heading) => {
    if (sorted.detailed.has(index)) return true
    const { label, rest } = splitLabel(numberedWords(text))
    const title = label === null ? undefined : titles.get(label)
    const isSame =
      namesTask(text) ||
      cleanTitle(rest)
        .toLowerCase()
        .startsWith(title ?? "")
    return (title !== undefined && isSame) || hashes.has(hashTitle(rest))
  }
  return blocks.headings.filter(isOfTask)
}

/** `18-20` bears three numbers. */
function numbersOf(label: string): readonly string[] {
  const [, from, to] = RANGE.exec(label) ?? []
  const count = Math.min(Number(to) - Number(from) + 1, MAX_RANGE)
  return count > 0 ? Array.from({ length: count }, (_, at) => `${Number(from) + at}`) : [label]
}

/** The headings that are tasks or rows, or hold some or what tells more of them: of an open row that is no task its own warning tells, and criteria are none. */
function holdingRows(read: WithTasks): ReadonlySet<number> {
  const { tasks, blocks, sorted } = read
  const judging = new Set(
    sorted.ignored.flatMap(({ line, reason }) => (reason === "ignored-heading" ? [line - 1] : [])),
  )
  const lines = [
    ...blocks.rows.filter(({ index }) => !judging.has(index)),
    ...tasks.map(({ line }) => ({ index: line - 1 })),
    ...headingsOfTasks(read),
  ].sort((one, other) => one.index - other.index)
  return new Set([...lines.map(({ index }) => index), ...filledHeadings(blocks.headings, lines)])
}

/** Rows, and headings with neither rows nor headings below them. */
function countedOf({ places }: Pick<Beside, "places">): readonly BoxPlace[] {
  const all = places()
  return all.filter(({ kind, index }, at) => {
    const next = all[at + 1]
    const around = next?.kind === "headings" ? next.heading?.parent : next?.heading?.index
    return kind !== "headings" || around !== index
  })
}

/** `Phase 2: Base`, and not `Phase 2 verification`. */
function mayBeUnit(text: string): boolean {
  return isNamedUnit(text) || !isChecked(text)
}

/** Units that are no tasks and hold none, of a series at one place of which others are or do; null for none. */
function unitsLeft(read: WithTasks, beside: Beside): BoxChoice | null {
  const { headings } = read.blocks
  const { units } = read.sorted
  const title = titleIndex(headings)
  const isCounted = ({ index, text, parent }: Heading) => {
    if (!mayBeUnit(text)) return false
    const label = units.has(index) ? null : splitLabel(numberedWords(text)).label
    // A document counts its own chapters, too.
    const isChapter = label !== null && !/\p{L}/u.test(label) && [-1, title].includes(parent)
    return units.has(index) || (label !== null && !isChapter)
  }
  const counted = headings.filter(isCounted)
  if (counted.length === 0) return null
  const holding = holdingRows(read)
  const keyOf = (each: Heading) => `${placeOf(each)} ${units.has(each.index) ? "" : seriesOf(each)}`
  const series = new Set(counted.filter(({ index }) => holding.has(index)).map(keyOf))
  const left = counted.filter((each) => series.has(keyOf(each)) && !saysDone(each.text))
  const lines = new Set(left.map(({ index }) => index))
  const spots = beside.own().filter(({ index }) => lines.has(index))
  return spots.length === 0 ? null : { kind: "headings", spots, likelihood: "told" }
}
