// Patches the reading of a plan if nothing but boxes was ticked since.
import { dialectOf } from "./dialects/dialects.ts"
import { isAdapted } from "./formats.ts"
import type { Lines } from "./model/lines.ts"
import {
  onceAReading,
  oncePerPlan,
  placesBy,
  placesWaiting,
  tickedTasks,
} from "./model/once-a-reading.ts"
import { isSettled, isSettledState, type Plan, settledCount, type Task } from "./model/plan.ts"
import { readState } from "./model/state-words.ts"
import { isRunnable, summarize } from "./tasks/summarize.ts"

/** A plan's lines, and what was read from them. */
export interface PlanLines {
  readonly lines: Lines
  readonly plan: Plan
}

/** Where a blank became an `x`: the line, from 0, and the column. */
export interface Tick {
  readonly index: number
  readonly column: number
}

/** A list row with an open box, up to the blank after it. */
const OPEN_ROW = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[ \]\*?[ \t]/
const TICK = "x"
/** With more ticks it is as quick to read everything. */
export const MAX_TICKS = 256
/** What they say depends on the states of several tasks, or says that a state was read differently from how it is written. */
const OF_STATES: ReadonlySet<string> = new Set(["status-against-boxes", "unknown-marker"])
const NO_LETTERS = /^[^\p{L}]+/u

/**
 * The reading of a text in which, at these places, the blank in a box became an `x`, and nothing else differs: only those tasks change, and
 * what waits for them. Null whenever more may depend on them (the last open task, open parts, a plan of headings, a legend, a first tick, a
 * warning): then the whole text must be read. `test/property/plan-ticks.test.ts` checks that it equals the reading of the whole text.
 */
export function withTicks(
  { lines: before, plan }: PlanLines,
  ticks: readonly Tick[],
): PlanLines | null {
  if (ticks.length === 0 || ticks.length > MAX_TICKS || !isOfPlainRows(plan)) return null
  const ticked = new Map<number, string>()
  for (const { index, column } of ticks) {
    const [line = ""] = before.slice(index, index + 1)
    // A second one in a line is in its words.
    if (OPEN_ROW.exec(line)?.[0].indexOf("[") !== column - 1) return null
    ticked.set(index, line.slice(0, column) + TICK + line.slice(column + 1))
  }
  const changed = doneOn(plan, ticked)
  if (changed === null) return null
  const tasks = tickedTasks(plan.tasks, new Map([...changed, ...freedBy(changed, plan.tasks)]))
  const { open, done } = plan.counts
  const counts = { ...plan.counts, open: open - ticked.size, done: done + ticked.size }
  const summary = summarize(tasks, counts)
  // What stands open beside the tasks then decides.
  if (summary.state === "complete") return null
  return { lines: withLines(before, ticked), plan: { ...plan, ...summary } }
}

function isOfPlainRows({ dialect, warnings }: Plan): boolean {
  return (
    !(isAdapted(dialect) || dialectOf(dialect).hasElements) &&
    !warnings.some(({ rule }) => OF_STATES.has(rule))
  )
}

/** The tasks on these lines as done, by place; null if a line belongs to none, or something else depends on one. */
function doneOn(
  { tasks, counts, subItems, warnings }: Plan,
  ticked: ReadonlyMap<number, string>,
): ReadonlyMap<number, Task> | null {
  // What a tick means here may depend on the plan's legend.
  if (!tasks.some(({ marker, state }) => marker === TICK && state === "done")) return null
  if (warnings.some(({ line }) => ticked.has(line - 1))) return null
  const done = new Map<number, Task>()
  for (const [index, line] of ticked) {
    const place = placesByLine(tasks).get(index + 1) ?? -1
    const task = tasks[place]
    if (task === undefined || !isPlainlyOpen(task, line)) return null
    if (withOpenParts(subItems).has(task.key)) return null
    // What is done is not worked on.
    done.set(place, { ...task, state: "done", marker: TICK, runnable: false })
  }
  return settledCount(counts) + done.size === tasks.length ? null : done
}

/** What waited for these, if it can be worked on now. */
function freedBy(
  done: ReadonlyMap<number, Task>,
  tasks: readonly Task[],
): ReadonlyMap<number, Task> {
  const now = (place: number): Task | undefined => done.get(place) ?? tasks[place]
  const isOver = (key: string): boolean =>
    (placesByKey(tasks).get(key) ?? []).some((place) => isSettledState(now(place)?.state ?? null))
  const freed = new Map<number, Task>()
  for (const { key } of done.values())
    for (const place of placesWaiting(tasks).get(key) ?? []) {
      const task = now(place)
      if (task !== undefined && isRunnable(task, task.dependsOn, isOver))
        freed.set(place, { ...task, runnable: true })
    }
  return freed
}

const placesByKey = placesBy(({ key }) => key)

/** The tasks with open parts, by key. */
const withOpenParts = onceAReading(
  (parts: Plan["subItems"]): ReadonlySet<string> =>
    new Set(parts.filter((part) => !isSettled(part)).map(({ parentKey }) => parentKey)),
)

/** How many lines are in a piece. */
const PIECE = 512

/** The lines with others in these places, from 0; all pieces but theirs are kept. */
function withLines(before: Lines, others: ReadonlyMap<number, string>): Lines {
  const { length } = before
  const pieces = [...(before.pieces ?? inPieces(before))]
  for (const [index, line] of others) {
    const place = Math.floor(index / PIECE)
    pieces[place] = (pieces[place] ?? []).with(index % PIECE, line)
  }
  const slice = (from: number, to: number): readonly string[] => {
    const first = Math.floor(from / PIECE)
    const near = pieces.slice(first, Math.ceil(to / PIECE))
    return near.flatMap((piece, at) => {
      const begin = (first + at) * PIECE
      return piece.slice(Math.max(from - begin, 0), Math.max(to - begin, 0))
    })
  }
  return { length, pieces, slice }
}

function inPieces(lines: Lines): readonly (readonly string[])[] {
  const count = Math.ceil(lines.length / PIECE)
  return Array.from({ length: count }, (_, at) => lines.slice(at * PIECE, (at + 1) * PIECE))
}

/** The places of tasks in their list, by line; none for a line with several. */
const placesByLine = oncePerPlan((tasks: readonly Task[]): ReadonlyMap<number, number> => {
  const places = new Map<number, number>()
  for (const [place, { line }] of tasks.entries()) places.set(line, places.has(line) ? -1 : place)
  return places
})

/** Open by its box alone, with a title that nobody takes for a line of a legend. */
function isPlainlyOpen(task: Task, line: string): boolean {
  const { marker, state, rejected, steps } = task
  const isPlain = marker === " " && state === "open" && !rejected
  if (!isPlain || steps !== undefined) return false
  const words = line.slice(line.indexOf("]") + 1).trim()
  if (words.startsWith("=")) return false
  return [words, words.replace(NO_LETTERS, "")].every((each) => readState(each).state === null)
}
