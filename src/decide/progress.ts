import type { Work } from "../boulder/boulder.ts"
import { hashText } from "../plan/hash-text.ts"
import { isSettled, type Plan } from "../plan/plan.ts"

/**
 * Progress as one text (design.md 5.4): the plan's marks, new results for open tasks, and the content of
 * the work tree (null where git does not tell). Two equal texts mean that nothing has moved.
 */
export function progressOf(plan: Plan, work: Work, tree: string | null): string {
  const marks = plan.tasks.map((task) => `${task.key} ${task.titleHash} ${task.state}`)
  const results = plan.tasks
    .filter((task) => !isSettled(task))
    .map((task) => work.task_sessions[task.key]?.results ?? 0)
  const wave = Object.values(work.final_wave).map((row) => `${row.verdict} ${row.at}`)
  return `marks:${hashText(marks.join("\n"))} results:${hashText([...results, ...wave].join(" "))} tree:${tree ?? "unknown"}`
}
