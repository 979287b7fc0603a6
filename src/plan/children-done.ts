import { isSettled, type PlanWarning, type SubItem, type Task } from "./plan.ts"

/** A warning for each open task all of whose children are settled: someone forgot to tick it. */
export function childrenDone(
  tasks: readonly Task[],
  subItems: readonly SubItem[],
): readonly PlanWarning[] {
  const parents = new Set(subItems.map(({ parentKey }) => parentKey))
  const unsettled = new Set(
    subItems.filter((item) => !isSettled(item)).map(({ parentKey }) => parentKey),
  )
  return tasks
    .filter((task) => !isSettled(task) && parents.has(task.key) && !unsettled.has(task.key))
    .map(({ key, line }) => ({
      line,
      rule: "children-done",
      message: `All children of ${key} are ticked and it is open: only its own box counts.`,
    }))
}
