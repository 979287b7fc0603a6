// Finds headings of checks such as `Release Checklist`, whose rows come after the work beside them.

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
  withHeading,
} from "../blocks/blocks.ts"
import { isChecked, mayListWork, namesChecklist } from "../dialects/checklists.ts"
import { LEAST } from "../dialects/counting.ts"
import { headingWords, numberedWords } from "../dialects/heading-words.ts"
import { askToMake, tellsNoWork } from "../dialects/no-work.ts"
import { IGNORED_HEADING } from "../dialects/section-rules.ts"
import { isNamedUnit, unitNumber } from "../dialects/unit-names.ts"

/** `3. Title`, with nothing but a number before it. */
const NUMBERED = /^(\d{1,3})[.):][ \t]+\S/

/**
 * The indexes of headings of checks such as `Release Checklist` beside headings such as `Phase 1`, most of which have no row below them:
 * such checks come after the work, unless their rows name the units, `Step 1: Title`, or ask to make something, or they stand in front of
 * those beside headings that hold rows, as `Testing` beside `Backend`; a `Release checklist` never does.
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
  const isUnit = ({ index }: Heading) => {
    const number = numbers.get(index)
    return number !== undefined && !borne.has(number) && index !== title
  }
  const units = headings.filter(isUnit)
  const filled = filledHeadings(headings, listed)
  const empty = units.filter(({ index }) => !filled.has(index))
  if (!isMost(empty, units)) return []
  const isWithin = belowReader(headings, isUnit)
  const isWorkAt = stretchReader(listsOfWork(headings, listed).map(withHeading))
  const boxed = headings.filter(({ isRow, text }) => isRow && isNamedUnit(text))
  const holding = filledHeadings(headings, boxed)
  const places = new Set(
    headings.filter(({ index, text }) => filled.has(index) && !isChecked(text)).map(placeOf),
  )
  const isGroup = (each: Heading) =>
    each.index < (empty[0]?.index ?? 0) && places.has(placeOf(each)) && !namesChecklist(each.text)
  const checks = headings.filter((each) => {
    const { index, text } = each
    if (isWithin(index) || index === title || !isChecked(text) || numbers.has(index)) return false
    return !(holding.has(index) || isWorkAt(index) || isGroup(each))
  })
  return checks.map(({ index }) => index)
}

/** The places of checklists whose rows are the work: `Quick wins checklist`, if most of its rows ask to make something. */
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

/** Headings that count only by a number, from 1 on, below the same heading: `### 1. Title`, `### 2. Title`. */
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

/**
 * What a heading such as Acceptance Criteria makes of the rows below it. One with a number or a unit's name may be meant as work, so its
 * open rows are reported.
 */
export function ignoredBy(text: string): "ignored" | "beside" | null {
  const words = headingWords(text)
  if (!IGNORED_HEADING.test(words)) return null
  return isNamedUnit(text) || numberedWords(text) !== words ? "beside" : "ignored"
}
