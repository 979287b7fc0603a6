// Makes tasks and sub-items of the sorted rows, each with its key, state and warnings.
// Over 250 lines: all that is made of a row shares what is known of the plan, its tables and keys.

import type { Heading, Mask, Row } from "../blocks/blocks.ts"
import type { Dialect } from "../dialects/dialects.ts"
import { headingWords } from "../dialects/heading-words.ts"
import { readLegend, writtenMarker } from "../dialects/legend.ts"
import {
  meaningOfHeading,
  readHeading,
  statusAgainstRows,
  unknownMarker,
  unreadStatus,
  withoutBox,
} from "../headings/heading-tasks.ts"
import { optionalReader } from "../headings/nest-headings.ts"
import type { TextLines } from "../model/lines.ts"
import { type MarkerTable, type Meaning, meaningOf } from "../model/markers.ts"
import { addTo } from "../model/once.ts"
import {
  isWorkable,
  type PlanWarning,
  type Section,
  type SubItem,
  type Task,
  type TaskState,
} from "../model/plan.ts"
import { cleanTitle, hashTitle } from "../model/title.ts"
import { childrenDone, openBelowSettled } from "./children-done.ts"
import { linkTasks } from "./dependencies.ts"
import {
  type Details,
  type DetailsOf,
  findEndLines,
  hintsOfHeadings,
  readDetails,
  tellingReader,
} from "./details.ts"
import type { Entry, SortedRows } from "./rows.ts"
import { isOutside } from "./sections.ts"
import { orderTasks } from "./summarize.ts"
import { idsOf, labelledIn, type TakenKeys, type TaskIds, takeKey } from "./take-key.ts"
import { warnOfText } from "./text-warnings.ts"

export interface BuildInput extends TextLines {
  readonly masks: readonly Mask[]
  readonly sorted: SortedRows
  readonly dialect: Dialect
}

/** A task before its dependencies are known. */
export interface BuiltTasks {
  readonly tasks: readonly Task[]
  readonly subItems: readonly SubItem[]
  readonly warnings: readonly PlanWarning[]
  /** The state of a row, by this plan's tables. */
  readonly stateOf: (row: Row) => TaskState
}

interface Building {
  readonly tables: readonly MarkerTable[]
  readonly dialect: Dialect
  /** How a block is written in the box; undefined if only a line below says it. */
  readonly blockMarker: string | undefined
  readonly keys: TakenKeys
  readonly ids: TaskIds
  readonly groups: Map<Heading, string>
  readonly statuses: SortedRows["statuses"]
  readonly warnings: PlanWarning[]
}

/** How a row of the final wave may end instead of stating a verdict: `F4. Audit: REJECTED (2 issues)`. */
const ENDS_REJECTED =
  /[:\u2014\u2013\u2192|-][\s*_`[]{0,8}REJECT(?:ED)?\b[^\p{L}\p{N}/|]*(?:\([^()]*\)[^\p{L}\p{N}]*)?$/u
const UNKNOWN: Meaning = { state: "open" }

/** Makes tasks and sub-items from the sorted rows, each with its key, state and warnings. */
export function buildTasks(input: BuildInput): BuiltTasks {
  const { sorted, text, lines, masks, dialect } = input
  const { blocks } = sorted
  const legend = readLegend(lines, blocks, sorted.legend)
  const roots = sorted.entries.filter(({ parent }) => parent === null)
  const building: Building = {
    tables: [legend, dialect.markers],
    dialect,
    blockMarker: writtenMarker(dialect, legend, "blocked"),
    keys: new Map(),
    ids: idsOf(roots, sorted.entries),
    groups: new Map(),
    statuses: sorted.statuses,
    warnings: [],
  }
  const partsOf = partsByEntry(sorted.entries)
  const ends = findEndLines(roots, blocks, lines)
  const isFree = optionalReader(blocks)
  const telling = tellingReader({ text, lines }, masks)
  const told = hintsOfHeadings(lines, blocks, { told: sorted.told, telling })
  const isKnown = namesIn(roots, blocks.headings)
  const keyOf = new Map<Entry | null, string>()
  const hinted = roots.map((entry, at) => {
    const endLine = ends[at] ?? entry.row.index + 1
    const parts = partsOf.get(entry) ?? []
    const found = { entry, endLine, parts, isKnown, isFree: isFree(entry.row) }
    const details = readDetails(lines, telling, found)
    const task = buildTask(building, found, details)
    if (parts.length > 0) keyOf.set(entry, task.key)
    const ofHeading = told.get(entry.row)
    const hints = ofHeading === undefined ? details.hints : [...details.hints, ...ofHeading]
    return { task, hints }
  })
  const parts = sorted.entries.filter(({ parent }) => parent !== null)
  const subItems = parts.flatMap((entry) => subItemOf(building, entry, keyOf) ?? [])
  const links = linkTasks(hinted, subItems)
  const tasks = hinted.map(({ task }) => task)
  return {
    tasks: orderTasks(tasks, links.of),
    subItems,
    stateOf: (row) => stateOfRow(row, building),
    warnings: [
      ...saidOnce(building.warnings),
      ...withoutBox(tasks, lines),
      ...links.warnings,
      ...(dialect.children === "dashed" ? childrenDone(tasks, subItems) : []),
      ...openBelowSettled(tasks, subItems, meantLines(parts)),
      ...statusAgainstRows(sorted, tasks),
      ...unreadStatus(sorted, tasks),
    ],
  }
}

/** The state of a row: by its marker or, for a heading without one, by its status line or title. */
function stateOfRow({ kind, index, box }: Row, { tables, statuses }: Building): TaskState {
  const isBare = kind === "bare-heading"
  const meaning = isBare
    ? meaningOfHeading(statuses.get(index), box.text)
    : meaningOf(box.marker, tables)
  return (meaning ?? UNKNOWN).state
}

/**
 * Lines of parts that only a number or a heading makes parts, so that they may have been meant as tasks; the others are nested or optional.
 */
function meantLines(parts: readonly Entry[]): ReadonlySet<number> {
  const isMeant = ({ row, parent }: Entry) =>
    (row.parent === null || parent?.row.kind === "heading") && !row.box.starred
  return new Set(parts.filter(isMeant).map(({ row }) => row.index + 1))
}

/** Tells whether words are the title of a task or heading; looked up only on demand. */
function namesIn(roots: readonly Entry[], headings: readonly Heading[]) {
  let names: ReadonlySet<string> | null = null
  return (titleHash: string) => {
    names ??= new Set(
      [
        ...roots.map(({ labelled, row }) => (labelled.rest === "" ? row.box.text : labelled.rest)),
        ...headings.map(({ text }) => headingWords(text)),
      ].map(hashTitle),
    )
    return names.has(titleHash)
  }
}

function partsByEntry(entries: readonly Entry[]): ReadonlyMap<Entry, readonly Entry[]> {
  const partsOf = new Map<Entry, Entry[]>()
  for (const entry of entries) {
    if (entry.parent !== null) addTo(partsOf, entry.parent, entry)
  }
  return partsOf
}

interface Found extends DetailsOf {
  /** A heading says that it may be left undone. */
  readonly isFree: boolean
}

function buildTask(building: Building, found: Found, details: Details): Task {
  const { entry, endLine } = found
  const { row, within } = entry
  const { marker, starred, text } = row.box
  const heading = row.kind === "bare-heading" ? readHeading(entry, found.parts, building) : null
  const meaning = heading === null ? meaningOf(marker, building.tables) : heading.meaning
  const state = stateFor(meaning ?? UNKNOWN, isBlockedBelow(details, building, heading !== null))
  const { label, rest, title } = labelledIn(building.ids, entry)
  const section = sectionOf(entry)
  const titleHash = hashTitle(rest)
  const isCountedAnew = building.ids.isCountedAnew(entry)
  const { key, isFirst } = takeKey(building.keys, { section, label, isCountedAnew }, titleHash)
  const task: Task = {
    key,
    label,
    title: cleanTitle(title),
    titleHash,
    section,
    group: groupOf(building, within),
    state,
    marker,
    line: row.index + 1,
    endLine,
    optional: starred || found.isFree,
    runnable: meaning !== null && isWorkable(state),
    ...(meaning === null ? { unknown: true } : {}),
    dependsOn: [],
    reusable: isFirst,
    rejected: isRejected(details, section, text),
    dialect: building.dialect.name,
  }
  if (heading === null) warnAboutMarker(building, task, meaning)
  warnOfText(building.warnings, task, entry)
  if (details.note === null && heading === null) return task
  const note = details.note === null ? {} : { note: details.note }
  const optional = task.optional || heading?.parts.optional === true
  return { ...task, ...note, ...heading?.parts, optional }
}

/** The words of the heading around it, made once for all rows below it. */
function groupOf({ groups }: Building, { heading }: Entry["within"]): string | null {
  if (heading === null) return null
  const known = groups.get(heading)
  const group = known ?? cleanTitle(heading.text)
  if (known === undefined) groups.set(heading, group)
  return group
}

/** A `BLOCKED:` line below it holds up an open task; a tick counts for more. */
function stateFor({ state }: Meaning, isBlockedBelow: boolean): TaskState {
  return isBlockedBelow && isWorkable(state) ? "blocked" : state
}

/**
 * If we mark a block in the box, its line alone blocks nothing, so that removing the mark is enough. If no marker exists, the line is the
 * block.
 */
function isBlockedBelow({ blocked }: Details, { blockMarker }: Building, isBare: boolean): boolean {
  return blocked === "by-hand" || (blocked === "by-us" && (isBare || blockMarker === undefined))
}

function isRejected({ verdict }: Details, section: Section, text: string): boolean {
  if (verdict !== null) return verdict === "reject"
  return section === "final-wave" && ENDS_REJECTED.test(text)
}

function subItemOf(
  building: Building,
  entry: Entry,
  keyOf: ReadonlyMap<Entry | null, string>,
): SubItem | null {
  const parentKey = keyOf.get(entry.parent)
  if (parentKey === undefined) return null
  const { state } = meaningOf(entry.row.box.marker, building.tables) ?? UNKNOWN
  const { label } = entry.labelled
  return { line: entry.row.index + 1, parentKey, label, state }
}

function sectionOf({ within }: Entry): Section {
  const { section } = within
  return section === null || isOutside(section) ? "task" : section
}

/** What markers mean is the same on each of their lines: it is said at the first. */
function saidOnce(warnings: readonly PlanWarning[]): readonly PlanWarning[] {
  const alike = new Map<string, PlanWarning[]>()
  for (const each of warnings) {
    if (each.rule.endsWith("-marker")) addTo(alike, each.message, each)
  }
  return warnings.flatMap((warning) => {
    const [first = warning, ...others] = alike.get(warning.message) ?? []
    if (first !== warning) return []
    if (others.length === 0) return [warning]
    const lines = others.length === 1 ? "1 other line" : `${others.length} other lines`
    return [{ ...warning, message: `${warning.message} So it is on ${lines}.` }]
  })
}

function warnAboutMarker(building: Building, task: Task, meaning: Meaning | null): void {
  const { line, marker } = task
  if (meaning === null) {
    building.warnings.push(unknownMarker(line, marker, "task"))
  } else if (meaning.isGuess === true) {
    const message = `The marker [${marker}] is read as ${task.state}.`
    building.warnings.push({ line, rule: "guessed-marker", message })
  }
}
