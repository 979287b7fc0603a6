// The last line (from 1) of each task.
import type { Blocks } from "../blocks/blocks.ts"
import { placeFrom } from "../model/lines.ts"
import type { Entry } from "./rows.ts"

/**
 * The last line (from 1) of each task: up to the next task, heading or thematic break, so that
 * details which stand at the margin stay with their task. A task that is a heading goes on over
 * deeper headings. Trailing blank lines belong to none.
 */
export function findEndLines(
  tasks: readonly Entry[],
  { headings, breaks }: Blocks,
  lines: readonly string[],
): number[] {
  const ends = new Map(headings.map(({ index, end }) => [index, end]))
  const stops = [...ends.keys(), ...breaks].sort((one, other) => one - other)
  return tasks.map(({ row }, at) => {
    const stop = row.kind === "list" ? stops[placeFrom(stops, row.index)] : ends.get(row.index)
    let end = Math.min(stop ?? lines.length, tasks[at + 1]?.row.index ?? lines.length)
    while (end > row.index + 1 && (lines[end - 1] ?? "").trim() === "") end--
    return end
  })
}
