// The state of a heading task, by the boxes below it.
import { isSettled, type Step, type Task, type TaskState } from "../model/plan.ts"

/** The state of a heading by the boxes below it: done when all are settled, in progress when some are. */
export function stateOfSteps(all: readonly Step[]): TaskState {
  const required = all.filter(({ optional }) => !optional)
  const steps = required.length === 0 ? all : required
  const left = steps.filter((step) => !isSettled(step))
  if (steps.length === 0) return "open"
  if (left.length === 0) return steps.some(({ state }) => state === "done") ? "done" : "cancelled"
  if (left.every(({ state }) => state === "blocked")) return "blocked"
  return steps.some(({ state }) => state === "done" || state === "in_progress")
    ? "in_progress"
    : "open"
}

/** The first step of a heading task that is still to be done; null where there is none, or the task is no heading. */
export function nextStep({ steps = [] }: Pick<Task, "steps">): Step | null {
  const left = steps.filter(({ state }) => state === "open" || state === "in_progress")
  return left.find(({ optional }) => !optional) ?? left[0] ?? null
}
