// What the provider's answer to the last turn calls for: a person, or a wait.
import type { Work } from "../boulder/boulder.ts"
import { begunKeys } from "../boulder/find-dispatch.ts"
import type { PlanReading } from "../boulder/held-plan.ts"
import { isBefore, isoOf, msOf } from "../boulder/iso-time.ts"
import { isSinceResumed } from "../boulder/reopen-work.ts"
import {
  holds,
  isSpent,
  type LimitMet,
  lasts,
  recordLimit,
  type TaskLimit,
  type TaskWait,
  toldAt,
} from "../boulder/usage-limit.ts"
import { withKeys } from "../plan/model/once-a-reading.ts"
import { isSettled, type Plan, type Task } from "../plan/model/plan.ts"
import { reviewedIn } from "./final-wave.ts"
import type { Situation } from "./situation.ts"
import { interruptionOf, workable } from "./window.ts"

/** The host takes the message with the latest time for the newest, and anything older than its last answer for answered. */
const UNANSWERED =
  "opencode accepted the prompts and answered none; if its clock was set back, only a new session helps"

/** Adds what the provider has said, or that it said nothing, where that tells more than the pause reason. */
export function withCause(situation: Situation & { readonly work: Work }, paused: Work): Work {
  const { work, limits, lastTurn, failure } = situation
  const because = (refusal: string | null): Work => ({ ...paused, refusal })
  const { pause_reason: reason } = paused
  if (reason === "provider-refused") return because(refusalNow(situation, work))
  if (reason === "no-progress") return because(childSaid(situation, work))
  if (reason === "backing-off")
    return because(lastTurn?.isUnanswered ? UNANSWERED : (failure?.words ?? null))
  if (reason !== "usage-limited") return paused
  const { plan, now } = situation
  const ofTasks = plan.kind === "read" ? tasksLimitNow(plan.plan, work, now) : null
  const limit = limitNow(situation, work) ?? ofTasks
  return limit === null ? paused : recordLimit(limit, limits.waitForLimits, now)(paused)
}

/** The words with which the provider refuses everything it is asked; null if it does not. */
export function refusalNow(
  { failure, now }: Situation,
  { resumed_at: since }: Work,
): string | null {
  // If the clock was set back, a person's word counts for more: at worst the provider refuses once more.
  return failure?.kind === "refused" && !isBefore(failure.at, since, now) ? failure.words : null
}

/** Why a subagent has failed since the last prompt; null if none has. */
function childSaid({ childFailure: failed, now }: Situation, work: Work): string | null {
  const since = work.continuation.last_at ?? work.resumed_at
  return failed === null || isBefore(failed.at, since, now)
    ? null
    : `a subagent failed: ${failed.words}`
}

/** The limit that a work must wait for; null if none holds it up. */
export function limitNow(
  { failure, now, isBusy }: Situation,
  { resumed_at, limited, lifted_limit: lifted }: Work,
): LimitMet | null {
  const known = limited === null ? null : toldAt(limited)
  const attempts = limited?.attempts ?? 0
  const isNew = failure?.kind === "limited" && ![known, lifted].includes(isoOf(failure.at))
  if (isNew && isSinceResumed(failure.at, { resumed_at }, now)) {
    // The clock may have been set back since.
    const at = Math.min(failure.at, now)
    const { until } = failure
    return {
      at,
      until: until === null ? null : until - failure.at + at,
      toldAt: failure.at,
      attempts,
    }
  }
  // What the host was waiting for when it died, or a limit that has used up all its attempts.
  if (limited === null || isBusy || !(lasts(limited, now) || isSpent(limited))) return null
  const { since, until } = limited
  return { at: msOf(since), until: msOf(until), toldAt: msOf(toldAt(limited)), attempts }
}

/**
 * The limit that holds up every task that could be worked on, each through its own subagent: until the first of them ends, or for good if
 * each has used up its attempts. Null if any task is free. A reviewed row of the wave stays as it is and holds nothing up.
 */
export function tasksLimitNow(
  plan: Plan,
  work: Work,
  now: number,
): (LimitMet & { readonly until: number }) | null {
  const isReviewed = reviewedIn(plan, work)
  const holding: NonNullable<ReturnType<typeof taskLimitNow>>[] = []
  for (const task of workable(plan, work)) {
    if (isReviewed(task)) continue
    const limit = taskLimitNow(work, task, now)
    if (limit === null) return null
    holding.push(limit)
  }
  if (holding.length === 0) return null
  const ends = holding.filter((limit) => !isSpent(limit))
  const left = ends.length > 0 ? ends : holding
  const at = Math.max(...holding.map(({ since }) => msOf(since)))
  const until = Math.min(...left.map(({ until }) => msOf(until)))
  const attempts = Math.max(...left.map((limit) => limit.attempts ?? 0))
  return {
    at,
    until,
    toldAt: at,
    attempts: ends.length > 0 ? (work.limited?.attempts ?? 0) : attempts,
  }
}

/** The limit of its own subagent that holds a task up, for now or for good; null if none does. */
export function taskLimitNow(
  work: Work,
  task: Pick<Task, "key" | "titleHash">,
  now: number,
): TaskLimit | null {
  const limit = interruptionOf(work, task)
  return limit !== null && holds(limit, now) ? limit : null
}

/**
 * The open tasks that limits of their own subagents hold up, in plan order, without those whose last attempt is running; none if the plan
 * cannot be read. `now` in ms.
 */
export function limitedTasks(reading: PlanReading, work: Work, now: number): readonly TaskWait[] {
  if (work.status === "completed" || reading.kind === "unavailable") return []
  const begun = new Set(begunKeys(work))
  return withKeys(reading.plan.tasks, Object.keys(work.task_sessions)).flatMap((task) => {
    const limit = isSettled(task) || task.state === "blocked" ? null : taskLimitNow(work, task, now)
    if (limit === null || (begun.has(task.key) && !lasts(limit, now))) return []
    const { key, title } = task
    return [{ key, title, until: isSpent(limit) ? null : limit.until }]
  })
}
