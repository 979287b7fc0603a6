// Finds the lines of a plan that look like tasks but have no box, and says so.

import { LEAST } from "../dialects/counting.ts"
import { adapterOf } from "../formats.ts"
import type { BoxSpot } from "../headings/own-headings.ts"
import type { ParseOptions } from "../model/plan.ts"
import { MAX_LENGTH, type ReadRows, readRows } from "../read-rows.ts"
import { choicesBeside, toldBeside } from "./beside-tasks.ts"
import { type BoxChoice, boxChoices } from "./box-choices.ts"
import { areLines } from "./box-lines.ts"
import { besideWarning, likeliestChoice } from "./likeliest-choice.ts"

/** A plan of rows, examined for lines without a box. */
export interface BoxlessPlan extends Pick<ReadRows, "lines" | "blocks" | "tasks" | "places"> {
  /** What may be its tasks, the likeliest first; in a plan that has tasks, what stands outside them. */
  readonly choices: () => Iterable<BoxChoice>
  /** Its reading once each of these lines has a box. */
  readonly readWith: (spots: readonly BoxSpot[]) => ReadRows
  /** Those of these lines that become tasks if they get a box. */
  readonly taken: (spots: readonly BoxSpot[]) => readonly BoxSpot[]
}

/** Null for a plan of data. */
export function readBoxless(text: string, options: ParseOptions): BoxlessPlan | null {
  if (text.length > MAX_LENGTH || adapterOf(text, options) !== null) return null
  const read = readRows(text, options)
  const { lines, blocks, tasks, places } = read
  return {
    ...{ lines, blocks, tasks, places },
    choices: () => (tasks.length === 0 ? boxChoices(read, places()) : choicesBeside(read)),
    readWith: (spots) => readWith(read, spots, options),
    taken: (spots) => takenOf(read, spots, options),
  }
}

/** What to say about such lines, and which they are. */
export function boxWarnings(read: ReadRows, options: ParseOptions) {
  const { tasks } = read
  const taken = (spots: readonly BoxSpot[]) => takenOf(read, spots, options)
  if (tasks.length === 0) {
    const told = likeliestChoice({ ...read, taken })
    const withoutBox = told === null ? [] : [told.warning]
    return { spots: told?.spots ?? [], withoutBox }
  }
  const found = toldBeside(read)
  if (found.length === 0) return { spots: [], withoutBox: [] }
  const canHaveBoxes = found.some(({ spots }) => taken(spots).length > 0)
  const withoutBox = [besideWarning(found, read.lines, canHaveBoxes)]
  return { spots: found.flatMap(({ spots }) => spots), withoutBox }
}

/**
 * Those of these lines that become tasks besides the others if they get a box: all, or at least two; none if no boxes can be written that
 * make exactly them tasks.
 */
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

/** The lines of its tasks, and these, by index. */
export function wantedWith(
  { tasks }: Pick<ReadRows, "tasks">,
  spots: readonly BoxSpot[],
): readonly number[] {
  return [...tasks.map(({ line }) => line - 1), ...spots.map(({ index }) => index)]
}

function readWith({ lines }: ReadRows, spots: readonly BoxSpot[], options: ParseOptions): ReadRows {
  const boxed = [...lines]
  for (const { index, at } of spots) {
    const line = lines[index] ?? ""
    boxed[index] = `${line.slice(0, at)}[ ] ${line.slice(at)}`
  }
  return readRows(boxed.join("\n"), { ...options, lines: boxed })
}
