// The window with its tasks' details, within a budget.
import type { Task } from "../plan/model/plan.ts"
import { estimateTokens, quote } from "./quote.ts"
import { taskLines } from "./task-lines.ts"

/** The window's tasks, and what stands below their rows in the plan. */
export interface ShownWindow {
  readonly tasks: readonly Task[]
  /** In the order of the tasks; "" for a task that is only a row. */
  readonly details: readonly string[]
  /** The files that have the tasks' whole text; none where there are no shards. */
  readonly shards: readonly string[]
}

/** Less than this says nothing. */
const LEAST_TOKENS = 8
const MOST_TOKENS = 70
/** A path that is cut leads nowhere: it is shown whole or not at all. */
const PATHS_TOKENS = 58

/**
 * The window: where its whole text stands, then two lines a task, the second with its details. All of it together
 * takes `tokens` at most, by estimate, and the rows always stand; so the details share what the rest leaves.
 */
export function windowLines(
  { tasks, details, shards }: ShownWindow,
  tokens: number,
): readonly string[] {
  const rows = taskLines(tasks)
  const head = headOf(shards)
  const taken = estimateTokens([head, ...rows].join("\n"))
  const each = Math.min(MOST_TOKENS, Math.floor((tokens - taken) / Math.max(1, tasks.length)))
  const below = (index: number): readonly string[] => {
    const text = each < LEAST_TOKENS ? "" : quote(details[index] ?? "", each - 2)
    return text === "" ? [] : [`  ${text}`]
  }
  return [head, ...rows.flatMap((row, index) => [row, ...below(index)])]
}

function headOf(shards: readonly string[]): string {
  const paths = shards.map((path) => quote(path, 2 * PATHS_TOKENS)).join(", ")
  return paths === "" || estimateTokens(paths) > PATHS_TOKENS
    ? "Next:"
    : `Next (whole text: ${paths}):`
}
