// Finds the section of each row.

import type { Blocks } from "../blocks/blocks.ts"
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

/** A row outside the sections whose id goes on behind that of a task, `T051` behind `T050`, is a task as well. */
function withSeries({ of, passedOver }: RowSections): RowSections {
  const placed = [...of].filter(([row]) => row.parent === null)
  if (placed.every(([, { section }]) => section !== null)) return { of, passedOver }
  const last = new Map<string, number>()
  const found = new Map(of)
  for (const [row, within] of placed) {
    const [letters, digits] = partsOfId(splitLabel(row.box.text).label ?? "")
    const id = `${letters} ${digits.length}`
    if (!LETTERED.test(letters) || !/^\d+$/.test(digits) || isOutside(within.section)) continue
    const isNext = last.get(id) === Number(digits) - 1
    if (within.section === null && isNext) found.set(row, { ...within, section: "task" })
    if (within.section !== null || isNext) last.set(id, Number(digits))
  }
  return { of: found, passedOver }
}

const LETTERED = /^[A-Z]/
