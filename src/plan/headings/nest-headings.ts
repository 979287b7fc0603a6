// Phases that count anew below another heading, what stands beside those that count, and which headings hold a row.
import type { Blocks, Heading } from "../blocks/blocks.ts"
import { tellsWhatWasDone } from "../dialects/heading-roles.ts"
import { headingWords, numberedWords } from "../dialects/heading-words.ts"
import { forbid, tellsNoWork, tellsOnlyOfNoWork } from "../dialects/no-work.ts"
import {
  COMMON_SECTIONS,
  CRITERIA_HEADING,
  IGNORED_HEADING,
  OPTIONAL_HEADING,
  PHASE,
  type SectionRule,
} from "../dialects/section-rules.ts"
import { addTo } from "../model/once.ts"
import { namesTask } from "./named-headings.ts"

const NUMBER = /\p{L}+(?:[ \t]+#?|-)([\p{L}\p{N}.]+)/u

/** A heading, where it stands, and whether there is a row below it or below its own headings. */
export interface NestedHeading {
  readonly heading: Heading
  /** The line of the heading that it stands below; -1 for none. */
  readonly parent: number
  readonly isFilled: boolean
  /** Whether the next heading stands below it. */
  readonly hasParts: boolean
}

/** The line of a plan's title, its first heading and the only one of level 1; -1 where it has none. */
export function titleIndex(headings: readonly Pick<Heading, "index" | "level">[]): number {
  const [first, ...others] = headings
  const isTitle = first?.level === 1 && others.every(({ level }) => level > 1)
  return isTitle ? first.index : -1
}

/**
 * The same blocks with the title on level 1, and all else as far below it as it was: a plan that is part of a longer text has its
 * title deeper. A title has no row of its own and all other headings below it, and is neither a task nor what stands beside the work.
 */
export function withTitle(blocks: Blocks): Blocks {
  const [first, ...others] = blocks.headings
  const by = (first?.level ?? 1) - 1
  const end = others[0]?.index
  if (by === 0 || end === undefined || others.some(({ level }) => level - by <= 1)) return blocks
  const isOther = namesTask(first?.text ?? "") || tellsOnlyOfNoWork(first?.text ?? "")
  if (isOther || (blocks.rows[0]?.index ?? end) < end) return blocks
  const headings = blocks.headings.map((each) => ({ ...each, level: each.level - by }))
  return { ...blocks, headings }
}

/** Each heading with the one that it stands below. */
export function nestHeadings({
  headings,
  rows,
}: Pick<Blocks, "headings" | "rows">): readonly NestedHeading[] {
  const around: Heading[] = []
  let at = 0
  return headings.map((heading, order) => {
    const { index, level } = heading
    while ((around.at(-1)?.level ?? 0) >= level) around.pop()
    const parent = around.at(-1)?.index ?? -1
    around.push(heading)
    while ((rows[at]?.index ?? Number.POSITIVE_INFINITY) <= index) at++
    const isFilled = (rows[at]?.index ?? Number.POSITIVE_INFINITY) < endOf(headings, order)
    return { heading, parent, isFilled, hasParts: (headings[order + 1]?.level ?? 0) > level }
  })
}

/** The headings that open a section in any plan: phases do not where they are parts of what others name, beside these `groups`. */
export function commonSections(
  blocks: Blocks,
  groups: ReadonlySet<number>,
): readonly SectionRule[] {
  return arePhasesParts(blocks, groups)
    ? COMMON_SECTIONS.filter((rule) => rule !== PHASE)
    : COMMON_SECTIONS
}

/**
 * Whether phases that hold rows count anew below another heading, such as `### Phase 1` below each of two features, or all
 * stand below headings of what was done and no other heading is a group: then they are parts of what those headings name, and no sections of the whole file.
 */
function arePhasesParts(blocks: Blocks, groups: ReadonlySet<number>): boolean {
  if (blocks.headings.every(({ text }) => !PHASE.heading.test(numberedWords(text)))) return false
  const phases = nestHeadings(blocks).filter(
    ({ heading, isFilled }) =>
      isFilled && !heading.isRow && PHASE.heading.test(numberedWords(heading.text)),
  )
  return doCountAnew(phases) || (groups.size === 0 && areAllOver(phases, blocks))
}

function doCountAnew(phases: readonly NestedHeading[]): boolean {
  const parentOf = new Map<string, number>()
  for (const { heading, parent } of phases) {
    const number = NUMBER.exec(numberedWords(heading.text))?.[1]?.toLowerCase() ?? ""
    if ((parentOf.get(number) ?? parent) !== parent) return true
    parentOf.set(number, parent)
  }
  return false
}

function areAllOver(phases: readonly NestedHeading[], { headings }: Blocks): boolean {
  const title = titleIndex(headings)
  const textOf = new Map(headings.map(({ index, text }) => [index, text]))
  const isOver = ({ parent }: NestedHeading) =>
    parent !== title && tellsWhatWasDone(textOf.get(parent) ?? "")
  return phases.length > 0 && phases.every(isOver)
}

/** Where a heading stands: its level, below the one around it. */
export function placeOf({ parent, heading }: NestedHeading): string {
  return `${parent} ${heading.level}`
}

/** A heading that speaks of a phase behind other words, `Metrics of phase 1`, is none beside it. */
const OF_A_PHASE = /\S[ \t(]+(?:phase|stage|epic|sprint)(?:[ \t]+#?|-)\d/i

/**
 * The indexes of headings that stand where others count (`counts`), as `Finder` beside `Phase 1`: they are groups of tasks
 * like those, and tasks where they have a box, unless they tell of no work.
 */
export function besideCounted(
  blocks: Blocks,
  counts: (heading: Heading) => boolean,
): readonly number[] {
  if (!blocks.headings.some(counts)) return []
  const nested = nestHeadings(blocks)
  const places = new Set(
    nested.filter(({ isFilled, heading }) => isFilled && counts(heading)).map(placeOf),
  )
  const found = nested.filter((each) => places.has(placeOf(each)))
  const below = rowsBelow(blocks)
  return found.flatMap(({ heading }) => {
    const { index, text } = heading
    const isAside = tellsNoWork(text) || OF_A_PHASE.test(headingWords(text))
    return isAside || (!counts(heading) && forbid(below.get(index) ?? [])) ? [] : [index]
  })
}

/** The words of the rows that stand right below each heading, by its line. */
function rowsBelow({ headings, rows }: Blocks): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, string[]>()
  let at = 0
  for (const { index, parent, box } of rows) {
    while ((headings[at]?.index ?? Number.POSITIVE_INFINITY) <= index) at++
    const heading = headings[at - 1]?.index
    if (heading !== undefined && parent === null) addTo(found, heading, box.text)
  }
  return found
}

/** The indexes of headings of optional work that stand where a heading opens a section (`opens`) which holds rows. */
export function optionalBeside(
  blocks: Blocks,
  opens: (heading: Heading) => boolean,
): readonly number[] {
  if (!blocks.headings.some(isOptional)) return []
  const nested = nestHeadings(blocks)
  const places = new Set(
    nested.filter(({ isFilled, heading }) => isFilled && opens(heading)).map(placeOf),
  )
  const found = nested.filter((each) => isOptional(each.heading) && places.has(placeOf(each)))
  return found.map(({ heading }) => heading.index)
}

/** Whether a heading says that what stands below it may be left undone. */
export function isOptional({ text }: Pick<Heading, "text">): boolean {
  return OPTIONAL_HEADING.test(headingWords(text))
}

/** What a row begins with that is called a step. */
export const STEP =
  /^[*_~`]*(?:step|paso|passo|étape|schritt|шаг|步骤|步驟|ステップ|手順|단계)[ \t]*#?\d/iu

/** The indexes of headings by which work is judged, such as Definition of Done, most of whose rows are called steps. */
export function criteriaOfSteps({ headings, rows }: Blocks): readonly number[] {
  let at = 0
  let end = 0
  return headings.flatMap(({ index, text }, order) => {
    if (index < end || !IGNORED_HEADING.test(headingWords(text))) return []
    end = endOf(headings, order)
    while ((rows[at]?.index ?? end) <= index) at++
    const from = at
    while ((rows[at]?.index ?? end) < end) at++
    const own = rows.slice(from, at).filter(({ parent }) => parent === null)
    const steps = own.filter(({ box }) => STEP.test(box.text)).length
    return steps > 1 && steps * 2 > own.length ? [index] : []
  })
}

/**
 * The indexes of headings such as Completion Criteria that hold all the rows which stand below the heading around them, where
 * that one tells of work: nothing else is said to be done there.
 */
export function criteriaAlone(blocks: Blocks): ReadonlySet<number> {
  const { headings, rows } = blocks
  const isCriteria = ({ text }: Heading) => CRITERIA_HEADING.test(headingWords(text))
  if (!headings.some(isCriteria)) return new Set()
  const isTitled = headings.filter(({ level }) => level === 1).length === 1
  const orderOf = new Map(headings.map(({ index }, order) => [index, order]))
  const countIn = (order: number) => {
    const [from, to] = [headings[order]?.index ?? 0, endOf(headings, order)]
    return rows.filter(({ index }) => index > from && index < to).length
  }
  const found = nestHeadings(blocks).flatMap(({ heading, parent, isFilled }, order) => {
    const outer = orderOf.get(parent)
    const around = outer === undefined ? undefined : headings[outer]
    if (outer === undefined || around === undefined || !isFilled || !isCriteria(heading)) return []
    const isWork = !((isTitled && around.level === 1) || around.isRow || tellsNoWork(around.text))
    return isWork && countIn(outer) === countIn(order) ? [heading.index] : []
  })
  return new Set(found)
}

/** The line of the next heading that is no part of this one. */
function endOf(headings: readonly Heading[], order: number): number {
  const level = headings[order]?.level ?? 0
  for (let at = order + 1; at < headings.length; at++) {
    const next = headings[at]
    if (next !== undefined && next.level <= level) return next.index
  }
  return Number.POSITIVE_INFINITY
}
