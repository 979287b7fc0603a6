// Estimates what a plan will cost in all, from what its settled tasks have cost.
import { type Cost, isKnown } from "../boulder/cost.ts"
import { isSettled, type Plan } from "../plan/model/plan.ts"

/** What a plan will have cost at its end, and what the estimate is based on. */
export type CostOutlook = NonNullable<ReturnType<typeof costOutlook>>

/** No estimate before this many tasks are settled. */
export const OUTLOOK_TASKS = 3

/**
 * Estimates what a plan will have cost at its end: each remaining task costs as much as the average one settled since the start, including
 * the lead's part and lost calls. A cancelled task counts only if it was delegated. `tasks` has every delegated task with its known cost;
 * only these count if `doneAtStart` is unknown. Null before three tasks are settled, or if no answer had a price.
 */
export function costOutlook(
  {
    cost,
    plan,
    doneAtStart,
  }: {
    readonly cost: Cost
    readonly plan: Pick<Plan, "tasks" | "counts">
    readonly doneAtStart: number | null
  },
  tasks: ReadonlyMap<string, Cost>,
) {
  const states = new Map(plan.tasks.map((task) => [task.key, task]))
  // A task that is no longer in the plan was settled when its record left.
  const isOver = (key: string): boolean => {
    const task = states.get(key)
    return task === undefined || isSettled(task)
  }
  const delegated = [...tasks.keys()].filter(isOver)
  const gone = delegated.filter((key) => !states.has(key)).length
  const since = doneAtStart === null ? 0 : plan.counts.done + gone - doneAtStart
  // More tasks were delegated than settled if one was already ticked, or was reopened.
  const settledTasks = Math.max(delegated.length, since)
  if (settledTasks < OUTLOOK_TASKS || !isKnown(cost)) return null
  const begun = [...tasks].filter(([key]) => !isOver(key))
  const ofBegun = begun.reduce((sum, [, { usd }]) => sum + usd, 0)
  const usdATask = (cost.usd - ofBegun) / settledTasks
  const tasksLeft = plan.tasks.filter((task) => !isSettled(task) && !task.optional).length
  const usd = Math.max(cost.usd, usdATask * (settledTasks + tasksLeft))
  return { usd, usdATask, settledTasks, tasksLeft }
}
