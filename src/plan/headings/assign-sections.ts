// What decides on a row's section beside the headings around it.

import {
  type Blocks,
  belowReader,
  type Heading,
  type Row,
  stretchReader,
  titleIndex,
} from "../blocks/blocks.ts"
import { LEAST } from "../dialects/counting.ts"
import type { Dialect } from "../dialects/dialects.ts"
import { headingWords, numberedWords } from "../dialects/heading-words.ts"
import { hasTaskId, partsOfId, splitLabel } from "../dialects/label.ts"
import { CRITERIA_HEADING } from "../dialects/section-rules.ts"
import { hashTitle } from "../model/title.ts"
import { isOutside, type RowSections, sectionsOfRows } from "../tasks/sections.ts"
import type { LabelStretch } from "./criteria-labels.ts"
import type { StepHeadings } from "./step-headings.ts"

interface Told extends Pick<StepHeadings, "groups" | "listed"> {
  readonly units: ReadonlyMap<number, string>
  readonly labels: readonly LabelStretch[]
  /** Whether lines without a box are the work. */
  readonly isWorkBoxless: () => boolean
}

/**
 * The section of each row: that of its heading, but none below a label such as `**Acceptance criteria:**` where other rows
 * are tasks, and one for each row of a list that names headings.
 */
export function assignSections(blocks: Blocks, dialect: Dialect, told: Told): RowSections {
  const reviewed = withReviewed(sectionsOfRows(blocks, dialect, told))
  const sections = withCriteria(withSeries(reviewed), blocks, told)
  const isLabelled = stretchReader(told.labels)
  const labelled = new Set(blocks.rows.filter(({ index }) => isLabelled(index)))
  const listed = listOfHeadings(blocks, sections.of)
  if (labelled.size === 0 && listed.length === 0 && told.listed.size === 0) return sections
  const of = new Map(sections.of)
  const put = (row: Row, section: "task" | "ignored") =>
    of.set(row, { section, heading: of.get(row)?.heading ?? null })
  for (const row of listed) put(row, "task")
  for (const row of told.listed) if (of.get(row)?.section === null) put(row, "task")
  const isTask = (row: Row) => {
    const section = of.get(row)?.section ?? null
    return row.parent === null && section !== null && !isOutside(section)
  }
  if (blocks.rows.some((row) => isTask(row) && !labelled.has(row))) {
    for (const row of labelled) put(row, "ignored")
  }
  return { of, passedOver: listed.length > 0 ? null : sections.passedOver }
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

/** Where nothing else is a task, not even a line without a box, what the work is judged by is the work: an issue has no other rows. */
function withCriteria(
  { of, passedOver }: RowSections,
  blocks: Blocks,
  { isWorkBoxless }: Told,
): RowSections {
  const { headings, rows } = blocks
  if (!rows.every((row) => isOutside(of.get(row)?.section ?? "task"))) return { of, passedOver }
  const title = titleIndex(headings)
  const isCriteria = ({ index, text }: Heading) =>
    index !== title && CRITERIA_HEADING.test(headingWords(text))
  const isBelow = belowReader(headings, isCriteria)
  const meant = new Set(rows.filter(({ index }) => isBelow(index)))
  if (meant.size === 0 || isWorkBoxless()) return { of, passedOver }
  const found = [...of].map(([row, { heading, section }]) => {
    return [row, { heading, section: meant.has(row) ? ("task" as const) : section }] as const
  })
  return { of: new Map(found), passedOver: null }
}

/**
 * The rows below headings such as Completion Checklist where no other row is a task, and most of them have the words of
 * another heading, or stand in a checklist and have an id with a letter: a list of the plan's tasks.
 */
function listOfHeadings({ rows, headings }: Blocks, of: RowSections["of"]): readonly Row[] {
  const isListed = (row: Row) => row.parent === null
  if (rows.some((row) => isListed(row) && !isOutside(of.get(row)?.section ?? null))) return []
  const listed = rows.filter(isListed)
  if (listed.length < LEAST) return []
  const titles = new Set(headings.map(({ text }) => titleOf(numberedWords(text))))
  const isIdentified = (row: Row) =>
    hasTaskId(row.box.text) &&
    LETTERED.test(splitLabel(row.box.text).label ?? "") &&
    CHECKLIST.test(of.get(row)?.heading?.text ?? "")
  const told = listed.filter((row) => titles.has(titleOf(row.box.text)) || isIdentified(row))
  return told.length >= LEAST && told.length * 2 > listed.length ? listed : []
}

const LETTERED = /^[A-Z]/
const CHECKLIST = /checklist/i

function titleOf(words: string): string {
  return hashTitle(splitLabel(words).rest)
}
