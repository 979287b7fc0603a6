// A reading of a plan in which nothing but boxes was ticked since, patched instead of made anew.
import { dialectOf } from "./dialects/dialects.ts"
import { isAdapted } from "./formats.ts"
import { isSettled, type Plan, type Task } from "./model/plan.ts"
import { readState } from "./model/state-words.ts"
import { summarize, withRunnable } from "./tasks/summarize.ts"

/** A plan's text, and what was read of it. */
export interface PlanText {
  readonly text: string
  readonly lines: readonly string[]
  readonly plan: Plan
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
 * The reading of a text in which, at these indexes in ascending order, the blank in a box became an `x`, and nothing else is
 * another: only those tasks change, and what waits for them. Null wherever more than that may hang on them (the last
 * open task, parts that are open, a plan of headings, a legend, a first tick, a warning): then the whole text says it.
 * Equal to the reading of the whole text, which `test/property/plan-ticks.test.ts` holds.
 */
export function withTicks(before: PlanText, ticks: readonly number[]): PlanText | null {
  const { text, plan } = before
  if (ticks.length === 0 || ticks.length > MAX_TICKS || !isOfPlainRows(plan)) return null
  const lines = [...before.lines]
  const ticked = new Set<number>()
  for (const { index, column } of positionsOf(before, ticks)) {
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
  return { text: withTicksAt(text, ticks), lines, plan: { ...plan, ...summary, state } }
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
  const marked = tasks.map((task): Task => {
    if (!ticked.has(task.line) || !isPlainlyOpen(task, lines[task.line - 1] ?? "")) return task
    done.add(task.key)
    return { ...task, state: "done", marker: TICK }
  })
  if (done.size !== ticked.size || marked.every(isSettled)) return null
  const isOpenPart = (part: Plan["subItems"][number]) =>
    done.has(part.parentKey) && !isSettled(part)
  return subItems.some(isOpenPart) ? null : withRunnable(marked)
}

/** Open by its box alone, with a title that nobody takes for a line of a legend. */
function isPlainlyOpen(task: Task, line: string): boolean {
  const { marker, state, rejected, steps } = task
  const isPlain = marker === " " && state === "open" && !rejected
  if (!isPlain || steps !== undefined) return false
  const words = line.slice(line.indexOf("]") + 1).trim()
  if (words.startsWith("=")) return false
  return [words, words.replace(NO_LETTERS, "")].every((each) => readState(each).state === null)
}

interface Position {
  readonly index: number
  readonly column: number
}

/** The lines, from 0, that these indexes of the text lie in, and where in them; none behind the text's end. */
function positionsOf({ text, lines }: PlanText, ticks: readonly number[]): readonly Position[] {
  const found: Position[] = []
  // A byte order mark belongs to no line.
  let start = text.length > 0 && text.charCodeAt(0) === 0xfeff ? 1 : 0
  for (let index = 0; index < lines.length && found.length < ticks.length; index++) {
    const end = start + (lines[index] ?? "").length
    for (let tick = ticks[found.length]; tick !== undefined && tick < end; ) {
      found.push({ index, column: tick - start })
      tick = ticks[found.length]
    }
    start = end + (text.startsWith("\r\n", end) ? 2 : 1)
  }
  return found
}

function withTicksAt(text: string, ticks: readonly number[]): string {
  let from = 0
  const parts = ticks.map((tick) => {
    const part = text.slice(from, tick)
    from = tick + 1
    return part
  })
  return [...parts, text.slice(from)].join(TICK)
}
