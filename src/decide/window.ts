// Picks the tasks that can be worked on now, required ones first.
import type { TaskSession, Work } from "../boulder/boulder.ts"
import { isRework } from "../boulder/held-plan.ts"
import { letsOthersGoOn } from "../boulder/row-verdicts.ts"
import { at, byKey, placeOf, placesWaiting, unsettledOf } from "../plan/model/once-a-reading.ts"
import type { Plan, Task } from "../plan/model/plan.ts"
import { reviewedIn, rowsToFix, unsettledTasks } from "./final-wave.ts"
import { isNoneBefore, rowsOf } from "./wave-rows.ts"

/**
 * The first `size` tasks that can be worked on now: required ones first, the most urgent first. The final wave looks at the whole, so its
 * rows wait until no required task is left before them, blocked ones included. If a rework could not be done, a rejected row is shown all
 * the same: the rework may be for it. Tasks that are settled all at once are shown all at once: none of them would ever make room.
 */
export function windowOf(plan: Plan, work: Work, size: number): readonly Task[] {
  const window: Task[] = []
  if (size > 0) {
    for (const task of workable(plan, work))
      if (window.push(task) >= size && task.settledBy === undefined) break
  }
  return window
}

/** All tasks that can be worked on now, in window order. In a large plan, only as many as are asked for are looked at. */
export function* workable(plan: Plan, work: Work): Generator<Task, void> {
  const unsettled = unsettledTasks(plan, work)
  const isWaveDue = unsettled.every(isNoneBefore)
  const isChosen = chosenIn(plan, work, unsettled, isWaveDue)
  const rankOf = isWaveDue ? rankInWave(plan, work) : () => 1
  const later: { readonly task: Task; readonly rank: number }[] = []
  for (const task of unsettled) {
    if (!isChosen(task)) continue
    const rank = interruptionOf(work, task) === null ? rankOf(task) : 2
    // Before the wave is due, nothing comes ahead of the plan's own order.
    if (rank === 1 && !isWaveDue) yield task
    else later.push({ task, rank })
  }
  for (const { task } of later.toSorted((one, other) => one.rank - other.rank)) yield task
}

/** Chooses optional tasks only if no required one can be worked on. */
function chosenIn(
  plan: Plan,
  work: Work,
  unsettled: readonly Task[],
  isWaveDue: boolean,
): (task: Task) => boolean {
  const isBehindRework =
    !isWaveDue && unsettled.every((task) => isNoneBefore(task) || isRework(task))
  const rejected = isBehindRework ? rowsToFix(plan, work) : []
  const isCandidate = (task: Task) =>
    (task.runnable || task.state === "done") &&
    (isWaveDue || task.section !== "final-wave" || rejected.includes(task))
  const isAnyRequired = unsettled.some((task) => !task.optional && isCandidate(task))
  return (task) => isCandidate(task) && !(isAnyRequired && task.optional)
}

/** The task to work on next; null if everything else is blocked, waits for something blocked, or is reviewed and waits for approval. */
export function nextIn(plan: Plan, work: Work): Task | null {
  const [first] = windowOf(plan, work, 1)
  // Reviewed rows come last.
  return first === undefined || reviewedIn(plan, work)(first) ? null : first
}

/**
 * A review should not look at what a fix is about to change. So rejected rows, whose fix is next, come first; rows that are reviewed and
 * only wait come last, after tasks that a limit has interrupted.
 */
function rankInWave(plan: Plan, work: Work): (task: Task) => 0 | 1 | 3 {
  const toFix = new Set(rowsToFix(plan, work))
  const isReviewed = reviewedIn(plan, work)
  return (task) => {
    if (isReviewed(task)) return 3
    return toFix.has(task) ? 0 : 1
  }
}

/** The provider's limit that interrupted a task's subagent; null if none did. */
export function interruptionOf(
  { task_sessions }: Work,
  { key, titleHash }: Pick<Task, "key" | "titleHash">,
): NonNullable<TaskSession["interrupted"]> | null {
  const session = Object.hasOwn(task_sessions, key) ? task_sessions[key] : undefined
  return session?.title_hash === titleHash ? (session.interrupted ?? null) : null
}

/** Open tasks that wait for others, if they wait for a task of this window or come before its last one. */
export function waitingIn(
  plan: Plan,
  work: Work,
  window: readonly Task[],
): readonly { readonly key: string; readonly for: readonly string[] }[] {
  const { tasks } = plan
  const waiting = placesWaiting(tasks)
  if (waiting.size === 0) return []
  const isDone = letsOthersGoOn(work)
  const isOpen = (key: string) => {
    const task = byKey(tasks).get(key)
    return task !== undefined && !isDone(task)
  }
  const shown = window.map(({ key }) => key)
  const last = Math.max(...shown.map((key) => placeOf(tasks, key)))
  const near = shown.flatMap((key) => waiting.get(key) ?? [])
  const places = new Set([...openBefore(plan, last), ...near])
  return at(tasks, [...places].sort(ascending)).flatMap((task) => {
    const waitsFor = task.dependsOn.filter(isOpen)
    const isNear = placeOf(tasks, task.key) < last || waitsFor.some((key) => shown.includes(key))
    const isWaiting = !isDone(task) && task.state !== "blocked" && waitsFor.length > 0
    return isWaiting && isNear ? [{ key: task.key, for: waitsFor.slice(0, 2) }] : []
  })
}

/** The places before `end` that may still need work: a row of the wave may be ticked and still have to run again. */
function openBefore(plan: Plan, end: number): readonly number[] {
  const places: number[] = []
  for (const list of [unsettledOf(plan.tasks), rowsOf(plan)])
    for (const { key } of list) {
      const place = placeOf(plan.tasks, key)
      if (place >= end) break
      places.push(place)
    }
  return places
}

const ascending = (one: number, other: number): number => one - other

/** Whether a task that completion needs is blocked. */
export function hasBlocked(plan: Plan, work: Work): boolean {
  return unsettledTasks(plan, work).some((task) => task.state === "blocked" && !task.optional)
}
