import { markTask } from "../../src/plan/mark-task.ts"
import type { ParseOptions } from "../../src/plan/model/plan.ts"
import { parsePlan } from "../../src/plan/parse-plan.ts"

/** A reading: its state, then title and state of each task. */
export function shownPlan(text: string, options: ParseOptions = {}): readonly string[] {
  const { state, tasks } = parsePlan(text, options)
  return [state, ...tasks.map((task) => `${task.title} ${task.state}`)]
}

/** The text once the task with this key is marked (a block with the note "why"); else why that was refused. */
export function markedPlan(
  text: string,
  key: string,
  state: Parameters<typeof markTask>[2],
  options: ParseOptions = {},
): string {
  const task = parsePlan(text, options).tasks.find((each) => each.key === key)
  if (task === undefined) throw new Error(`no ${key}`)
  const result = markTask(text, task, state, state === "blocked" ? "why" : undefined)
  return result.ok ? result.text : `REFUSED: ${result.message}`
}
