// Works out the order in which tasks can be worked on, and counts, state and next task.
import { addTo } from "../model/once.ts"
import { blockedOf, unsettledOf } from "../model/once-a-reading.ts"
import {
  isSettled,
  isWorkable,
  type Plan,
  type PlanCounts,
  type PlanState,
  type Task,
} from "../model/plan.ts"
import { behind } from "../model/waits.ts"

/** Counts, state and next task of a list of tasks; `counts` are theirs, if known. */
export function summarize(
  tasks: readonly Task[],
  counts: PlanCounts = countTasks(tasks),
): Pick<Plan, "tasks" | "counts" | "state" | "next"> {
  return { tasks, counts, state: stateOf(tasks, counts), next: nextOf(tasks, counts) }
}

function countTasks(tasks: readonly Task[]): PlanCounts {
  const counts = { open: 0, in_progress: 0, blocked: 0, done: 0, cancelled: 0 }
  let optional = 0
  for (const task of tasks) {
    counts[task.state] += 1
    if (task.optional) optional += 1
  }
  return { total: tasks.length, ...counts, optional }
}

function stateOf(tasks: readonly Task[], counts: PlanCounts): PlanState {
  if (tasks.length === 0) return "invalid"
  const isRequired = requiredBy(counts)
  const left = unsettledOf(tasks)
  if (!left.some(isRequired)) return "complete"
  if (counts.blocked === 0) return "open"
  const stuck = stuckKeys(tasks)
  return left.every((task) => !isRequired(task) || stuck.has(task.key)) ? "only-blocked" : "open"
}

/** A plan of only optional tasks is not complete before they are. */
function requiredBy({ optional, total }: PlanCounts): (task: Task) => boolean {
  return (task) => !task.optional || optional === total
}

/** Blocked tasks, and all that wait for one of them. */
function stuckKeys(tasks: readonly Task[]): ReadonlySet<string> {
  const blocked = blockedOf(tasks).map(({ key }) => key)
  return blocked.length === 0 ? new Set() : behind(blocked, waitingFor(tasks))
}

function waitingFor(tasks: readonly Task[]): ReadonlyMap<string, string[]> {
  const waiting = new Map<string, string[]>()
  const links = unsettledOf(tasks).flatMap((task) =>
    task.dependsOn.map((first) => [first, task.key] as const),
  )
  for (const [first, then] of links) addTo(waiting, first, then)
  return waiting
}

/** What can be worked on is not settled. */
function nextOf(tasks: readonly Task[], counts: PlanCounts): Task | null {
  const isRequired = requiredBy(counts)
  const left = unsettledOf(tasks)
  const runnable = left.find((task) => task.runnable && isRequired(task))
  if (runnable !== undefined) return runnable
  const stuck = stuckKeys(tasks)
  const waiting = left.filter((task) => isRequired(task) && isWaiting(task) && !stuck.has(task.key))
  const wanted = new Set(waiting.flatMap(({ dependsOn }) => dependsOn))
  return (
    left.find((task) => task.runnable && wanted.has(task.key)) ??
    waiting[0] ??
    left.find((task) => task.runnable) ??
    null
  )
}

/** Only its dependencies stand in its way. */
function isWaiting(task: Task): boolean {
  return isWorkable(task.state) && task.dependsOn.length > 0
}

/** Gives each task what comes first: nothing runs before what it depends on is settled. */
export function orderTasks(
  tasks: readonly Task[],
  links: ReadonlyMap<string, readonly string[]>,
): readonly Task[] {
  if (links.size === 0) return tasks
  return withRunnable(tasks, isSettled, ({ key, dependsOn }) => links.get(key) ?? dependsOn)
}

/** The tasks, each with whether it can be worked on now; `isDone` tells whether those that wait for a task may go on. */
export function withRunnable(
  tasks: readonly Task[],
  isDone: (task: Task) => boolean = isSettled,
  firstsOf: (task: Task) => readonly string[] = ({ dependsOn }) => dependsOn,
): readonly Task[] {
  const isAnyWaiting = tasks.some((task) => firstsOf(task).length > 0)
  const done = new Set(isAnyWaiting ? tasks.filter(isDone).map(({ key }) => key) : [])
  const isOver = (key: string) => done.has(key)
  return tasks.map((task) => {
    const dependsOn = firstsOf(task)
    const runnable = isRunnable(task, dependsOn, isOver)
    const isSame = runnable === task.runnable && dependsOn === task.dependsOn
    return isSame ? task : { ...task, dependsOn, runnable }
  })
}

/** Whether a task can be worked on, given which of the tasks it waits for are over. */
export function isRunnable(
  { state, unknown }: Pick<Task, "state" | "unknown">,
  dependsOn: readonly string[],
  isOver: (key: string) => boolean,
): boolean {
  return isWorkable(state) && unknown !== true && dependsOn.every(isOver)
}
