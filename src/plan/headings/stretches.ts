// What stands below headings that are tasks, optional or an order, and the lines of contents in front of them.
import {
  type Blocks,
  below,
  belowReader,
  filledHeadings,
  type Heading,
  headingReader,
  type Row,
  type Stretch,
} from "../blocks/blocks.ts"
import { tellsOfWork, tellsOrder } from "../dialects/heading-roles.ts"
import { headingWords, numberedWords } from "../dialects/heading-words.ts"
import { splitLabel } from "../dialects/label.ts"
import type { Task } from "../model/plan.ts"
import { cleanTitle } from "../model/title.ts"
import { seriesOf } from "./named-headings.ts"
import { isOptional } from "./nest-headings.ts"

/** Tells of rows in ascending order whether a heading says that they may be left undone: one above them, or their own. */
export function optionalReader(blocks: Blocks): (row: Row) => boolean {
  const isBelow = belowReader(blocks.headings, isOptional)
  return ({ index, kind, box }) => isBelow(index) || (kind !== "list" && isOptional(box))
}

/** A heading's unit and number: `Phase 1`; words that only ask for all of it may stand before them. */
const UNIT =
  /^(?:(?:start|begin|continue|proceed|move(?: on)?|go|execute|run|complete|finish)(?: (?:with|to|on))? |完成|开始|執行|执行|继续)?(?:\s*)(\p{L}+[ \t]+#?\d{1,4}(?:\.\d{1,4})*)(?![\p{L}\p{N}])/iu

/**
 * Tells whether a row speaks of a heading that holds rows or is a task: one of its number, in a list of contents, begins with its words,
 * `1. Dig` and `## 1. Dig first`; or the row is of its unit, or of a row's, `Phase 1: two days`.
 */
export function contentsOf(blocks: Blocks): (title: string, number: string) => boolean {
  const byNumber = new Map<string, string>()
  const units = new Set<string | null>(blocks.rows.map(({ box }) => unitOf(box.text)))
  const filled = filledHeadings(blocks.headings, blocks.rows)
  for (const { index, isRow, text } of blocks.headings) {
    if (!(filled.has(index) || isRow)) continue
    const { label, rest } = splitLabel(numberedWords(text))
    if (label !== null) byNumber.set(label.toLowerCase(), cleanTitle(rest).toLowerCase())
    units.add(unitOf(text))
  }
  const isOfUnit = (unit: string | null) => unit !== null && units.has(unit)
  return (title, number) =>
    isOfUnit(unitOf(title)) ||
    (title !== "" && byNumber.get(number)?.startsWith(wordsOf(title)) === true)
}

/** A row's words without its id and the sign behind them: `T1 CLI.` names `## T1 CLI`. */
function wordsOf(title: string): string {
  return headingWords(splitLabel(title).rest || title).toLowerCase()
}

/** The unit that a line begins with, `phase 2`. */
export function unitOf(text: string): string | null {
  return UNIT.exec(headingWords(text))?.[1]?.toLowerCase() ?? null
}

/** What stands below a heading that is a task says how it is done. */
export function ownLines({ headings }: Blocks, tasks: readonly Task[]): readonly Stretch[] {
  const boxed = new Set(headings.flatMap(({ index, isRow }) => (isRow ? [index] : [])))
  return tasks.flatMap(({ line, endLine }) =>
    boxed.has(line - 1) ? [{ from: line, to: endLine - 1 }] : [],
  )
}

/** Tells of ascending lines the unit of work that they stand below, if no unit of its series has a box or a row: what is listed there are its details. */
export function unitReader(
  { headings, rows }: Blocks,
  units: ReadonlyMap<number, string>,
): (index: number) => Heading | undefined {
  const isInSeries = inFilledSeries({ headings, rows })
  const found = headings.filter((each) => units.has(each.index) && !isInSeries(each))
  const above = headingReader(found)
  return (index) => {
    const unit = above(index)
    return unit !== undefined && index < unit.end ? unit : undefined
  }
}

/** Tells whether a heading is one of a series at its place of which one has a box or holds a row. */
export function inFilledSeries({
  headings,
  rows,
}: Pick<Blocks, "headings" | "rows">): (heading: Heading) => boolean {
  const filled = filledHeadings(headings, rows)
  const keyOf = (each: Heading) => `${each.parent} ${seriesOf(each)}`
  const found = headings.filter(({ index, isRow }) => isRow || filled.has(index))
  const series = new Set(found.map(keyOf))
  return (heading) => series.has(keyOf(heading))
}

const WORDS = /\p{L}{2,}/gu

/**
 * Units and what stands below them, where a list of the work, `Checklist`, has one of the same count and a word of the same
 * title that holds rows, `### Phase 1: Setup` for `## Phase 1: Account setup`: they tell how.
 */
export function toldTwice(
  { headings, rows }: Pick<Blocks, "headings" | "rows">,
  units: ReadonlyMap<number, string>,
): readonly Stretch[] {
  const isListed = belowReader(headings, ({ text }) => tellsOfWork(text))
  const filled = filledHeadings(headings, rows)
  const named = headings.filter(({ index }) => units.has(index))
  const namesOf = ({ index, text }: Heading) => {
    const [count, ...words] = headingWords(text).toLowerCase().match(WORDS) ?? []
    return words.map((word) => `${count} ${units.get(index)} ${word}`)
  }
  const told = named.filter(({ index }) => isListed(index) && filled.has(index))
  const names = new Set(told.flatMap(namesOf))
  return named
    .filter((each) => !filled.has(each.index) && namesOf(each).some((name) => names.has(name)))
    .map(({ index, end }) => ({ from: index, to: end - 1 }))
}

const NUMBERED_LINE = /^ {0,3}\d{1,9}[.)][ \t]+\S/

/** The stretches below headings of an order, `Recommended implementation order`, whose numbered lines are no more than the tasks: it is theirs. */
export function orderedTasks(
  { headings }: Pick<Blocks, "headings">,
  lines: readonly string[],
  tasks: readonly Task[],
): readonly Stretch[] {
  return below(headings, ({ text }) => tellsOrder(text)).filter(({ from, to }) => {
    const listed = lines.slice(from, to + 1).filter((line) => NUMBERED_LINE.test(line)).length
    return listed > 0 && listed <= tasks.length
  })
}
