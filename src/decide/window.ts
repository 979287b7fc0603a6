// The first `size` tasks that can be worked on now, required ones first.
import type { TaskSession, Work } from "../boulder/boulder.ts"
import { isRework } from "../boulder/held-plan.ts"
import { letsOthersGoOn } from "../boulder/row-verdicts.ts"
import type { Plan, Task } from "../plan/model/plan.ts"
import { reviewedIn, rowsToFix, unsettledTasks } from "./final-wave.ts"

/**
 * The first `size` tasks that can be worked on now, required ones first; what is to be done first stands first. The
 * final wave looks at the whole: its rows wait until no required task before them is left, blocked ones included. Behind
 * a rework that could not be made a rejected row stands all the same: it may be what the rework is for.
 */
export function windowOf(plan: Plan, work: Work, size: number): readonly Task[] {
  const unsettled = unsettledTasks(plan, work)
  const isNoneBefore = (task: Task) => task.optional || task.section === "final-wave"
  const isWaveDue = unsettled.every(isNoneBefore)
  const isBehindRework =
    !isWaveDue && unsettled.every((task) => isNoneBefore(task) || isRework(task))
  const rejected = isBehindRework ? rowsToFix(plan, work) : []
  const candidates = unsettled.filter(
    (task) =>
      (task.runnable || task.state === "done") &&
      (isWaveDue || task.section !== "final-wave" || rejected.includes(task)),
  )
  const required = candidates.filter((task) => !task.optional)
  const chosen = required.length > 0 ? required : candidates
  const rankOf = isWaveDue ? rankInWave(plan, work) : () => 1
  const ranks = chosen.map((task) => (interruptionOf(work, task) === null ? rankOf(task) : 2))
  return [0, 1, 2, 3]
    .flatMap((rank) => chosen.filter((_, index) => ranks[index] === rank))
    .slice(0, size)
}

/** Nothing is left to be worked on: what is not blocked, and does not wait for it, is reviewed and waits for approval. */
export function isStuck(plan: Plan, work: Work): boolean {
  // Reviewed rows stand last.
  return windowOf(plan, work, 1).every(reviewedIn(plan, work))
}

/**
 * A review looks at nothing that a fix is about to change: a rejected row, whose fix is next, comes before the others,
 * and what is reviewed, and only waits, behind them and behind what a limit has interrupted.
 */
function rankInWave(plan: Plan, work: Work): (task: Task) => 0 | 1 | 3 {
  const toFix = new Set(rowsToFix(plan, work))
  const isReviewed = reviewedIn(plan, work)
  return (task) => {
    if (isReviewed(task)) return 3
    return toFix.has(task) ? 0 : 1
  }
}

/** The limit of the provider that has interrupted a task's subagent; null where none has. */
export function interruptionOf(
  { task_sessions }: Work,
  { key, titleHash }: Pick<Task, "key" | "titleHash">,
): NonNullable<TaskSession["interrupted"]> | null {
  const session = Object.hasOwn(task_sessions, key) ? task_sessions[key] : undefined
  return session?.title_hash === titleHash ? (session.interrupted ?? null) : null
}

/** Open tasks that wait for others, as far as they do so for a task of this window, or come before its last. */
export function waitingIn(
  plan: Plan,
  work: Work,
  window: readonly Task[],
): readonly { readonly key: string; readonly for: readonly string[] }[] {
  const isDone = letsOthersGoOn(work)
  const open = new Set(plan.tasks.filter((task) => !isDone(task)).map(({ key }) => key))
  const shown = new Set(window.map(({ key }) => key))
  const last = plan.tasks.findLastIndex(({ key }) => shown.has(key))
  return plan.tasks.flatMap((task, index) => {
    const waitsFor = task.dependsOn.filter((key) => open.has(key))
    const isNear = index < last || waitsFor.some((key) => shown.has(key))
    const isWaiting = open.has(task.key) && task.state !== "blocked" && waitsFor.length > 0
    return isWaiting && isNear ? [{ key: task.key, for: waitsFor.slice(0, 2) }] : []
  })
}

/** A task that completion needs is blocked. */
export function hasBlocked(plan: Plan, work: Work): boolean {
  return unsettledTasks(plan, work).some((task) => task.state === "blocked" && !task.optional)
}
