// The lines of a plan that look like tasks and have no box, and what is said of them.

import { LEAST } from "../dialects/counting.ts"
import { adapterOf } from "../formats.ts"
import type { BoxSpot } from "../headings/own-headings.ts"
import { isSettled, type ParseOptions, type PlanWarning, type Task } from "../model/plan.ts"
import { isDoneByFront, MAX_LENGTH, type ReadRows, readRows } from "../read-rows.ts"
import type { Boxless } from "../tasks/boxless-headings.ts"
import { linesWithout } from "../tasks/boxless-rows.ts"
import { type BoxChoice, boxChoices } from "./box-choices.ts"
import { areLines, kindOf } from "./box-lines.ts"
import { CHOOSE, likeliestChoice } from "./likeliest-choice.ts"

/** A plan of rows, as it is looked at for lines without a box. */
export interface BoxlessPlan extends Pick<ReadRows, "lines" | "blocks" | "tasks" | "places"> {
  /** What may be its tasks, the likeliest first; in a plan that has tasks, what lacks a box beside them. */
  readonly choices: () => Iterable<BoxChoice>
  /** Its reading once these lines have a box each. */
  readonly readWith: (spots: readonly BoxSpot[]) => ReadRows
  /** Of these lines those that become tasks by a box. */
  readonly taken: (spots: readonly BoxSpot[]) => readonly BoxSpot[]
}

/** Null for a plan of data. */
export function readBoxless(text: string, options: ParseOptions): BoxlessPlan | null {
  if (text.length > MAX_LENGTH || adapterOf(text, options) !== null) return null
  const read = readRows(text, options)
  const { lines, blocks, tasks, places } = read
  const beside = () => {
    const spots = withoutBox(read)?.spots
    if (spots === undefined) return []
    return [{ kind: kindOf(places(), spots), spots, likelihood: "told" } as const]
  }
  return {
    ...{ lines, blocks, tasks, places },
    choices: () => (tasks.length === 0 ? boxChoices(read, places()) : beside()),
    readWith: (spots) => readWith(read, spots, options),
    taken: (spots) => takenOf(read, spots, options),
  }
}

/** The lines beside the tasks of a plan that look like some and have no box; while something is left to do, none where the tasks are what was likeliest when nothing had a box. */
function withoutBox(read: ReadRows): WithoutBox | null {
  const { tasks } = read
  if (tasks.length === 0 || saysItIsDone(read)) return null
  const { rows, headings } = linesWithout(read)
  const found = [...rows, ...headings].sort((one, other) => one.index - other.index)
  if (found.length === 0) return null
  if (tasks.every(isSettled)) return { spots: found, rows, headings }
  const chosen = read.chosen()
  const isBoxed = ({ line, steps }: Task) => steps === undefined && chosen.has(line - 1)
  const isMeant = tasks.every(isBoxed) ? ({ index }: Boxless) => chosen.has(index) : () => true
  const spots = found.filter(isMeant)
  if (spots.length === 0) return null
  return { spots, rows: rows.filter(isMeant), headings: headings.filter(isMeant) }
}

interface WithoutBox {
  readonly spots: readonly Boxless[]
  readonly rows: readonly Boxless[]
  readonly headings: readonly Boxless[]
}

/** What is said of such lines, and which they are. */
export function boxWarnings(read: ReadRows, options: ParseOptions) {
  const { tasks } = read
  const taken = (spots: readonly BoxSpot[]) => takenOf(read, spots, options)
  if (tasks.length === 0) {
    const told = likeliestChoice({ ...read, taken })
    const withoutBox = told === null ? [] : [told.warning]
    return { spots: told?.spots ?? [], kind: told?.kind, withoutBox }
  }
  const found = withoutBox(read)
  if (found === null) return { spots: [], kind: undefined, withoutBox: [] }
  const { spots, rows, headings } = found
  const warnings = [...boxlessWarning(rows), ...emptyWarning(headings)]
  return { spots, kind: undefined, withoutBox: warnings }
}

/** Of lines those that are tasks beside the others once they have a box, all or at least two; none where no box can be written so that just they are. */
function takenOf(
  read: ReadRows,
  spots: readonly BoxSpot[],
  options: ParseOptions,
): readonly BoxSpot[] {
  const after = readWith(read, spots, options).tasks
  if (areLines(after, wantedWith(read, spots))) return spots
  const lines = new Set(after.map(({ line }) => line - 1))
  const part = spots.filter(({ index }) => lines.has(index))
  if (part.length < LEAST) return []
  return areLines(readWith(read, part, options).tasks, wantedWith(read, part)) ? part : []
}

/** By their indexes the lines of its tasks, and these. */
export function wantedWith(
  { tasks }: Pick<ReadRows, "tasks">,
  spots: readonly BoxSpot[],
): readonly number[] {
  return [...tasks.map(({ line }) => line - 1), ...spots.map(({ index }) => index)]
}

/** Whether the status of the front matter and all boxes say as one that nothing is left. */
function saysItIsDone({ choice, front, tasks }: ReadRows): boolean {
  return choice.dialect.hasFrontStatus && isDoneByFront(front) && tasks.every(isSettled)
}

function readWith({ lines }: ReadRows, spots: readonly BoxSpot[], options: ParseOptions): ReadRows {
  const boxed = [...lines]
  for (const { index, at } of spots) {
    const line = lines[index] ?? ""
    boxed[index] = `${line.slice(0, at)}[ ] ${line.slice(at)}`
  }
  return readRows(boxed.join("\n"), { ...options, lines: boxed })
}

/** A warning of such lines; none for none. */
function boxlessWarning(found: readonly Boxless[]): readonly PlanWarning[] {
  const [first] = found
  if (first === undefined) return []
  const lines =
    found.length === 1
      ? "1 line without a box looks like a task but is not counted"
      : `${found.length} lines without a box look like tasks but are not counted; the first`
  const message = `${lines}: "${first.title}". ${CHOOSE}.`
  return [{ line: first.index + 1, rule: "rows-without-box", message }]
}

/** A warning of headings that name a unit of work and hold none; none for none. */
function emptyWarning(found: readonly Boxless[]): readonly PlanWarning[] {
  const [first] = found
  if (first === undefined) return []
  const counted =
    found.length === 1
      ? "1 heading has no box, nor a row with one below it, and counts as no task"
      : `${found.length} headings have no box, nor a row with one below them, and do not count as tasks; the first`
  const message = `${counted}: "${first.title}". ${CHOOSE}.`
  return [{ line: first.index + 1, rule: "empty-headings", message }]
}
