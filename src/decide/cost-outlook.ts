// What a plan will have cost at its end, by what its settled tasks have cost.
import { type Cost, isKnown } from "../boulder/cost.ts"
import { isSettled, type Plan } from "../plan/model/plan.ts"

/** What a plan will have cost at its end, and what that stands on. */
export interface CostOutlook {
  readonly usd: number
  readonly usdATask: number
  readonly settledTasks: number
  readonly tasksLeft: number
}

/** So many tasks have to be settled before anything is said. */
export const OUTLOOK_TASKS = 3

/**
 * What a plan will have cost at its end: each task that is left costs what one done since the start has, the lead's part
 * and lost calls included; one that was cancelled counts only where it was delegated. `tasks` has each task that was
 * delegated, with what is known of its cost; they alone count where nobody knows how many were `doneAtStart`. Null before
 * three are settled, and where no answer had a price.
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
): CostOutlook | null {
  const states = new Map(plan.tasks.map((task) => [task.key, task]))
  // One that the plan has no more was settled when its record left.
  const isOver = (key: string): boolean => {
    const task = states.get(key)
    return task === undefined || isSettled(task)
  }
  const delegated = [...tasks.keys()].filter(isOver)
  const gone = delegated.filter((key) => !states.has(key)).length
  const since = doneAtStart === null ? 0 : plan.counts.done + gone - doneAtStart
  // More were delegated than settled where one was ticked before, or has been opened again.
  const settledTasks = Math.max(delegated.length, since)
  if (settledTasks < OUTLOOK_TASKS || !isKnown(cost)) return null
  const begun = [...tasks].filter(([key]) => !isOver(key))
  const ofBegun = begun.reduce((sum, [, { usd }]) => sum + usd, 0)
  const usdATask = (cost.usd - ofBegun) / settledTasks
  const tasksLeft = plan.tasks.filter((task) => !isSettled(task) && !task.optional).length
  const usd = Math.max(cost.usd, usdATask * (settledTasks + tasksLeft))
  return { usd, usdATask, settledTasks, tasksLeft }
}
