import type { Task } from "../plan/plan.ts"
import { quote } from "./quote.ts"

const TITLE_TOKENS = 36
const KEY_TOKENS = 13

/** A line a task of the window: key, title, and where its details stand in the plan. */
export function taskLines(tasks: readonly Task[]): readonly string[] {
  return tasks.map((task) => {
    const lines =
      task.endLine > task.line ? `lines ${task.line}-${task.endLine}` : `line ${task.line}`
    const rejected = task.rejected || task.state === "done" ? " REJECTED: redo it" : ""
    return `- ${quote(task.key, KEY_TOKENS)} "${quote(task.title, TITLE_TOKENS)}" (${lines})${rejected}`
  })
}
