// Finds headings whose rows are parts of a task, or criteria for it: then the headings are the tasks.
import type { Blocks, Heading } from "../blocks/blocks.ts"
import { numberedWords } from "../dialects/heading-words.ts"
import { splitLabel } from "../dialects/label.ts"
import { labelOn, rowsBelowLabel } from "./criteria-labels.ts"
import { type Named, NUMBERED } from "./named-headings.ts"

/** The words of a line that is a label or heading; null for any other line, and for one that is hidden. */
export type Labels = (index: number) => string | null

/** Reads the labels of a plan's lines, including headings; in most plans nobody asks for one. */
export function readLabels(
  lines: readonly string[],
  { headings, masks }: Pick<Blocks, "headings" | "masks">,
): Labels {
  let texts: ReadonlyMap<number, string | null> | null = null
  return (index) => {
    texts ??= knownLines(headings, masks)
    const text = texts.get(index)
    return text === undefined ? labelOn(lines[index] ?? "") : text
  }
}

/** The words of headings, by line; null for a heading that is hidden. */
function knownLines(
  headings: Blocks["headings"],
  masks: Blocks["masks"],
): ReadonlyMap<number, string | null> {
  const known = new Map<number, string | null>()
  for (const { index, text } of headings) known.set(index, text)
  for (const { from, to } of masks) for (let at = from; at <= to; at++) known.set(at, null)
  return known
}

/** Whether the rows of most headings are parts or criteria: then these are no tasks, and the headings are. */
export function areDivided(named: readonly Named[], labels: Labels): boolean {
  const filled = named.filter(({ rows }) => rows.length > 0)
  const divided = filled.filter((each) => isDivided(each, labels)).length
  return divided > 0 && divided * 2 >= filled.length
}

/** Whether most rows of a heading are parts or criteria; one with only a number must contain no other. */
function isDivided(named: Named, labels: Labels): boolean {
  const are = areParts(named, labels)
  return named.kind === NUMBERED
    ? are.every(Boolean)
    : are.filter(Boolean).length * 2 > named.rows.length
}

/** Of each row of a heading, whether it is a part or criterion, by the last label before it. */
function areParts({ heading, rows }: Named, labels: Labels): readonly boolean[] {
  let isBelow = false
  let index = heading.index
  return rows.map((row) => {
    for (index++; index < row.index; index++) {
      const label = labels(index)
      if (label !== null) isBelow = rowsBelowLabel(label) !== null
    }
    return isBelow
  })
}

/**
 * The lines of numbered headings whose first row stands below such a label: they may be tasks like those that state their state. If most of
 * a level are such headings, so are the others of that level.
 */
export function dividedNumbers(
  { headings, rows }: Pick<Blocks, "headings" | "rows">,
  labels: Labels,
): ReadonlySet<number> {
  const byLine = new Map(headings.map((heading) => [heading.index, heading]))
  const numbered = firstRows({ headings, rows }).filter(({ heading }) => hasNumber(heading))
  const told = numbered.map(({ heading, row, isOwn }) => {
    const isDivided = isBelowLabel(heading, row, { byLine, labels })
    return { heading, isDivided, isFilled: isDivided || isOwn }
  })
  const filled = told.filter(({ isFilled }) => isFilled)
  const balance = new Map<number, number>()
  for (const { heading, isDivided } of filled) {
    balance.set(heading.level, (balance.get(heading.level) ?? 0) + (isDivided ? 1 : -1))
  }
  const found = filled.filter(({ heading }) => (balance.get(heading.level) ?? 0) > 0)
  return new Set(found.map(({ heading }) => heading.index))
}

/** Each heading without a box, the first row after it, and whether that row comes before the next heading. */
function firstRows({ headings, rows }: Pick<Blocks, "headings" | "rows">) {
  let at = 0
  return headings.flatMap((heading, order) => {
    while ((rows[at]?.index ?? Number.POSITIVE_INFINITY) <= heading.index) at++
    const row = rows[at]?.index
    if (row === undefined || heading.isRow) return []
    return [{ heading, row, isOwn: row < (headings[order + 1]?.index ?? row + 1) }]
  })
}

function hasNumber({ text }: Heading): boolean {
  return splitLabel(numberedWords(text)).label !== null
}

function isBelowLabel(
  { index: from, level }: Heading,
  row: number,
  { byLine, labels }: { readonly byLine: ReadonlyMap<number, Heading>; readonly labels: Labels },
): boolean {
  let isBelow = false
  for (let index = from + 1; index < row; index++) {
    const label = labels(index)
    if (label === null) continue
    isBelow = rowsBelowLabel(label) !== null
    const heading = byLine.get(index)
    if (heading !== undefined && (!isBelow || heading.level <= level)) return false
  }
  return isBelow
}
