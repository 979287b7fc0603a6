// Stretches of lines below headings, and the lines of contents in front of them.
import type { Blocks, Heading, Mask, Row } from "../blocks/blocks.ts"
import { tellsOrder } from "../dialects/heading-roles.ts"
import { headingWords, numberedWords } from "../dialects/heading-words.ts"
import { splitLabel } from "../dialects/label.ts"
import type { Task } from "../model/plan.ts"
import { cleanTitle } from "../model/title.ts"
import { isOptional, nestHeadings } from "./nest-headings.ts"

/** Lines from one to another, both included. */
export type Stretch = Pick<Mask, "from" | "to">

/** What stands below certain headings, with all below their own ones. */
export function below(
  { headings }: Pick<Blocks, "headings">,
  lineCount: number,
  isMeant: (heading: Heading) => boolean,
): readonly Stretch[] {
  const found: Stretch[] = []
  for (let at = 0; at < headings.length; at++) {
    const heading = headings[at]
    if (heading === undefined || !isMeant(heading)) continue
    while ((headings[at + 1]?.level ?? 0) > heading.level) at++
    found.push({ from: heading.index + 1, to: (headings[at + 1]?.index ?? lineCount) - 1 })
  }
  return found
}

/** Tells of rows in ascending order whether a heading says that they may be left undone: one above them, or their own. */
export function optionalReader(blocks: Blocks): (row: Row) => boolean {
  const isBelow = stretchReader(below(blocks, Number.POSITIVE_INFINITY, isOptional))
  return ({ index, kind, box }) => isBelow(index) || (kind !== "list" && isOptional(box))
}

/** A heading's unit and number: `Phase 1`. */
const UNIT = /^\p{L}+[ \t]+#?\d{1,4}(?:\.\d{1,4})*(?![\p{L}\p{N}])/iu

/**
 * Tells whether a row speaks of a heading that holds rows or is a task: one of its number, in a list of contents, begins with its words,
 * `1. Dig` and `## 1. Dig first`; or the row begins with the heading's unit, `Phase 1: two days`.
 */
export function contentsOf(blocks: Blocks): (title: string, number: string) => boolean {
  const byNumber = new Map<string, string>()
  const units = new Set<string>()
  for (const { heading, isFilled } of nestHeadings(blocks)) {
    if (!(isFilled || heading.isRow)) continue
    const { label, rest } = splitLabel(numberedWords(heading.text))
    if (label !== null) byNumber.set(label.toLowerCase(), cleanTitle(rest).toLowerCase())
    const unit = unitOf(heading.text)
    if (unit !== null) units.add(unit)
  }
  return (title, number) =>
    units.has(unitOf(title) ?? "") ||
    (title !== "" && byNumber.get(number)?.startsWith(title.toLowerCase()) === true)
}

function unitOf(text: string): string | null {
  return UNIT.exec(headingWords(text))?.[0].toLowerCase() ?? null
}

/** What stands below a heading that is a task says how it is done. */
export function ownLines({ headings }: Blocks, tasks: readonly Task[]): readonly Stretch[] {
  const boxed = new Set(headings.flatMap(({ index, isRow }) => (isRow ? [index] : [])))
  if (boxed.size === 0) return []
  return tasks.flatMap(({ line, endLine }) =>
    boxed.has(line - 1) ? [{ from: line, to: endLine - 1 }] : [],
  )
}

/** Tells of ascending lines whether a stretch holds them. */
export function stretchReader(stretches: readonly Stretch[]): (index: number) => boolean {
  const sorted = stretches.toSorted((one, other) => one.from - other.from)
  let at = 0
  let end = -1
  return (index) => {
    for (; (sorted[at]?.from ?? Number.POSITIVE_INFINITY) <= index; at++) {
      end = Math.max(end, sorted[at]?.to ?? -1)
    }
    return index <= end
  }
}

const NUMBERED_LINE = /^ {0,3}\d{1,9}[.)][ \t]+\S/

/** The stretches below headings of an order, `Recommended implementation order`, whose numbered lines are no more than the tasks: it is theirs. */
export function orderedTasks(
  { headings }: Pick<Blocks, "headings">,
  lines: readonly string[],
  tasks: readonly Task[],
): readonly Stretch[] {
  return below({ headings }, lines.length, ({ text }) => tellsOrder(text)).filter(
    ({ from, to }) => {
      const listed = lines.slice(from, to + 1).filter((line) => NUMBERED_LINE.test(line)).length
      return listed > 0 && listed <= tasks.length
    },
  )
}

/** Tells of ascending lines whether they stand below a heading with a box, or one of an order: no section begins there. */
export function partReader({ headings }: Pick<Blocks, "headings">): (index: number) => boolean {
  const isWhole = ({ isRow, text }: Heading) => isRow || tellsOrder(text)
  return stretchReader(below({ headings }, Number.POSITIVE_INFINITY, isWhole))
}
