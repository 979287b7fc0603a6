// The last line (from 1) of each task.
import type { Blocks } from "../blocks/blocks.ts"
import type { Entry } from "./rows.ts"

/**
 * The last line (from 1) of each task: up to the next task, heading or thematic break, so that
 * details which stand at the margin stay with their task. A task that is a heading goes on over
 * deeper headings. Trailing blank lines belong to none.
 */
export function findEndLines(
  tasks: readonly Entry[],
  blocks: Blocks,
  lines: readonly string[],
): number[] {
  const stops = stopsOf(blocks)
  let at = 0
  return tasks.map(({ row }, index) => {
    while (indexOf(stops[at]) < row.index) at++
    const own = row.kind === "list" ? undefined : stops[at]
    const stop = own === undefined ? stops[at] : nextAtLevel(stops, at + 1, own.level)
    const next = tasks[index + 1]?.row.index ?? lines.length
    return lastFilled(lines, row.index, Math.min(indexOf(stop), next, lines.length))
  })
}

interface Stop {
  readonly index: number
  readonly level: number
}

const DEEPEST = 7

/** Headings and, as the deepest of all, thematic breaks, in the order of the text. */
function stopsOf({ headings, breaks }: Blocks): readonly Stop[] {
  const rules = breaks.map((index) => ({ index, level: DEEPEST }))
  return [...headings, ...rules].sort((one, other) => one.index - other.index)
}

function indexOf(stop: Stop | undefined): number {
  return stop?.index ?? Number.POSITIVE_INFINITY
}

function nextAtLevel(stops: readonly Stop[], from: number, level: number): Stop | undefined {
  for (let at = from; at < stops.length; at++) {
    const stop = stops[at]
    if (stop !== undefined && stop.level <= level) return stop
  }
  return undefined
}

function lastFilled(lines: readonly string[], first: number, stop: number): number {
  let end = stop
  while (end > first + 1 && (lines[end - 1] ?? "").trim() === "") end--
  return end
}
