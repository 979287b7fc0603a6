// Headings that are tasks: their steps, their states, and what is odd about them.
import { type MarkerTable, type Meaning, meaningOf } from "../model/markers.ts"
import {
  isSettled,
  type PlanWarning,
  type StatusWord,
  type Step,
  type Task,
} from "../model/plan.ts"
import { cleanTitle } from "../model/title.ts"
import type { Entry, SortedRows } from "../tasks/rows.ts"
import { stateOfSteps } from "../tasks/steps.ts"
import type { StatusLine } from "./status-lines.ts"

/** What is read of a heading that is a task: what it says of its state, and the parts of its task. */
export interface HeadingTask {
  /** Null for a status that nobody knows. */
  readonly meaning: Meaning | null
  readonly parts: Pick<Task, "steps" | "status" | "marker" | "optional">
}

interface Reading {
  readonly tables: readonly MarkerTable[]
  readonly statuses: SortedRows["statuses"]
  readonly warnings: PlanWarning[]
}

/** Reads a heading that is a task: the boxes below it say its state; without one its status line. */
export function readHeading(
  { row }: Entry,
  below: readonly Entry[],
  reading: Reading,
): HeadingTask {
  const said = reading.statuses.get(row.index)
  const steps = readSteps(below, reading)
  const hasSteps = steps.length > 0
  return {
    meaning: hasSteps || said === undefined ? { state: stateOfSteps(steps) } : meaningOfWord(said),
    parts: {
      steps,
      marker: hasSteps ? "" : (said?.word ?? ""),
      optional: hasSteps && steps.every(({ optional }) => optional),
      ...(said === undefined ? {} : { status: statusOf(said) }),
    },
  }
}

function meaningOfWord({ state }: StatusLine): Meaning | null {
  return state === null ? null : { state }
}

function statusOf({ index, word, at }: StatusLine): StatusWord {
  return { line: index + 1, word, at }
}

/** A marker that nobody knows is warned of. */
function readSteps(parts: readonly Entry[], { tables, warnings }: Reading): readonly Step[] {
  return parts.map(({ row }) => {
    const { marker, starred, text } = row.box
    const line = row.index + 1
    const meaning = meaningOf(marker, tables)
    if (meaning === null) warnings.push(unknownMarker(line, marker, "step"))
    const state = meaning?.state ?? "open"
    return { line, title: cleanTitle(text), state, marker, optional: starred }
  })
}

/** A warning of a marker that nobody knows: what bears it counts as open. */
export function unknownMarker(line: number, marker: string, what: "task" | "step"): PlanWarning {
  const message = `Nobody knows the marker [${marker}]: the ${what} counts as open${what === "task" ? " and is not run" : ""}.`
  return { line, rule: "unknown-marker", message }
}

/** A warning of headings that are tasks and have neither a box nor a status: nothing can be ticked there yet. */
export function withoutBox(tasks: readonly Task[]): readonly PlanWarning[] {
  const found = tasks.filter(({ steps, status }) => steps?.length === 0 && status === undefined)
  const [first] = found
  if (first === undefined) return []
  const more = found.length === 1 ? "" : ` and ${found.length - 1} more`
  const message = `${first.key}${more} has no box below its heading: once it is done, write [x] before the heading's words.`
  return [{ line: first.line, rule: "headings-without-box", message }]
}

/** A warning of open tasks right below a heading whose `Status:` says done: the boxes have the last word. */
export function statusAgainstRows(
  { statuses, blocks }: SortedRows,
  tasks: readonly Task[],
): readonly PlanWarning[] {
  if (statuses.size === 0) return []
  const against: Task[] = []
  let at = 0
  for (const task of tasks) {
    while ((blocks.headings[at + 1]?.index ?? Number.POSITIVE_INFINITY) < task.line) at++
    const said = statuses.get(blocks.headings[at]?.index ?? -1)
    if (said?.state === "done" && !isSettled(task)) against.push(task)
  }
  const [first] = against
  if (first === undefined) return []
  const open = against.length === 1 ? "1 task is" : `${against.length} tasks are`
  const message = `${open} open below a heading whose Status says done, the first is ${first.key}: the boxes count; tick those that are done.`
  return [{ line: first.line, rule: "status-against-boxes", message }]
}
