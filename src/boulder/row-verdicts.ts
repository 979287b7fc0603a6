// Reads the verdicts of the final wave's rows, and whether what waits for a task may begin.
import type { KnownTask } from "../plan/match-tasks.ts"
import { isSettled, type Task } from "../plan/model/plan.ts"
import type { Work } from "./boulder.ts"

/** Whether a task is a row that the final wave needs. */
export function isRow({ section, optional, state }: Task): boolean {
  return section === "final-wave" && !optional && state !== "cancelled"
}

/** What a row's review said; null if it has not come back, or says neither. */
export function verdictOf(work: Work, task: Task): "pass" | "reject" | null {
  const row = work.final_wave[task.key]
  return row !== undefined && row.title_hash === task.titleHash ? row.verdict : null
}

/** Whether a row came back before the work changed. */
export function isOutdated(work: Work, task: Task): boolean {
  return verdictOf(work, task) !== null && work.final_wave[task.key]?.outdated === true
}

/** Whether a row's review is a rejection, in the plan's text or by its result. */
export function isRejected(work: Work, task: Task): boolean {
  return task.rejected || verdictOf(work, task) === "reject"
}

/** Whether a row is back without an objection, and nothing has changed since. */
export function isPassed(work: Work, task: Task): boolean {
  return !task.rejected && verdictOf(work, task) === "pass" && !isOutdated(work, task)
}

/** Whether a row's newest review passed while the plan's text still rejects it: the rejection counts until it is removed. */
export function isRejectedInPlan(work: Work, task: Task): boolean {
  return task.rejected && verdictOf(work, task) === "pass" && !isOutdated(work, task)
}

/**
 * A task as it should be worked on. A row that a review rejected says so, by the plan's mark or by a result. A row whose review does not
 * count is open, and nothing that the review or the plan says needs fixing.
 */
export function asToDo(work: Work, task: Task): Task {
  if (isOutdated(work, task) || isRejectedInPlan(work, task))
    return { ...task, rejected: false, state: isSettled(task) ? "open" : task.state }
  return isRow(task) && isRejected(work, task) ? { ...task, rejected: true } : task
}

/**
 * Tells whether what waits for a task may go on: the task is settled. A row of the wave is ticked only when all are approved, so here its
 * review counts: a row that is back lets others go on, one that must run again does not.
 */
export function letsOthersGoOn(work: Work): (task: Task) => boolean {
  return (task) => {
    if (isPassed(work, task)) return true
    const isAgain = isRow(task) && (isRejected(work, task) || isOutdated(work, task))
    return isSettled(task) && !isAgain
  }
}

/** What a review returned. */
export interface Review {
  readonly childId: string
  readonly verdict: "pass" | "reject" | null
  /** What the plan's wave covers now, as in its fingerprint. */
  readonly planOf?: string
  readonly now: string
}

/** Without a new verdict an older one stands; but an outdated row that runs again has none then. */
export function withVerdict(
  work: Work,
  { key, titleHash }: KnownTask,
  { verdict, childId, planOf, now }: Review,
  isOld = false,
): Work {
  const { [key]: before, ...others } = work.final_wave
  if (verdict === null)
    return before?.outdated && before.verdict === "pass" ? { ...work, final_wave: others } : work
  const row = {
    title_hash: titleHash,
    verdict,
    session_id: childId,
    at: now,
    ...(planOf === undefined ? {} : { of: planOf }),
    ...(isOld ? { outdated: true } : {}),
  }
  return { ...work, final_wave: { ...work.final_wave, [key]: row } }
}
