// Headings such as `Phase 1` that have neither a box nor a row, and the checks beside them.

import {
  type Blocks,
  below,
  belowReader,
  filledHeadings,
  type Heading,
  placeOf,
  type Stretch,
  stretchReader,
  titleIndex,
} from "../blocks/blocks.ts"
import { isChecked, mayListWork, namesChecklist } from "../dialects/checklists.ts"
import { LEAST } from "../dialects/counting.ts"
import { tellsBesideWork, tellsWhatIsLeft } from "../dialects/heading-roles.ts"
import { headingWords, numberedWords } from "../dialects/heading-words.ts"
import { askToMake, tellsNoWork } from "../dialects/no-work.ts"
import { IGNORED_HEADING } from "../dialects/section-rules.ts"
import { isNamedUnit, unitNumber } from "../dialects/unit-names.ts"
import { type IgnoredLine, isSettled, type Task } from "../model/plan.ts"
import { saysDone } from "../model/title.ts"
import { countedBy } from "./named-headings.ts"
import type { StatusLine } from "./status-lines.ts"
import { orderedTasks, toldTwice } from "./stretches.ts"

/** `3. Title`, and no more than a number before it. */
const NUMBERED = /^(\d{1,3})[.):][ \t]+\S/
const RANGE = /^(\d{1,4})[-–](\d{1,4})$/
const MAX_RANGE = 50

/** What is known of a plan's headings, and its tasks. */
interface Told {
  readonly lines: readonly string[]
  readonly tasks: readonly Task[]
  readonly statuses: ReadonlyMap<number, Pick<StatusLine, "isKnown">>
  /** By the lines of headings that name a unit of work, its number. */
  readonly units: ReadonlyMap<number, string>
  readonly ignored: readonly IgnoredLine[]
}

/**
 * Headings such as `Phase 1` where most have neither a box nor a row below them, and no task bears their
 * number: the boxes of such a plan are a checklist beside the work. Once all tasks are settled, one such heading will do
 * that does not say that it is done, or one right below a heading of what is left, `### Dark mode` below Planned; nor one with a
 * status line, which is judged by itself. None below an order or criteria counts, and no row of criteria.
 */
export function emptyHeadings(
  { headings, rows }: Blocks,
  { tasks, statuses, units: numbers, ignored, lines }: Told,
): readonly Heading[] {
  const isOver = tasks.length > 0 && tasks.every(isSettled)
  if (numbers.size === 0 && !isOver) return []
  const isCriterion = new Set(ignored.map(({ line, reason }) => `${line} ${reason}`))
  const work = rows.filter(({ index }) => !isCriterion.has(`${index + 1} ignored-heading`))
  const isJudged = belowReader(headings, ({ text }) => ignoredBy(text) === "ignored")
  const words = new Map(
    headings.map(({ index, text, isRow }) => [index, isRow ? wordOf(text) : ""]),
  )
  const taken = new Set(
    tasks.flatMap(({ label, line }) =>
      numbersOf(label ?? "").map((number) => `${words.get(line - 1) ?? ""} ${number}`),
    ),
  )
  const isTold = stretchReader([
    ...orderedTasks({ headings }, lines, tasks),
    ...toldTwice({ headings, rows }, numbers),
  ])
  const free = headings.filter(({ index, isRow }) => !(isRow || isJudged(index)))
  const named = free.filter(({ index, text }) => {
    const number = isTold(index) ? undefined : numbers.get(index)
    const isTaken = taken.has(` ${number}`) || taken.has(`${wordOf(text)} ${number}`)
    return number !== undefined && !isTaken
  })
  // What holds a smaller one is no unit of its own.
  const units = named.filter(({ end }, at) => (named[at + 1]?.index ?? end) >= end)
  const filled = filledHeadings(headings, work)
  const isSaid = ({ index, level, text }: Heading) =>
    (level > 1 && statuses.get(index)?.isKnown === true) || isNothingLeft(text)
  const left = isOver ? headingsOfLeft(headings) : new Set<number>()
  const meant = new Set([
    ...units,
    ...free.filter(({ parent, text }) => left.has(parent) && !tellsBesideWork(text)),
  ])
  const empty = free.filter(
    (each) => meant.has(each) && !(filled.has(each.index) || (isOver && isSaid(each))),
  )
  if (empty.every(({ text }) => isNothingLeft(text))) return []
  return isOver || isMost(empty, units) ? empty : []
}

/** The lines of headings that tell what is left to do; the plan's title is none. */
export function headingsOfLeft(headings: readonly Heading[]): ReadonlySet<number> {
  const title = titleIndex(headings)
  const left = headings.filter(({ index, text }) => index !== title && tellsWhatIsLeft(text))
  return new Set(left.map(({ index }) => index))
}

/** The word that a heading counts by, in the singular; empty for none: `Phase 2` is not done by `Milestone 2`. */
function wordOf(text: string): string {
  return (countedBy(text) ?? "").replace(/s$/, "")
}

/** `Phase 1 (done)` and `Phase 1 Verification` name no work that is left. */
function isNothingLeft(text: string): boolean {
  return saysDone(text) || (isChecked(text) && !isNamedUnit(text))
}

/**
 * The indexes of headings of checks such as `Release Checklist` beside headings such as `Phase 1`, most of which have no row below
 * them: what is checked there comes behind the work, unless its rows name the units, `Step 1: Title`, or ask for something to be made.
 */
export function checksBeside(
  { headings, rows }: Blocks,
  counted: ReadonlyMap<number, string>,
): readonly number[] {
  if (!headings.some(({ text }) => isChecked(text))) return []
  const listed = rows.filter(({ kind }) => kind === "list")
  const numbers = new Map([...numberedSeries(headings), ...counted])
  const title = titleIndex(headings)
  const borne = new Set(
    listed.map(({ box }) => (isNamedUnit(box.text) ? unitNumber(box.text) : null)),
  )
  const isTold = stretchReader(toldTwice({ headings, rows }, numbers))
  const told = new Set(headings.flatMap(({ index }) => (isTold(index) ? [index] : [])))
  const isUnit = ({ index }: Heading) => {
    const number = numbers.get(index)
    return number !== undefined && !borne.has(number) && index !== title && !told.has(index)
  }
  const units = headings.filter(isUnit)
  const filled = filledHeadings(headings, listed)
  const empty = units.filter(({ index }) => !filled.has(index))
  if (!isMost(empty, units)) return []
  const isWithin = belowReader(headings, isUnit)
  const isWorkAt = stretchReader(
    listsOfWork(headings, listed).map(({ from, to }) => ({ from: from - 1, to })),
  )
  const boxed = headings.filter(({ isRow, text }) => isRow && isNamedUnit(text))
  const holding = filledHeadings(headings, boxed)
  const checks = headings.filter(({ index, text }) => {
    if (isWithin(index) || index === title || !isChecked(text) || numbers.has(index)) return false
    return !(holding.has(index) || isWorkAt(index))
  })
  return checks.map(({ index }) => index)
}

/** Where checklists stand whose rows are the work: `Quick wins checklist`, and most of them ask for something to be made. */
function listsOfWork(headings: readonly Heading[], listed: Blocks["rows"]): readonly Stretch[] {
  const lists = below(headings, ({ text }) => mayListWork(text))
  let at = 0
  return lists.filter(({ from, to }) => {
    while (at < listed.length && (listed[at]?.index ?? 0) < from) at++
    const first = at
    while (at < listed.length && (listed[at]?.index ?? 0) <= to) at++
    return at > first && askToMake(listed.slice(first, at).map(({ box }) => box.text))
  })
}

/** Headings that count by a number alone, from 1 on, below one and the same heading: `### 1. Title`, `### 2. Title`. */
function numberedSeries(headings: readonly Heading[]): ReadonlyMap<number, string> {
  const found: (readonly [number, string])[] = []
  const counts = new Map<string, number>()
  for (const heading of headings) {
    const { index, level, text } = heading
    const [, number] = NUMBERED.exec(numberedWords(text)) ?? []
    const at = (counts.get(placeOf(heading)) ?? 0) + 1
    const isNext = Number(number) === at && level > 1
    if (isNext && !tellsNoWork(text) && !namesChecklist(text)) found.push([index, `${number}`])
    counts.set(placeOf(heading), isNext ? at : 0)
  }
  return new Map(found)
}

function isMost(empty: readonly Heading[], units: readonly Heading[]): boolean {
  return empty.length >= LEAST && empty.length * 2 > units.length
}

/** What a heading such as Acceptance Criteria makes of the rows below it; one with a number or a unit's name may be meant as work: its open rows are said. */
export function ignoredBy(text: string): "ignored" | "beside" | null {
  const words = headingWords(text)
  if (!IGNORED_HEADING.test(words)) return null
  return isNamedUnit(text) || numberedWords(text) !== words ? "beside" : "ignored"
}

/** `18-20` bears three numbers. */
function numbersOf(label: string): readonly string[] {
  const [, from, to] = RANGE.exec(label) ?? []
  const count = Math.min(Number(to) - Number(from) + 1, MAX_RANGE)
  return count > 0 ? Array.from({ length: count }, (_, at) => `${Number(from) + at}`) : [label]
}
