// What decides on a row's section beside the headings around it.

import { type Blocks, type Row, stretchReader } from "../blocks/blocks.ts"
import type { Dialect } from "../dialects/dialects.ts"
import { partsOfId, splitLabel } from "../dialects/label.ts"
import { isOutside, type RowSections, sectionsOfRows } from "../tasks/sections.ts"
import type { LabelStretch } from "./criteria-labels.ts"
import type { StepHeadings } from "./step-headings.ts"

interface Told extends Pick<StepHeadings, "groups" | "listed"> {
  readonly units: ReadonlyMap<number, string>
  readonly labels: readonly LabelStretch[]
}

/**
 * The section of each row: that of its heading, but none below a label such as `**Acceptance criteria:**` where other rows
 * are tasks, and one for each row behind headings that tell more of it.
 */
export function assignSections(blocks: Blocks, dialect: Dialect, told: Told): RowSections {
  const sections = withSeries(withReviewed(sectionsOfRows(blocks, dialect, told)))
  const isLabelled = stretchReader(told.labels)
  const labelled = new Set(blocks.rows.filter(({ index }) => isLabelled(index)))
  if (labelled.size === 0 && told.listed.size === 0) return sections
  const of = new Map(sections.of)
  const put = (row: Row, section: "task" | "ignored") =>
    of.set(row, { section, heading: of.get(row)?.heading ?? null })
  for (const row of told.listed) if (of.get(row)?.section === null) put(row, "task")
  const isTask = (row: Row) => {
    const section = of.get(row)?.section ?? null
    return row.parent === null && section !== null && !isOutside(section)
  }
  if (blocks.rows.some((row) => isTask(row) && !labelled.has(row))) {
    for (const row of labelled) put(row, "ignored")
  }
  return { of, passedOver: sections.passedOver }
}

/** A final wave is never the whole of a plan: where it is the only section, it reviews the rows in front of it, whose heading is misspelled, `##TODOs`, or has a name that nobody knows. */
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
