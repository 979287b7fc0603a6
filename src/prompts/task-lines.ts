// Writes the window, one line for each task.

import { nextStep } from "../plan/headings/heading-tasks.ts"
import type { Task } from "../plan/model/plan.ts"
import { estimateTokens, quote, quoteKey } from "./quote.ts"

const STEP_TOKENS = 9
/** A title is never cut shorter than this. */
const LEAST_TITLE_TOKENS = 12

/** The lines of a task in the file where its text is read; null if no line numbers are shown. */
export interface TaskLines {
  readonly from: number
  readonly to: number
}

/** A line for each task of the plan: key, title, where its details are in the plan, and, for the first, its next step. */
export function taskLines(tasks: readonly Task[]): readonly string[] {
  return tasks.map((task, index) =>
    taskLine(task, linesInPlan(task), { isFirst: index === 0, tokens: 64 }),
  )
}

/** Where a task stands in the plan itself. */
export function linesInPlan({ line, endLine }: Task): TaskLines | null {
  return line === 0 ? null : { from: line, to: endLine }
}

/** A task's line in about `tokens`: the title is whole if there is room. */
export function taskLine(
  task: Task,
  range: TaskLines | null,
  { isFirst, tokens }: { readonly isFirst: boolean; readonly tokens: number },
): string {
  const step = isFirst ? stepOf(task, range) : ""
  const rejected = rejectedWords(task)
  const row = (title: string): string =>
    `- ${quoteKey(task.key)} "${title}"${linesOf(range)}${step}${rejected}`
  // A cut title ends in a sign, and the row in a line end.
  const room = () => tokens - estimateTokens(row("…")) - 1
  const isWhole = tokens === Number.POSITIVE_INFINITY
  return row(quote(task.title, isWhole ? tokens : Math.max(LEAST_TITLE_TOKENS, room())))
}

/** Under the row's own key the fixer would be told to give its verdict, and would pass its own fix. */
const FIX_FIRST = "first delegate the fix under the key of the task that it concerns, then this row"

function rejectedWords({ rejected, section }: Task): string {
  if (!rejected) return ""
  return ` REJECTED: ${section === "final-wave" ? FIX_FIRST : "redo it"}`
}

/** For a heading that is a task: its next step, by its line in the same file. */
function stepOf(task: Task, range: TaskLines | null): string {
  const step = nextStep(task)
  if (step === null) return ""
  const at = range === null ? "" : ` (line ${range.from + step.line - task.line})`
  return `, next "${quote(step.title, STEP_TOKENS)}"${at}`
}

function linesOf(range: TaskLines | null): string {
  if (range === null) return ""
  return range.to > range.from ? ` (lines ${range.from}-${range.to})` : ` (line ${range.from})`
}
