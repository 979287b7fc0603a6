import type { Blocks, Row } from "./blocks.ts"
import type { Dialect } from "./dialects.ts"
import { type Labelled, splitLabel } from "./label.ts"
import { isMarker } from "./markers.ts"
import type { IgnoredLine } from "./plan.ts"
import { type Place, placeRows } from "./sections.ts"

/** A row that counts, with its id. */
export interface Entry {
  readonly row: Row
  readonly labelled: Labelled
  readonly place: Place
  /** The task that this row is a sub-item of; null for a task. */
  readonly parent: Entry | null
}

/** All rows of a plan, sorted into tasks, sub-items and what is neither. */
export interface SortedRows {
  readonly entries: readonly Entry[]
  readonly ignored: readonly IgnoredLine[]
  readonly areSectionsEmpty: boolean
}

interface Sorting {
  readonly dialect: Dialect
  readonly entryOf: Map<Row, Entry>
  readonly byLabel: Map<string, Entry>
  /** Open heading rows, outermost first: rows below them are their sub-items. */
  readonly headingEntries: Entry[]
}

const PLACEHOLDER_TEXT = /^[*_]*TBD[*_.]*$/i
const PLAN_NUMBER = /^0*(\d+(?:\.\d+)?)-\d+$/
const LAST_PART = /\.\d+[a-z]?$/

/** Decides for each row what it is (plan-formats rules 4, 5 and 6). */
export function sortRows(blocks: Blocks, dialect: Dialect): SortedRows {
  const candidates = blocks.rows.filter((row) => !row.quoted && isMarker(row.box.marker))
  const places = placeRows({ ...blocks, rows: candidates }, dialect)
  const sorting: Sorting = { dialect, entryOf: new Map(), byLabel: new Map(), headingEntries: [] }
  const ignored: IgnoredLine[] = []
  const headings = new Map(blocks.headings.map((heading) => [heading.index, heading.level]))
  let at = 0
  for (const row of blocks.rows) {
    for (; (blocks.headings[at]?.index ?? Number.POSITIVE_INFINITY) <= row.index; at++) {
      closeHeadings(sorting, headings, blocks.headings[at]?.level ?? 1)
    }
    const place = places.of.get(row)
    const verdict = place === undefined ? tagOrQuote(row) : sortRow(sorting, row, place)
    if (typeof verdict === "string") ignored.push({ line: row.index + 1, reason: verdict })
  }
  const entries = [...sorting.entryOf.values()]
  return { entries, ignored, areSectionsEmpty: places.areSectionsEmpty }
}

function closeHeadings(sorting: Sorting, levels: ReadonlyMap<number, number>, level: number): void {
  const { headingEntries } = sorting
  for (;;) {
    const inner = headingEntries.at(-1)
    if (inner === undefined || (levels.get(inner.row.index) ?? 0) < level) return
    headingEntries.pop()
  }
}

function tagOrQuote(row: Row): string {
  return row.quoted ? "block-quote" : "not-a-marker"
}

/** The reason why a row is ignored, or its new entry. */
function sortRow(sorting: Sorting, row: Row, place: Place): string | Entry {
  const labelled = labelOf(row)
  const above = nestedUnder(sorting, row)
  if (above === "ignored") return "below-ignored-row"
  const parent = above ?? numberedParent(sorting, labelled.label)
  if (parent === null && place.section === "ignored") return "ignored-heading"
  if (parent === null && place.section === null) return "outside-section"
  if (sorting.dialect.hasElements && PLACEHOLDER_TEXT.test(labelled.rest)) return "placeholder"
  const entry: Entry = { row, labelled, place, parent: parent?.parent ?? parent }
  sorting.entryOf.set(row, entry)
  if (labelled.label !== null && place.section !== null && sorting.dialect.children !== "none") {
    sorting.byLabel.set(plainNumber(labelled.label), entry)
  }
  if (row.kind === "heading") sorting.headingEntries.push(entry)
  return entry
}

function labelOf(row: Row): Labelled {
  const labelled = splitLabel(row.box.text)
  if (labelled.label !== null || row.ordinal === null || labelled.isPlaceholder) return labelled
  return { ...labelled, label: row.ordinal }
}

function nestedUnder(sorting: Sorting, row: Row): Entry | "ignored" | null {
  let hasIgnored = false
  for (let outer = row.parent; outer !== null; outer = outer.parent) {
    const entry = sorting.entryOf.get(outer)
    if (entry !== undefined) return entry
    hasIgnored ||= isMarker(outer.box.marker)
  }
  if (hasIgnored) return "ignored"
  return sorting.headingEntries.at(-1) ?? null
}

/** Only an earlier row can be a parent: a group's heading alone leaves `1.1` a task. */
function numberedParent(sorting: Sorting, label: string | null): Entry | null {
  if (label === null || sorting.dialect.children === "none") return null
  if (sorting.dialect.children === "dashed") {
    const phase = PLAN_NUMBER.exec(label)?.[1]
    return phase === undefined ? null : (sorting.byLabel.get(phase) ?? null)
  }
  if (!/^\d/.test(label) || !LAST_PART.test(label)) return null
  return sorting.byLabel.get(label.replace(LAST_PART, "")) ?? null
}

function plainNumber(label: string): string {
  return label.toLowerCase().replace(/^0+(?=\d)/, "")
}
