import type { Task } from "../plan/plan.ts"
import { quote } from "./quote.ts"

const TITLE_TOKENS = 36
const KEY_TOKENS = 13

/** A line a task of the window: key, title, and where its details stand in a plan with lines. */
export function taskLines(tasks: readonly Task[]): readonly string[] {
  return tasks.map((task) => {
    const rejected = task.rejected || task.state === "done" ? " REJECTED: redo it" : ""
    return `- ${quote(task.key, KEY_TOKENS)} "${quote(task.title, TITLE_TOKENS)}"${linesOf(task)}${rejected}`
  })
}

/** Said only where the plan has lines. */
function linesOf({ line, endLine }: Task): string {
  if (line === 0) return ""
  return endLine > line ? ` (lines ${line}-${endLine})` : ` (line ${line})`
}
