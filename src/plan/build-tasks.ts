import type { Blocks } from "./blocks.ts"
import type { Dialect } from "./dialects.ts"
import { findEndLines } from "./end-lines.ts"
import { readLegend } from "./legend.ts"
import { type MarkerTable, type Meaning, meaningOf } from "./markers.ts"
import type { PlanWarning, Section, SubItem, Task } from "./plan.ts"
import type { Entry, SortedRows } from "./rows.ts"
import { headingWords } from "./sections.ts"
import { cleanTitle, hashTitle } from "./title.ts"

export interface BuildInput {
  readonly lines: readonly string[]
  readonly blocks: Blocks
  readonly sorted: SortedRows
  readonly dialect: Dialect
}

/** A task before its dependencies are known. */
export interface BuiltTasks {
  readonly tasks: readonly Task[]
  readonly subItems: readonly SubItem[]
  readonly warnings: readonly PlanWarning[]
}

interface Building {
  readonly tables: readonly MarkerTable[]
  readonly dialect: Dialect
  readonly keys: Map<string, number>
  readonly warnings: PlanWarning[]
}

const REJECTED = /VERDICT:[ \t]*REJECT(?:ED)?(?![\p{L}\p{N}]|[ \t]*[/|])/iu
const SKIPPED_TEXT =
  /\bSKIPPED\b|[(\u2014\u2013-][ \t]*skipped\b|跳过|跳過|スキップ|건너뜀|생략됨|bỏ qua/u
const UNKNOWN: Meaning = { state: "open" }

/** Makes tasks and sub-items of the sorted rows, each with its key, state and warnings. */
export function buildTasks(input: BuildInput): BuiltTasks {
  const { sorted, blocks, lines, dialect } = input
  const tables = [readLegend(lines, blocks), dialect.markers]
  const building: Building = { tables, dialect, keys: new Map(), warnings: [] }
  const roots = sorted.entries.filter(({ parent }) => parent === null)
  const ends = findEndLines(roots, blocks, lines)
  const taskOf = new Map<Entry, Task>()
  for (const [at, entry] of roots.entries()) {
    taskOf.set(entry, buildTask(building, entry, ends[at] ?? entry.row.index + 1))
  }
  const subItems = sorted.entries.flatMap((entry) => subItemOf(building, entry, taskOf))
  return { tasks: [...taskOf.values()], subItems, warnings: building.warnings }
}

function buildTask(building: Building, entry: Entry, endLine: number): Task {
  const { row, labelled, place } = entry
  const { marker, starred, text } = row.box
  const line = row.index + 1
  const meaning = meaningOf(marker, building.tables)
  const { state } = meaning ?? UNKNOWN
  const rest = labelled.rest === "" ? text : labelled.rest
  const section = sectionOf(entry)
  const titleHash = hashTitle(rest)
  const { key, isFirst } = takeKey(building, section, labelled.label, titleHash)
  const rejected = REJECTED.test(text.replaceAll("*", ""))
  const task: Task = {
    key,
    label: labelled.label,
    title: cleanTitle(rest),
    titleHash,
    section,
    group: place.heading === null ? null : cleanTitle(headingWords(place.heading)),
    state,
    marker,
    line,
    endLine,
    optional: starred,
    runnable: meaning !== null && (state === "open" || state === "in_progress"),
    dependsOn: [],
    reusable: isFirst,
    rejected,
    dialect: building.dialect.name,
  }
  warnAboutMarker(building, task, meaning)
  warnAboutText(building, task, entry)
  return task
}

function subItemOf(
  building: Building,
  entry: Entry,
  taskOf: ReadonlyMap<Entry, Task>,
): readonly SubItem[] {
  const parent = entry.parent === null ? undefined : taskOf.get(entry.parent)
  if (parent === undefined) return []
  const { state } = meaningOf(entry.row.box.marker, building.tables) ?? UNKNOWN
  const { label } = entry.labelled
  return [{ line: entry.row.index + 1, parentKey: parent.key, label, state }]
}

function sectionOf({ place }: Entry): Section {
  return place.section === null || place.section === "ignored" ? "task" : place.section
}

function takeKey(building: Building, section: Section, label: string | null, titleHash: string) {
  const first = label === null ? `task:~${titleHash}` : `${section}:${label.toLowerCase()}`
  const count = (building.keys.get(first) ?? 0) + 1
  building.keys.set(first, count)
  return { key: count === 1 ? first : `${first}#${count}`, isFirst: count === 1 }
}

function warnAboutMarker(building: Building, task: Task, meaning: Meaning | null): void {
  const { line, marker } = task
  if (meaning === null) {
    const message = `Nobody knows the marker [${marker}]: the task counts as open and is not run.`
    building.warnings.push({ line, rule: "unknown-marker", message })
  } else if (meaning.isGuess === true) {
    const message = `The marker [${marker}] is read as ${task.state}.`
    building.warnings.push({ line, rule: "guessed-marker", message })
  }
}

function warnAboutText(building: Building, task: Task, { row, labelled }: Entry): void {
  const warn = (rule: string, message: string) =>
    building.warnings.push({ line: task.line, rule, message })
  if (labelled.isPlaceholder) warn("placeholder-id", "The id is a template's placeholder.")
  if (!task.reusable) {
    warn(
      "duplicate-label",
      `Another task has this ${task.label === null ? "title" : "label"}: this one is ${task.key}.`,
    )
  }
  if (task.rejected && task.state === "done") {
    warn("rejected", "The row is ticked but its verdict is REJECT: that is no approval.")
  }
  if (task.state === "open" && SKIPPED_TEXT.test(row.box.text)) {
    warn("skipped-text", "The text says skipped, but the box is open: the task stays open.")
  }
}
