// The window, a line a task.
import type { Task } from "../plan/model/plan.ts"
import { nextStep } from "../plan/tasks/steps.ts"
import { quote } from "./quote.ts"

const TITLE_TOKENS = 36
const KEY_TOKENS = 13
/** Where a step stands beside a title the two share what a title may take. */
const TITLE_TOKENS_BESIDE = 16
const STEP_TOKENS = 9

/** A line a task of the window: key, title, where its details stand in a plan with lines, and the first one's next step. */
export function taskLines(tasks: readonly Task[]): readonly string[] {
  return tasks.map((task, index) => {
    const step = index === 0 ? stepOf(task) : ""
    const title = quote(task.title, step === "" ? TITLE_TOKENS : TITLE_TOKENS_BESIDE)
    const rejected = task.rejected || task.state === "done" ? " REJECTED: redo it" : ""
    return `- ${quote(task.key, KEY_TOKENS)} "${title}"${linesOf(task)}${step}${rejected}`
  })
}

/** Of a heading that is a task the step that comes next. */
function stepOf(task: Task): string {
  const step = nextStep(task)
  return step === null ? "" : `, next "${quote(step.title, STEP_TOKENS)}" (line ${step.line})`
}

/** Said only where the plan has lines. */
function linesOf({ line, endLine }: Task): string {
  if (line === 0) return ""
  return endLine > line ? ` (lines ${line}-${endLine})` : ` (line ${line})`
}
