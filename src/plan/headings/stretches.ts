// What stands below headings that are tasks, optional or an order, and the lines of contents in front of them.
import {
  type Blocks,
  below,
  belowReader,
  filledHeadings,
  type Heading,
  type Row,
  type Stretch,
} from "../blocks/blocks.ts"
import { tellsBesideWork, tellsOrder } from "../dialects/heading-roles.ts"
import { headingWords, numberedWords } from "../dialects/heading-words.ts"
import { splitLabel } from "../dialects/label.ts"
import type { Task } from "../model/plan.ts"
import { cleanTitle } from "../model/title.ts"
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
    (title !== "" && byNumber.get(number)?.startsWith(title.toLowerCase()) === true)
}

function unitOf(text: string): string | null {
  return UNIT.exec(headingWords(text))?.[1]?.toLowerCase() ?? null
}

/** What stands below a heading that is a task says how it is done. */
export function ownLines({ headings }: Blocks, tasks: readonly Task[]): readonly Stretch[] {
  const boxed = new Set(headings.flatMap(({ index, isRow }) => (isRow ? [index] : [])))
  if (boxed.size === 0) return []
  return tasks.flatMap(({ line, endLine }) =>
    boxed.has(line - 1) ? [{ from: line, to: endLine - 1 }] : [],
  )
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

/** Tells of ascending lines whether they stand below a heading with a box, or one of what is told beside the work: no section begins there. */
export function partReader({ headings }: Pick<Blocks, "headings">): (index: number) => boolean {
  const isWhole = ({ isRow, level, text }: Heading) => isRow || (level > 1 && tellsBesideWork(text))
  return belowReader(headings, isWhole)
}
