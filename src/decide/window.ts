// The first `size` tasks that can be worked on now, required ones first.
import type { Work } from "../boulder/boulder.ts"
import type { Plan, Task } from "../plan/model/plan.ts"
import { unsettledTasks } from "./final-wave.ts"

/**
 * The first `size` tasks that can be worked on now, required ones first. The final wave looks at the whole: its rows
 * wait until no required task before them is left, blocked ones included.
 */
export function windowOf(plan: Plan, work: Work, size: number): readonly Task[] {
  const unsettled = unsettledTasks(plan, work)
  const isWaveDue = unsettled.every((task) => task.optional || task.section === "final-wave")
  const candidates = unsettled.filter(
    (task) =>
      (task.runnable || task.state === "done") && (isWaveDue || task.section !== "final-wave"),
  )
  const required = candidates.filter((task) => !task.optional)
  return (required.length > 0 ? required : candidates).slice(0, size)
}

/** A task that completion needs is blocked. */
export function hasBlocked(plan: Plan, work: Work): boolean {
  return unsettledTasks(plan, work).some((task) => task.state === "blocked" && !task.optional)
}
