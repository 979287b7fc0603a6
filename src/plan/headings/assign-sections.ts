// Finds the section of each row.

import type { Blocks, Row } from "../blocks/blocks.ts"
import type { Dialect } from "../dialects/dialects.ts"
import { partsOfId, splitLabel } from "../dialects/label.ts"
import {
  isOutside,
  type RowSections,
  type SectionsTold,
  sectionsOfRows,
} from "../tasks/sections.ts"

/** The section of each row: that of its heading, of the rows that it reviews, or of the series that it goes on with. */
export function assignSections(blocks: Blocks, dialect: Dialect, told: SectionsTold): RowSections {
  return withSeries(withReviewed(sectionsOfRows(blocks, dialect, told)))
}

/**
 * A final wave is never a whole plan. If it is the only section, it reviews the rows before it, whose heading is misspelled, `##TODOs`, or
 * unknown.
 */
function withReviewed({ of, passedOver }: RowSections): RowSections {
  for (const { section } of of.values())
    if (section === "todo" || section === "task") return { of, passedOver }
  const placed = [...of]
  const first = placed.findIndex(([, { section }]) => section === "final-wave")
  if (first < 1) return { of, passedOver }
  const found = placed.map(([row, within], at) => {
    const isReviewed = at < first && within.section === null
    return [row, isReviewed ? { ...within, section: "task" as const } : within] as const
  })
  return { of: new Map(found), passedOver }
}

/** A row outside the sections whose id goes on behind that of a task, `T051` behind `T050`, is a task as well, which is said. */
function withSeries({ of, passedOver }: RowSections): RowSections {
  const placed = [...of].filter(([row, { section }]) => row.parent === null && !isOutside(section))
  if (placed.every(([, { section }]) => section !== null)) return { of, passedOver }
  const last = new Map<string, number>()
  const found = new Map(of)
  for (const [row, within] of placed) {
    const [id, number] = countedId(row)
    if (id === "") continue
    const isNext = within.section === null && last.get(id) === number - 1
    if (isNext) found.set(row, { ...within, section: "task" })
    if (within.section !== null || isNext) last.set(id, number)
  }
  const first = placed.find(([row, within]) => found.get(row) !== within)?.[1]
  const told = first === undefined ? null : { why: "series" as const, heading: first.heading }
  return { of: found, passedOver: passedOver ?? told }
}

/** The letters of an id such as `T051`, with the count of its digits, and its number; no letters for any other. */
function countedId({ box }: Row): readonly [string, number] {
  const [letters, digits] = partsOfId(splitLabel(box.text).label ?? "")
  const isCounted = LETTERED.test(letters) && /^\d+$/.test(digits)
  return [isCounted ? `${letters} ${digits.length}` : "", Number(digits)]
}

const LETTERED = /^[A-Z]/
