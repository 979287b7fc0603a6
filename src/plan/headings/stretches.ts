// What stands below headings that are optional, or tell again what a list of the work has.
import {
  type Blocks,
  belowReader,
  filledHeadings,
  type Heading,
  type Row,
  type Stretch,
} from "../blocks/blocks.ts"
import { tellsOfWork } from "../dialects/heading-roles.ts"
import { headingWords } from "../dialects/heading-words.ts"
import { isOptional } from "./nest-headings.ts"

/** Tells of rows in ascending order whether a heading says that they may be left undone: one above them, or their own. */
export function optionalReader(blocks: Blocks): (row: Row) => boolean {
  const isBelow = belowReader(blocks.headings, isOptional)
  return ({ index, kind, box }) => isBelow(index) || (kind !== "list" && isOptional(box))
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
