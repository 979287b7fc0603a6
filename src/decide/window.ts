import type { Work } from "../boulder/boulder.ts"
import type { Plan, Task } from "../plan/plan.ts"
import { unsettledTasks } from "./final-wave.ts"

/** The first `size` tasks that can be worked on now, required ones first. */
export function windowOf(plan: Plan, work: Work, size: number): readonly Task[] {
  const candidates = unsettledTasks(plan, work).filter(
    (task) => task.runnable || task.state === "done",
  )
  const required = candidates.filter((task) => !task.optional)
  return (required.length > 0 ? required : candidates).slice(0, size)
}

/** A task that completion needs is blocked. */
export function hasBlocked(plan: Plan, work: Work): boolean {
  return unsettledTasks(plan, work).some((task) => task.state === "blocked" && !task.optional)
}
