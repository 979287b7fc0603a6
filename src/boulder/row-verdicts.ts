// What came back of the final wave's rows, and whether what waits for a task may be done.
import { isSettled, type Task } from "../plan/model/plan.ts"
import type { Work } from "./boulder.ts"

/** A row that the final wave needs. */
export function isRow({ section, optional, state }: Task): boolean {
  return section === "final-wave" && !optional && state !== "cancelled"
}

/** What a row's review has said; null where it has not come back, or says neither. */
export function verdictOf(work: Work, task: Task): "pass" | "reject" | null {
  const row = work.final_wave[task.key]
  return row !== undefined && row.title_hash === task.titleHash ? row.verdict : null
}

/** A row that came back before the work has changed. */
export function isOutdated(work: Work, task: Task): boolean {
  return verdictOf(work, task) !== null && work.final_wave[task.key]?.outdated === true
}

/** A row whose review is rejected, in the plan's text or by its result. */
export function isRejected(work: Work, task: Task): boolean {
  return task.rejected || verdictOf(work, task) === "reject"
}

/** A row that is back without an objection, and nothing has changed since. */
export function isPassed(work: Work, task: Task): boolean {
  return !task.rejected && verdictOf(work, task) === "pass" && !isOutdated(work, task)
}

/** A row whose newest review has passed, while the plan's text still rejects it: that counts until it is taken out. */
export function isRejectedInPlan(work: Work, task: Task): boolean {
  return task.rejected && verdictOf(work, task) === "pass" && !isOutdated(work, task)
}

/**
 * A task as it is to be done: a row that a review has rejected says so, by the plan's mark or by a result; one whose
 * review does not count is open, and what it has said, or the plan says, is nothing to be fixed.
 */
export function asToDo(work: Work, task: Task): Task {
  if (isOutdated(work, task) || isRejectedInPlan(work, task))
    return { ...task, rejected: false, state: isSettled(task) ? "open" : task.state }
  return isRow(task) && isRejected(work, task) ? { ...task, rejected: true } : task
}

/**
 * Whether what waits for a task may go on: it is settled. A row of the wave is ticked on the approval of all, so that it
 * goes by its review: one that is back lets others go on, one that is to be run again does not.
 */
export function letsOthersGoOn(work: Work): (task: Task) => boolean {
  return (task) => {
    if (isPassed(work, task)) return true
    const isAgain = isRow(task) && (isRejected(work, task) || isOutdated(work, task))
    return isSettled(task) && !isAgain
  }
}

/** What names a row. */
export type Row = Pick<Task, "key" | "titleHash">

/** What a review brought back. */
export interface Review {
  readonly childId: string
  readonly verdict: "pass" | "reject" | null
  /** What the plan is of by now, as a wave's fingerprint has it. */
  readonly planOf?: string
  readonly now: string
}

/** Without a verdict an older one stands; but one that is run again since it is older than the work has none then. */
export function withVerdict(
  work: Work,
  { key, titleHash }: Row,
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
