// Finds what stands outside the tasks of a plan and has no box, so that it is not run.

import {
  filledHeadings,
  type Heading,
  placeOf,
  stretchReader,
  titleIndex,
  withHeading,
} from "../blocks/blocks.ts"
import { showsOpenBox } from "../blocks/shown-box.ts"
import { isChecked } from "../dialects/checklists.ts"
import { GENERIC_FORMAT } from "../dialects/dialects.ts"
import { numberedWords } from "../dialects/heading-words.ts"
import { splitLabel } from "../dialects/label.ts"
import { isNamedUnit } from "../dialects/unit-names.ts"
import { seriesOf } from "../headings/named-headings.ts"
import { isSection } from "../headings/numbered-headings.ts"
import { cutLine, placeFrom } from "../model/lines.ts"
import { once } from "../model/once.ts"
import { isSettled, type Task } from "../model/plan.ts"
import type { ReadRows } from "../read-rows.ts"
import { ignoredStretches } from "../tasks/left-out.ts"
import { type WithUnits, withBoldUnits } from "./bold-units.ts"
import { type BoxChoice, boxChoices } from "./box-choices.ts"
import type { BoxPlace, WithoutTask } from "./box-lines.ts"
import { doneSpots } from "./box-ticks.ts"
import { isLikely } from "./likeliest-choice.ts"
import { headingsOfTasks, INDENTED, ownLines, siblingsOf } from "./own-lines.ts"

/** A plan that has tasks. */
type WithTasks = Omit<ReadRows, "text">

/** What could get a box outside the tasks: rows of lists, and headings without any row with a box. */
interface Beside extends WithoutTask, WithUnits, Pick<ReadRows, "tasks"> {
  readonly places: () => readonly BoxPlace[]
  /** The headings that are tasks or rows, that contain some, or that tell more about them. */
  readonly holding: () => ReadonlySet<number>
}

/** The choices outside the tasks, the likeliest first. */
export function* choicesBeside(read: WithTasks): Generator<BoxChoice, void> {
  if (read.elements !== null) return
  const beside = besideTasks(read)
  yield* leftInSeries(read, beside)
  const shown = new Set<number>()
  for (const choice of boxChoices(beside, beside.places())) {
    for (const { index } of choice.spots) shown.add(index)
    yield choice
  }
  // In a plan without tasks, a heading that stands alone is no choice.
  const isAlone = ({ kind, index }: BoxPlace) => kind === "headings" && !shown.has(index)
  const spots = countedOf(beside).filter(isAlone)
  if (spots.length > 0) yield { kind: "headings", spots, likelihood: "unlikely" }
}

/**
 * What to tell about a plan: lines of a series in which others are tasks or contain some, such as `Phase 2` beside `Phase 1`. Otherwise, in
 * a plan without a known format, the likeliest choice: units, lines that the plan calls left, and anything that looks like work if all
 * tasks are settled, or if more lines without a box stand outside the tasks than there are tasks.
 */
export function toldBeside(read: WithTasks): readonly BoxChoice[] {
  if (read.elements !== null) return []
  const beside = besideTasks(read)
  const left = leftInSeries(read, beside)
  return left.length > 0 || isOfKnownFormat(read) ? left : likeliestLeft(read, beside)
}

/** What is left of series in which others are tasks: rows of each kind as one choice, and the headings above none of these as another. */
function leftInSeries(read: WithTasks, beside: Beside): readonly BoxChoice[] {
  const counted = isOfKnownFormat(read) ? [] : countedWithTasks(read, beside.places())
  const lines = new Set([...unitsLeft(beside), ...counted.map(({ index }) => index)])
  if (lines.size === 0) return []
  const rows = counted.filter(({ kind }) => kind !== "headings")
  const filled = filledHeadings(beside.blocks.headings, rows)
  const headings = beside.heads().filter(({ index }) => lines.has(index) && !filled.has(index))
  const ofKind = (wanted: BoxPlace["kind"]) => rows.filter(({ kind }) => kind === wanted)
  const choices: readonly Pick<BoxChoice, "kind" | "spots">[] = [
    { kind: "headings", spots: headings },
    { kind: "numbered rows", spots: ofKind("numbered rows") },
    { kind: "bullets", spots: ofKind("bullets") },
  ]
  return choices.flatMap((each) => leftOf({ ...each, likelihood: "told" }, beside) ?? [])
}

/** What counts on with tasks, before them or behind, below whatever heading; a document's sections count for themselves. */
function countedWithTasks({ tasks }: WithTasks, places: readonly BoxPlace[]): readonly BoxPlace[] {
  const known = new Set(tasks.map(({ line }) => line - 1))
  const runs = new Set(places.map(({ run }) => run))
  const ofTasks = new Set([...runs].filter((run) => run?.lines.some((line) => known.has(line))))
  const isCounted = ({ run, kind, words }: BoxPlace) =>
    run !== undefined && ofTasks.has(run) && !(kind === "headings" && isSection({ text: words }))
  return places.filter(isCounted)
}

function likeliestLeft(read: WithTasks, beside: Beside): readonly BoxChoice[] {
  const work = workOf(read)
  const isMost = work.every(isSettled) || countedOf(beside).length > work.length
  const said = saidLines(read, beside, isMost)
  if (!isMost && said.size === 0) return []
  for (const choice of boxChoices(beside, beside.places())) {
    const isMeant = isOf(choice, said) || (isMost && isLikely(choice))
    const left = isMeant ? leftOf(choice, beside) : null
    if (left !== null) return [left]
  }
  return []
}

function isOf({ spots }: BoxChoice, lines: ReadonlySet<number>): boolean {
  return spots.some(({ index }) => lines.has(index))
}

/**
 * Lines that a heading calls left, and units; if most of the plan stands outside its tasks (`isMost`), also rows without a box in a list
 * with boxes.
 */
function saidLines(read: WithTasks, { places }: Beside, isMost: boolean): ReadonlySet<number> {
  const isSaid = ({ index, heading, words }: BoxPlace) =>
    heading?.role === "left" || (read.sorted.units.has(index) && mayBeUnit(words))
  const said = places().flatMap((each) => (isSaid(each) ? [each.index] : []))
  const siblings = isMost ? workOf(read).flatMap((task) => siblingsOf(task, read)) : []
  return new Set([...said, ...siblings])
}

/** A choice without the lines that are said to be done; null if all of them are, and for `- ☐ a`, which another warning reports. */
function leftOf(choice: BoxChoice, { lines, blocks }: Beside): BoxChoice | null {
  if (choice.spots.some(({ index }) => showsOpenBox(cutLine(lines[index] ?? "")) !== null))
    return null
  const done = doneSpots(lines, blocks, choice.spots)
  const spots = choice.spots.filter((spot) => !done.has(spot))
  return spots.length === 0 ? null : { ...choice, spots }
}

/** Whether the format defines what its tasks are: then nothing beside them is one. */
export function isOfKnownFormat(read: Pick<ReadRows, "tasks" | "choice">): boolean {
  return read.choice.dialect.name !== GENERIC_FORMAT && workOf(read).length > 0
}

/** Its tasks without the reviews of a final wave, which alone are no work. */
function workOf({ tasks }: Pick<ReadRows, "tasks">): readonly Task[] {
  return tasks.filter(({ section }) => section !== "final-wave")
}

function besideTasks(given: WithTasks): Beside {
  const read = withBoldUnits(given)
  const telling = once(() => headingsOfTasks(read))
  const holding = once(() => holdingRows(read, telling()))
  const title = titleIndex(read.blocks.headings)
  const stretches = once(() => ownLines(read, telling()))
  // Such a heading and what stands below it are no work, with boxes or without, but for what counts as the tasks do.
  const ignored = once(() => ignoredStretches(read.sorted, read.choice.dialect).map(withHeading))
  // Each reader takes ascending lines.
  const besideReader = () => {
    const isWithin = stretchReader(stretches())
    const isIgnored = stretchReader(ignored())
    return ({ index }: { readonly index: number }) =>
      index !== title &&
      !holding().has(index) &&
      !isWithin(index) &&
      (!isIgnored(index) || read.sorted.units.has(index))
  }
  return {
    ...read,
    holding,
    own: once(() => read.own().filter(besideReader())),
    heads: () => read.heads().filter(besideReader()),
    places: once(() => {
      const around = rowsAround(read)
      return read
        .places()
        .filter((each) => !around.has(each))
        .filter(besideReader())
    }),
  }
}

/** The rows at the margin that have tasks below them, indented further: they are groups, as headings with tasks are. */
function rowsAround({ tasks, lines, places }: WithTasks): ReadonlySet<BoxPlace> {
  const all = places()
  const starts = tasks.map(({ line }) => line - 1)
  const around = all.filter(({ index, kind }, at) => {
    const below = starts[placeFrom(starts, index)] ?? lines.length
    const isNext = kind !== "headings" && below < (all[at + 1]?.index ?? lines.length)
    return isNext && INDENTED.test(lines[below] ?? "")
  })
  return new Set(around)
}

/** An open row that is no task has its own warning; criteria have none. */
function holdingRows(read: WithTasks, telling: readonly Heading[]): ReadonlySet<number> {
  const { tasks, blocks, sorted } = read
  const judging = new Set(
    sorted.ignored.flatMap(({ line, reason }) => (reason === "ignored-heading" ? [line - 1] : [])),
  )
  const lines = [
    ...blocks.rows.filter(({ index }) => !judging.has(index)),
    ...tasks.map(({ line }) => ({ index: line - 1 })),
    ...telling,
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

/** `Phase 2: Base`, but not `Phase 2 verification`. */
function mayBeUnit(text: string): boolean {
  return isNamedUnit(text) || !isChecked(text)
}

/** The lines of units that are no tasks and contain none, in a series at one place in which others are or do. */
function unitsLeft(beside: Beside): readonly number[] {
  const { headings } = beside.blocks
  const { units } = beside.sorted
  const title = titleIndex(headings)
  const ofTasks = once(() => new Set(beside.tasks.map(({ line }) => line - 1)))
  const tasks = once(() => headings.filter(({ index }) => ofTasks().has(index)))
  const places = once(() => new Set(tasks().map(placeOf)))
  const isCounted = (heading: Heading) => {
    const { index, text, parent } = heading
    if (!mayBeUnit(text)) return false
    const label = units.has(index) ? null : splitLabel(numberedWords(text)).label
    // A document counts its own chapters, too; where some are tasks, its sections.
    const isPlain = label !== null && !/\p{L}/u.test(label) && [-1, title].includes(parent)
    const isChapter = isPlain && (!places().has(placeOf(heading)) || isSection(heading))
    return units.has(index) || (label !== null && !isChapter)
  }
  const counted = headings.filter(isCounted)
  if (counted.length === 0) return []
  const holding = beside.holding()
  const keyOf = (each: Heading) => `${placeOf(each)} ${units.has(each.index) ? "" : seriesOf(each)}`
  const series = new Set(counted.filter(({ index }) => holding.has(index)).map(keyOf))
  // Units that are tasks count on under other headings.
  const isUnit = ({ index }: Heading) => units.has(index)
  const names = new Set(counted.some(isUnit) ? tasks().filter(isUnit).map(seriesOf) : [])
  const isOfSeries = (each: Heading) =>
    series.has(keyOf(each)) || (isUnit(each) && names.has(seriesOf(each)))
  return counted.filter(isOfSeries).map(({ index }) => index)
}
