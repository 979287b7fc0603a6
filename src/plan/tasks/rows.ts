// Decides for each row whether it is a task, a sub-item or ignored.
import type { Blocks, Heading, Row } from "../blocks/blocks.ts"
import type { Dialect } from "../dialects/dialects.ts"
import { numberedWords } from "../dialects/heading-words.ts"
import { type Labelled, splitLabel } from "../dialects/label.ts"
import { boxReader, findLegend, type Legend, readLegend } from "../dialects/legend.ts"
import { unitsOfWork } from "../dialects/unit-names.ts"
import { assignSections } from "../headings/assign-sections.ts"
import { judgedRows } from "../headings/criteria-labels.ts"
import type { OwnLines } from "../headings/own-headings.ts"
import { findStepHeadings, type StepHeadings } from "../headings/step-headings.ts"
import { once } from "../model/once.ts"
import type { IgnoredLine } from "../model/plan.ts"
import type { RowSection, RowSections } from "./sections.ts"

/** A row that counts, with its id. */
export interface Entry {
  readonly row: Row
  readonly labelled: Labelled
  readonly within: RowSection
  /** The task that this row is a sub-item of; null for a task. */
  readonly parent: Entry | null
}

/** All rows of a plan, sorted into tasks, sub-items and others. */
export interface SortedRows {
  readonly entries: readonly Entry[]
  readonly ignored: readonly IgnoredLine[]
  readonly passedOver: RowSections["passedOver"]
  /** The blocks, in which headings that are tasks are rows as well. */
  readonly blocks: Blocks
  readonly statuses: StepHeadings["statuses"]
  readonly unread: StepHeadings["unread"]
  /** The numbers of headings that name a unit of work, by line. */
  readonly units: ReadonlyMap<number, string>
  /** Lines of headings that tell more about a row's task. */
  readonly detailed: Pick<ReadonlySet<number>, "has">
  /** By the lines of headings: the row that each tells more about. */
  readonly told: StepHeadings["told"]
  readonly legend: Legend
}

interface Sorting {
  readonly dialect: Dialect
  readonly entryOf: Map<Row, Entry>
  readonly byLabel: Map<string, Entry>
  readonly steps: StepHeadings
  /** Labels such as P1 occur again and again: they say what is urgent, and are no ids. */
  readonly hasPriorities: () => boolean
  /** Open headings that are tasks, or tell more about one, outermost first: rows below them are its sub-items. */
  readonly headings: { readonly level: number; readonly entry: Entry }[]
  readonly levels: ReadonlyMap<number, number>
  readonly units: SortedRows["units"]
  /** Headings of phases without a row, whose rows are tasks. */
  readonly added: Heading[]
  /** Rows that only say by what an earlier one is judged. */
  readonly judged: ReadonlyMap<Row, Row>
}

const PLACEHOLDER_TEXT = /^[*_]*TBD[*_.]*$/i
const PLAN_NUMBER = /^0*(\d+(?:\.\d+)?)-\d+$/
const LAST_PART = /\.\d+[a-z]?$/

/** Decides for each row what it is (docs/PLAN-FORMATS.md). */
export function sortRows(scanned: Blocks, dialect: Dialect, text: OwnLines): SortedRows {
  const { lines } = text
  const found = findLegend(lines, scanned)
  const legend = found.rows
  const isBox = boxReader(lines, scanned, () => readLegend(lines, scanned, found))
  const rows = scanned.rows.filter(
    (row, at) => !row.quoted && isBox(row, at) && !legend.has(row.index),
  )
  const steps = findStepHeadings({ ...scanned, rows }, dialect, text)
  const units = unitsOfWork(scanned.headings)
  const sections = assignSections(steps.blocks, dialect, { ...steps, units })
  const blocks = steps.labelled.size === 0 ? scanned : withAdded(scanned, steps)
  const levels = new Map(blocks.headings.map(({ index, level }) => [index, level]))
  const none = { entryOf: new Map(), byLabel: new Map(), headings: [], added: [] }
  const hasPriorities = once(() => priorityComesAgain(rows))
  const judged = judgedRows(rows, (row) => sections.of.get(row))
  const sorting: Sorting = { dialect, steps, levels, units, hasPriorities, judged, ...none }
  const ignored = sortInOrder(sorting, blocks, { of: sections.of, legend })
  const entries = [...sorting.entryOf.values()]
  const [heading] = sorting.added
  const passedOver =
    sections.passedOver ?? (heading === undefined ? null : { why: "phase" as const, heading })
  const { statuses, unread, standIns, told } = steps
  const detailed = { has: (index: number) => standIns.has(index) || told.has(index) }
  return {
    ...{ entries, ignored, passedOver, blocks, statuses, unread, units },
    ...{ detailed, told, legend: found },
  }
}

/** Sorts all rows, and gives those that are none. */
function sortInOrder(
  sorting: Sorting,
  blocks: Blocks,
  { of, legend }: { readonly of: RowSections["of"]; readonly legend: ReadonlySet<number> },
): readonly IgnoredLine[] {
  const ignored: IgnoredLine[] = []
  let at = 0
  for (const row of blocks.rows) {
    at = enterHeadings(sorting, blocks.headings, { at, upTo: row.index })
    const within = of.get(row)
    const verdict =
      within === undefined
        ? notOf(row, legend)
        : sortRow(sorting, row, withPhase(sorting, row, within))
    if (typeof verdict === "string") ignored.push({ line: row.index + 1, reason: verdict })
  }
  return ignored
}

function enterHeadings(
  sorting: Sorting,
  headings: readonly Heading[],
  { at, upTo }: { readonly at: number; readonly upTo: number },
): number {
  let next = at
  for (; (headings[next]?.index ?? Number.POSITIVE_INFINITY) <= upTo; next++) {
    const heading = headings[next]
    if (heading !== undefined) enterHeading(sorting, heading)
  }
  return next
}

/** The rows that are no candidates stay: each is ignored for a reason. */
function withAdded(scanned: Blocks, { blocks, labelled }: StepHeadings): Blocks {
  const rows = [...scanned.rows, ...labelled.keys()].sort((one, other) => one.index - other.index)
  return { ...scanned, rows, headings: blocks.headings }
}

function enterHeading({ headings, steps, entryOf }: Sorting, { index, level }: Heading): void {
  while ((headings.at(-1)?.level ?? 0) >= level) headings.pop()
  const row = steps.standIns.get(index)
  const entry = row === undefined ? undefined : entryOf.get(row)
  if (entry !== undefined) headings.push({ level, entry: entry.parent ?? entry })
}

function notOf(row: Row, legend: ReadonlySet<number>): string {
  if (legend.has(row.index)) return "legend"
  return row.quoted ? "block-quote" : "not-a-marker"
}

/** The reason why a row is ignored, or its new entry. */
function sortRow(sorting: Sorting, row: Row, within: RowSection): string | Entry {
  const labelled = sorting.steps.labelled.get(row) ?? labelOf(row, sorting)
  const parent = nestedUnder(sorting, row) ?? numberedParent(sorting, labelled.label)
  const reason = parent === null ? reasonAgainst(within) : null
  if (reason !== null) return reason
  if (sorting.dialect.hasElements && PLACEHOLDER_TEXT.test(labelled.rest)) return "placeholder"
  const entry: Entry = { row, labelled, within, parent: parent?.parent ?? parent }
  sorting.entryOf.set(row, entry)
  if (labelled.label !== null && within.section !== null && sorting.dialect.children !== "none") {
    sorting.byLabel.set(plainNumber(labelled.label), entry)
  }
  if (row.kind !== "list") {
    sorting.headings.push({ level: sorting.levels.get(row.index) ?? 1, entry })
  }
  return entry
}

function reasonAgainst({ section }: RowSection): string | null {
  if (section === "ignored") return "ignored-heading"
  return section === null || section === "beside" ? "outside-section" : null
}

const MAY_BE_PRIORITY = /^[*_~]{0,4}P\d[*_~]{0,4}[:.)\s]/
const PRIORITY = /^P\d$/

function priorityComesAgain(rows: readonly Row[]): boolean {
  const labels = rows.flatMap(({ box }) =>
    MAY_BE_PRIORITY.test(box.text) ? (splitLabel(box.text).label ?? []) : [],
  )
  const found = labels.filter((label) => PRIORITY.test(label))
  return new Set(found).size < found.length
}

function labelOf(row: Row, { hasPriorities }: Pick<Sorting, "hasPriorities">): Labelled {
  const plain = splitLabel(row.box.text)
  // A heading keeps its id behind a sign, `⭐ Task 1.1`, when it gets a box.
  const isBare = row.kind === "heading" && plain.label === null
  const behindSign = isBare ? splitLabel(numberedWords(row.box.text)) : plain
  const split = behindSign.label === null ? plain : behindSign
  const labelled =
    PRIORITY.test(split.label ?? "") && hasPriorities() ? { ...split, label: null } : split
  if (labelled.label !== null || row.ordinal === null || labelled.isPlaceholder) return labelled
  return { ...labelled, label: row.ordinal }
}

function nestedUnder(sorting: Sorting, row: Row): Entry | null {
  for (let outer = row.parent; outer !== null; outer = outer.parent) {
    const entry = sorting.entryOf.get(outer)
    if (entry !== undefined) return entry
  }
  const { headings, entryOf, judged } = sorting
  return headings.at(-1)?.entry ?? entryOf.get(judged.get(row) ?? row) ?? null
}

/** Only an earlier row can be a parent: below only a group's heading, `1.1` remains a task. */
function numberedParent(sorting: Sorting, label: string | null): Entry | null {
  if (label === null || sorting.dialect.children === "none") return null
  if (sorting.dialect.children === "dashed") {
    const phase = PLAN_NUMBER.exec(label)?.[1]
    return phase === undefined ? null : (sorting.byLabel.get(phase) ?? null)
  }
  if (!label.includes(".") || !/^\d/.test(label) || !LAST_PART.test(label)) return null
  return sorting.byLabel.get(label.replace(LAST_PART, "")) ?? null
}

/** `03.2-01` below a heading of phase 3.2 that has no row: its author added a phase, which is run all the same. */
function withPhase(
  { dialect, units, byLabel, added }: Sorting,
  row: Row,
  within: RowSection,
): RowSection {
  const isOutside = reasonAgainst(within) === "outside-section" && dialect.children === "dashed"
  const phase = isOutside ? PLAN_NUMBER.exec(splitLabel(row.box.text).label ?? "")?.[1] : undefined
  if (phase === undefined || byLabel.has(phase)) return within
  const { heading } = within
  if (heading === null || plainNumber(units.get(heading.index) ?? "") !== phase) return within
  added.push(heading)
  return { ...within, section: "task" }
}

function plainNumber(label: string): string {
  return (label.startsWith("0") ? label.replace(/^0+(?=\d)/, "") : label).toLowerCase()
}
