// Headings such as `Phase 1` that have neither a box nor a row, and the checks beside them.
// Over 250 lines: which headings hold no row, and which hold checks, is told by one walk.
import type { Blocks, Heading } from "../blocks/blocks.ts"
import { isChecked, mayListWork } from "../dialects/checklists.ts"
import { headingWords, numberedWords } from "../dialects/heading-words.ts"
import { askToMake, tellsNoWork } from "../dialects/no-work.ts"
import { IGNORED_HEADING } from "../dialects/section-rules.ts"
import { type IgnoredLine, isSettled, type Task } from "../model/plan.ts"
import { saysDone } from "../model/title.ts"
import { rowsBelowLabel, SUBTASKS } from "./criteria-labels.ts"
import { countedBy, seriesOf } from "./named-headings.ts"
import { nestHeadings, placeOf, titleIndex } from "./nest-headings.ts"
import type { StatusLine } from "./status-lines.ts"
import { below, orderedTasks, type Stretch, stretchReader } from "./stretches.ts"
import { isNamedUnit, unitNumber } from "./units-of-work.ts"

/** `3. Title`, and no more than a number before it. */
const NUMBERED = /^(\d{1,3})[.):][ \t]+\S/
const RANGE = /^(\d{1,4})[-–](\d{1,4})$/
const MAX_RANGE = 50
/** Two of a kind make a pattern, one does not. */
const LEAST = 2

interface Unit {
  readonly level: number
  readonly line: number
  readonly text: string
  hasRow: boolean
  /** Whether smaller ones stand below it: they are the work. */
  isGroup: boolean
}

/** What is known of a plan's headings, and its tasks. */
interface Told {
  readonly lines: readonly string[]
  readonly tasks: readonly Task[]
  readonly statuses: ReadonlyMap<number, Pick<StatusLine, "isKnown">>
  /** By the lines of headings that name a unit of work, its number. */
  readonly units: ReadonlyMap<number, string>
  readonly ignored: readonly IgnoredLine[]
}

/** A heading that names a unit of work and holds none. */
export interface EmptyHeading {
  /** 1-based. */
  readonly line: number
  readonly text: string
}

/**
 * Headings such as `Phase 1` where most have neither a box nor a row below them, and no task bears their
 * number: the boxes of such a plan are a checklist beside the work. Once all tasks are settled, one such heading will do
 * that does not say that it is done; nor one with a status line, which is judged by itself. None below an order or criteria
 * counts, and no row of criteria.
 */
export function emptyHeadings(
  { headings, rows }: Blocks,
  { tasks, statuses, units: numbers, ignored, lines }: Told,
): readonly EmptyHeading[] {
  if (numbers.size === 0) return []
  const isCriterion = new Set(ignored.map(({ line, reason }) => `${line} ${reason}`))
  const work = rows.filter(({ index }) => !isCriterion.has(`${index + 1} ignored-heading`))
  const title = titleIndex(headings)
  const isJudged = stretchReader(
    below({ headings }, Number.POSITIVE_INFINITY, ({ index, text }) => {
      return index !== title && ignoredBy(text) === "ignored"
    }),
  )
  const words = new Map(
    headings.map(({ index, text, isRow }) => [index, isRow ? wordOf(text) : ""]),
  )
  const taken = new Set(
    tasks.flatMap(({ label, line }) =>
      numbersOf(label ?? "").map((number) => `${words.get(line - 1) ?? ""} ${number}`),
    ),
  )
  const { units: all } = walk({ headings, rows: work, numbers }, ({ index, isRow, text }) => {
    const number = isRow || isJudged(index) ? undefined : numbers.get(index)
    const isTaken = taken.has(` ${number}`) || taken.has(`${wordOf(text)} ${number}`)
    return number !== undefined && !isTaken
  })
  const units = all.filter(({ isGroup }) => !isGroup)
  const hasStatus = ({ level, line }: Pick<Unit, "level" | "line">) =>
    level > 1 && statuses.get(line - 1)?.isKnown === true
  const isOver = tasks.length > 0 && tasks.every(isSettled)
  const empty = units.filter(
    ({ hasRow, text, level, line }) =>
      !hasRow && !(isOver && (hasStatus({ level, line }) || isNothingLeft(text))),
  )
  if (empty.every(({ text }) => isNothingLeft(text))) return []
  const found = isOver || isMost(empty, units) ? empty : amongTasks(empty, { headings, tasks })
  const isOfOrder = stretchReader(orderedTasks({ headings }, lines, tasks))
  return found.filter(({ line }) => !isOfOrder(line - 1))
}

/** Those that count with headings that are tasks: `Step 1` in front of `[ ] Step 2`. */
function amongTasks(
  empty: readonly Unit[],
  { headings, tasks }: Pick<Blocks, "headings"> & Pick<Told, "tasks">,
): readonly Unit[] {
  const lines = new Set(empty.length === 0 ? [] : tasks.map(({ line }) => line))
  const series = new Set(headings.filter(({ index }) => lines.has(index + 1)).map(seriesOf))
  const among = new Set(
    headings.filter((each) => series.has(seriesOf(each))).map(({ index }) => index + 1),
  )
  return empty.filter(({ line, text }) => among.has(line) && !isNothingLeft(text))
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
 * The indexes of headings whose rows stand beside the work: of checks such as `Release Checklist` beside headings such as
 * `Phase 1`, most of which have no row below them, and of goals and their like beside one that is called Subtasks.
 */
export function headingsBeside(
  blocks: Blocks,
  counted: ReadonlyMap<number, string>,
): ReadonlySet<number> {
  return new Set([...checksBeside(blocks, counted), ...besideSubtasks(blocks)])
}

/** What is checked there comes behind the work, and is not the work itself, unless its rows name the units, `Step 1: Title`, or ask for something to be made. */
function checksBeside(
  { headings, rows }: Blocks,
  counted: ReadonlyMap<number, string>,
): readonly number[] {
  if (!headings.some(({ text }) => isChecked(text))) return []
  const listed = rows.filter(({ kind }) => kind === "list")
  const numbers = new Map([...numberedSeries(headings), ...counted])
  const isTitled = headings.filter(({ level }) => level === 1).length === 1
  const borne = new Set(
    listed.map(({ box }) => (isNamedUnit(box.text) ? unitNumber(box.text) : null)),
  )
  const { units, checks: ofChecks } = walk(
    { headings, rows: listed, numbers },
    ({ index, level }) => {
      const number = numbers.get(index)
      return number !== undefined && !borne.has(number) && !(isTitled && level === 1)
    },
  )
  const empty = units.filter(({ hasRow }) => !hasRow)
  if (!isMost(empty, units)) return []
  const isWorkAt = stretchReader(
    listsOfWork(headings, listed).map(({ from, to }) => ({ from: from - 1, to })),
  )
  const holding = headingsAround(headings, ({ isRow, text }) => isRow && isNamedUnit(text))
  const checks = ofChecks.filter(
    ({ index, text }) => !(holding.has(index) || (isWorkAt(index) && mayListWork(text))),
  )
  return checks.map(({ index }) => index)
}

/** The lines of headings below which such a one stands. */
function headingsAround(
  headings: readonly Heading[],
  isMeant: (heading: Heading) => boolean,
): ReadonlySet<number> {
  const found = new Set<number>()
  const around: Heading[] = []
  for (const heading of headings) {
    while ((around.at(-1)?.level ?? 0) >= heading.level) around.pop()
    if (isMeant(heading)) for (const { index } of around) found.add(index)
    around.push(heading)
  }
  return found
}

/** Where checklists stand whose rows are the work: `Quick wins checklist`, and most of them ask for something to be made. */
function listsOfWork(headings: readonly Heading[], listed: Blocks["rows"]): readonly Stretch[] {
  const lists = below({ headings }, Number.POSITIVE_INFINITY, ({ text }) => mayListWork(text))
  let at = 0
  return lists.filter(({ from, to }) => {
    while (at < listed.length && (listed[at]?.index ?? 0) < from) at++
    const first = at
    while (at < listed.length && (listed[at]?.index ?? 0) <= to) at++
    return at > first && askToMake(listed.slice(first, at).map(({ box }) => box.text))
  })
}

/** Where a heading Subtasks holds the work, what tells of none at the same place holds no other. */
function besideSubtasks(blocks: Blocks): readonly number[] {
  const isSubtasks = ({ text }: Heading) => SUBTASKS.test(headingWords(text))
  if (!blocks.headings.some(isSubtasks)) return []
  const nested = nestHeadings(blocks)
  const places = new Set(
    nested.filter(({ heading, isFilled }) => isFilled && isSubtasks(heading)).map(placeOf),
  )
  const beside = nested.filter(
    ({ heading, ...each }) =>
      places.has(placeOf({ heading, ...each })) &&
      (rowsBelowLabel(heading.text) === "checks" || tellsNoWork(heading.text)),
  )
  return beside.map(({ heading }) => heading.index)
}

/** Headings that count by a number alone, from 1 on, below one and the same heading: `### 1. Title`, `### 2. Title`. */
function numberedSeries(headings: readonly Heading[]): ReadonlyMap<number, string> {
  const found: (readonly [number, string])[] = []
  let next: readonly { readonly level: number; readonly at: number }[] = []
  for (const { index, level, text } of headings) {
    const [, number] = NUMBERED.exec(numberedWords(text)) ?? []
    const at = next.find((each) => each.level === level)?.at ?? 0
    next = next.filter((each) => each.level < level)
    const isNext = Number(number) === at + 1 && level > 1
    if (isNext && !tellsNoWork(text)) found.push([index, `${number}`])
    if (isNext) next = [...next, { level, at: at + 1 }]
  }
  return new Map(found)
}

function isMost(empty: readonly Unit[], units: readonly Unit[]): boolean {
  return empty.length >= LEAST && empty.length * 2 > units.length
}

/** What a heading such as Acceptance Criteria makes of the rows below it; one with a number or a unit's name may be meant as work: its open rows are said. */
export function ignoredBy(text: string): "ignored" | "beside" | null {
  const words = headingWords(text)
  if (!IGNORED_HEADING.test(words)) return null
  return isNamedUnit(text) || numberedWords(text) !== words ? "beside" : "ignored"
}

interface Numbered {
  readonly numbers: ReadonlyMap<number, string>
}

/** The units with what stands below them, and the headings of checks that stand below none. */
function walk(
  { headings, rows, numbers }: Pick<Blocks, "headings" | "rows"> & Numbered,
  isUnit: (heading: Heading) => boolean,
): { readonly units: readonly Unit[]; readonly checks: readonly Heading[] } {
  const units: Unit[] = []
  const checks: Heading[] = []
  const title = titleIndex(headings)
  let open: Unit[] = []
  let at = 0
  const fillUpTo = (end: number) => {
    if ((rows[at]?.index ?? end) < end) for (const unit of open) unit.hasRow = true
    while ((rows[at]?.index ?? end) < end) at++
  }
  for (const heading of headings) {
    const { index, level, text } = heading
    fillUpTo(index)
    open = open.filter((unit) => unit.level < level)
    const isCheck = open.length === 0 && index !== title && isChecked(text)
    if (isCheck && !numbers.has(index)) checks.push(heading)
    if (!isUnit(heading)) continue
    const unit = { level, line: index + 1, text, hasRow: false, isGroup: false }
    for (const outer of open) outer.isGroup = true
    units.push(unit)
    open.push(unit)
  }
  fillUpTo(Number.POSITIVE_INFINITY)
  return { units, checks }
}

/** `18-20` bears three numbers. */
function numbersOf(label: string): readonly string[] {
  const [, from, to] = RANGE.exec(label) ?? []
  const count = Math.min(Number(to) - Number(from) + 1, MAX_RANGE)
  return count > 0 ? Array.from({ length: count }, (_, at) => `${Number(from) + at}`) : [label]
}
