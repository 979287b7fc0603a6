// What decides on a row's section beside the headings around it.
import type { Blocks, Row } from "../blocks/blocks.ts"
import type { Dialect } from "../dialects/dialects.ts"
import { numberedWords } from "../dialects/heading-words.ts"
import { splitLabel } from "../dialects/label.ts"
import { hashTitle } from "../model/title.ts"
import { hasTaskId } from "../tasks/left-out.ts"
import { isOutside, type RowSections, sectionsOfRows } from "../tasks/sections.ts"
import type { LabelStretch } from "./ignored-labels.ts"
import type { StepHeadings } from "./step-headings.ts"

interface Told extends Pick<StepHeadings, "groups" | "listed"> {
  readonly units: ReadonlyMap<number, string>
  readonly labels: readonly LabelStretch[]
}

/**
 * The section of each row: that of its heading, but none below a label such as `**Acceptance criteria:**` where other rows
 * are tasks, and one for each row of a list that names headings.
 */
export function assignSections(blocks: Blocks, dialect: Dialect, told: Told): RowSections {
  const sections = sectionsOfRows(blocks, dialect, told)
  const below = rowsBelow(blocks.rows, told.labels)
  const listed = listOfHeadings(blocks, sections.of)
  if (below.size === 0 && listed.length === 0 && told.listed.size === 0) return sections
  const of = new Map(sections.of)
  const put = (row: Row, section: "task" | "ignored") =>
    of.set(row, { section, heading: of.get(row)?.heading ?? null })
  for (const row of listed) put(row, "task")
  for (const row of told.listed) if (of.get(row)?.section === null) put(row, "task")
  const isTask = (row: Row) => {
    const section = of.get(row)?.section ?? null
    return row.parent === null && section !== null && !isOutside(section)
  }
  if (blocks.rows.some((row) => isTask(row) && !below.has(row))) {
    for (const row of below) put(row, "ignored")
  }
  return { of, passedOver: listed.length > 0 ? null : sections.passedOver }
}

/**
 * The rows below headings such as Completion Checklist where no other row is a task, and most of them have the words of
 * another heading, or stand in a checklist and have an id with a letter: a list of the plan's tasks.
 */
function listOfHeadings({ rows, headings }: Blocks, of: RowSections["of"]): readonly Row[] {
  const listed = rows.filter((row) => row.parent === null)
  if (listed.length < LEAST || listed.some((row) => !isOutside(of.get(row)?.section ?? null)))
    return []
  const titles = new Set(headings.map(({ text }) => titleOf(numberedWords(text))))
  const isIdentified = (row: Row) =>
    hasTaskId(row) &&
    LETTERED.test(splitLabel(row.box.text).label ?? "") &&
    CHECKLIST.test(of.get(row)?.heading?.text ?? "")
  const told = listed.filter((row) => titles.has(titleOf(row.box.text)) || isIdentified(row))
  return told.length >= LEAST && told.length * 2 > listed.length ? listed : []
}

const LETTERED = /^[A-Z]/
const CHECKLIST = /checklist/i
/** Two of a kind make a list, one does not. */
const LEAST = 2

function titleOf(words: string): string {
  return hashTitle(splitLabel(words).rest)
}

function rowsBelow(rows: readonly Row[], stretches: readonly LabelStretch[]): ReadonlySet<Row> {
  let at = 0
  const found = rows.filter(({ index }) => {
    while ((stretches[at]?.to ?? Number.POSITIVE_INFINITY) < index) at++
    return (stretches[at]?.from ?? Number.POSITIVE_INFINITY) <= index
  })
  return new Set(found)
}
