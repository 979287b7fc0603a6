// The order in which tasks can be worked on.
import { isSettled, type Task } from "../model/plan.ts"

/** Gives each task what comes first: nothing runs before what it depends on is settled. */
export function orderTasks(
  tasks: readonly Task[],
  links: ReadonlyMap<string, readonly string[]>,
): readonly Task[] {
  if (links.size === 0) return tasks
  const settled = new Set(tasks.filter(isSettled).map(({ key }) => key))
  return tasks.map((task) => {
    const dependsOn = links.get(task.key) ?? []
    const runnable = task.runnable && dependsOn.every((key) => settled.has(key))
    return { ...task, dependsOn, runnable }
  })
}
