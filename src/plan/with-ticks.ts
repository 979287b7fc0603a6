// A reading of a plan in which nothing but boxes was ticked since, patched instead of made anew.
import { dialectOf } from "./dialects/dialects.ts"
import { isAdapted } from "./formats.ts"
import { noteTicked, oncePerPlan } from "./model/once-a-reading.ts"
import { isSettled, type Plan, type Task } from "./model/plan.ts"
import { readState } from "./model/state-words.ts"
import { summarize, waitingIn, withRunnable } from "./tasks/summarize.ts"

/** A plan's lines, and what was read of them. */
export interface PlanLines {
  readonly lines: readonly string[]
  readonly plan: Plan
}

/** Where a blank became an `x`: the line, from 0, and where in it. */
export interface Tick {
  readonly index: number
  readonly column: number
}

/** A row of a list with an open box, up to the blank behind it. */
const OPEN_ROW = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[ \]\*?[ \t]/
const TICK = "x"
/** More is no tick by tick: it is as quick to read all. */
export const MAX_TICKS = 256
/** What they say hangs on the states of several tasks, or says that a state was read otherwise than it is written. */
const OF_STATES: ReadonlySet<string> = new Set(["status-against-boxes", "unknown-marker"])
const NO_LETTERS = /^[^\p{L}]+/u

/**
 * The reading of a text in which, at these places, the blank in a box became an `x`, and nothing else is
 * another: only those tasks change, and what waits for them. Null wherever more than that may hang on them (the last
 * open task, parts that are open, a plan of headings, a legend, a first tick, a warning): then the whole text says it.
 * Equal to the reading of the whole text, which `test/property/plan-ticks.test.ts` holds.
 */
export function withTicks(
  { lines: before, plan }: PlanLines,
  ticks: readonly Tick[],
): PlanLines | null {
  if (ticks.length === 0 || ticks.length > MAX_TICKS || !isOfPlainRows(plan)) return null
  const lines = [...before]
  const ticked = new Set<number>()
  for (const { index, column } of ticks) {
    const line = lines[index] ?? ""
    // Of two in one line the second is in its words.
    if (OPEN_ROW.exec(line)?.[0].indexOf("[") !== column - 1) return null
    lines[index] = line.slice(0, column) + TICK + line.slice(column + 1)
    ticked.add(index + 1)
  }
  const tasks = tasksWith(plan, lines, ticked)
  if (tasks === null) return null
  const summary = summarize(tasks)
  const hasOutside = plan.warnings.some(({ rule }) => rule === "outside-rows")
  const state = summary.state === "complete" && hasOutside ? "rows-outside" : summary.state
  return { lines, plan: { ...plan, ...summary, state } }
}

function isOfPlainRows({ dialect, warnings }: Plan): boolean {
  return (
    !(isAdapted(dialect) || dialectOf(dialect).hasElements) &&
    !warnings.some(({ rule }) => OF_STATES.has(rule))
  )
}

/** The tasks with those on these lines done; null where a line is of none, or something else hangs on one. */
function tasksWith(
  { tasks, subItems, warnings }: Plan,
  lines: readonly string[],
  ticked: ReadonlySet<number>,
): readonly Task[] | null {
  // What a tick means here: the plan's legend has a word in it.
  if (!tasks.some(({ marker, state }) => marker === TICK && state === "done")) return null
  if (warnings.some(({ line }) => ticked.has(line))) return null
  const done = new Set<string>()
  const marked = [...tasks]
  for (const line of ticked) {
    const place = placesByLine(tasks).get(line) ?? -1
    const task = tasks[place]
    if (task === undefined || !isPlainlyOpen(task, lines[line - 1] ?? "")) return null
    done.add(task.key)
    // What is done is not worked on.
    marked[place] = { ...task, state: "done", marker: TICK, runnable: false }
  }
  if (done.size !== ticked.size || marked.every(isSettled)) return null
  const isOpenPart = (part: Plan["subItems"][number]) =>
    done.has(part.parentKey) && !isSettled(part)
  if (subItems.some(isOpenPart)) return null
  noteTicked(marked, tasks)
  return waitingIn(tasks).length === 0 ? marked : noteTicked(withRunnable(marked), tasks)
}

/** Where the tasks stand in their list, by their lines; none of a line that has several. */
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
