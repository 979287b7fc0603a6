// What decides on a row's section beside the headings around it.
import type { Blocks, Row } from "../blocks/blocks.ts"
import type { Dialect } from "../dialects/dialects.ts"
import { isOutside, type RowSections, sectionsOfRows } from "../tasks/sections.ts"
import type { LabelStretch } from "./ignored-labels.ts"
import type { StepHeadings } from "./step-headings.ts"

interface Told extends Pick<StepHeadings, "groups"> {
  readonly units: ReadonlyMap<number, string>
  readonly labels: readonly LabelStretch[]
}

/** The section of each row: that of its heading, but none below a label such as `**Acceptance criteria:**` where other rows are tasks. */
export function placeRows(blocks: Blocks, dialect: Dialect, told: Told): RowSections {
  const sections = sectionsOfRows(blocks, dialect, told)
  const below = rowsBelow(blocks.rows, told.labels)
  const isTask = (row: Row) => {
    const section = sections.of.get(row)?.section ?? null
    return row.parent === null && section !== null && !isOutside(section)
  }
  if (below.size === 0 || !blocks.rows.some((row) => isTask(row) && !below.has(row)))
    return sections
  const of = new Map(sections.of)
  for (const row of below) {
    const { heading = null } = of.get(row) ?? {}
    of.set(row, { section: "ignored", heading })
  }
  return { ...sections, of }
}

function rowsBelow(rows: readonly Row[], stretches: readonly LabelStretch[]): ReadonlySet<Row> {
  let at = 0
  const found = rows.filter(({ index }) => {
    while ((stretches[at]?.to ?? Number.POSITIVE_INFINITY) < index) at++
    return (stretches[at]?.from ?? Number.POSITIVE_INFINITY) <= index
  })
  return new Set(found)
}
