// The ordered gates: what to do at an idle, and why.
// Over 250 lines: their order is the policy, so they stand in one list.
import type { Work } from "../boulder/boulder.ts"
import { goesInCircles } from "../boulder/compaction-record.ts"
import { isBefore, isWithin, msOf } from "../boulder/iso-time.ts"
import { isSinceResumed, rejectionOf } from "../boulder/reopen-work.ts"
import { goesOnByItself } from "../boulder/usage-limit.ts"
import { type Plan, settledCount } from "../plan/model/plan.ts"
import type { Decision } from "./decision.ts"
import { awaitsApproval, unsettledTasks } from "./final-wave.ts"
import { isAnswered, isSameProgress } from "./progress.ts"
import { limitNow, refusalNow, tasksLimitNow } from "./provider-says.ts"
import type { LastTurn, Limits, Situation } from "./situation.ts"
import { spentBudget } from "./spent-budget.ts"
import { hasBlocked, nextIn } from "./window.ts"

/** A situation with an active work whose plan was read: what the later gates look at. */
interface WithPlan {
  readonly situation: Situation
  readonly work: Work
  readonly plan: Plan
}

type Gate<Facts> = (facts: Facts) => Decision | undefined

const rest = (reason: (Decision & { kind: "rest" })["reason"]): Decision => ({
  kind: "rest",
  reason,
})
const pause = (reason: (Decision & { kind: "pause" })["reason"]): Decision => ({
  kind: "pause",
  reason,
})
const retry = (reason: (Decision & { kind: "retry" })["reason"], at: number): Decision => ({
  kind: "retry",
  reason,
  at,
})

const FINISH: Decision = { kind: "finish", reason: "plan-complete" }

/** Open rows outside the plan's sections may be unfinished work: a person decides. */
function endOf({ state }: Plan): Decision {
  return state === "rows-outside" ? pause("rows-outside") : FINISH
}

/** Whether the last reading of a plan showed nothing left: its last task may move the plan into an archive. */
function wasComplete(work: Work): boolean {
  const { completed_count: settled, total_count: total, held, final_wave: wave } = work
  const isApproved = work.approved_wave !== null || Object.keys(wave).length === 0
  return total > 0 && settled === total && Object.keys(held).length === 0 && isApproved
}

/** The order is the policy: the first gate with an answer decides. */
const GATES: readonly Gate<Situation & { readonly work: Work }>[] = [
  ({ isChild }) => (isChild ? rest("child-session") : undefined),
  ({ work, sessionId }) => (work.lead_session_id === sessionId ? undefined : rest("taken-over")),
  ({ work }) => (work.status === "completed" ? rest("work-completed") : undefined),
  // A stop by the user also cancels a wait for a limit.
  (situation) =>
    goesOnByItself(situation.work) && isStop(situation.abortedAt, situation)
      ? pause("aborted")
      : undefined,
  ({ work }) =>
    work.status === "paused" ? rest(work.pause_reason ?? "stopped-by-user") : undefined,
  (situation) => (justAborted(situation) ? pause("aborted") : undefined),
  (situation) =>
    isStop(rejectionOf(situation.work, situation.rejectedAt), situation)
      ? pause("rejected-by-user")
      : undefined,
  ({ identity, work }) =>
    work.agent !== null && identity.agent !== null && identity.agent !== work.agent
      ? rest("agent-changed")
      : undefined,
  ({ waitingFor }) => (waitingFor === null ? undefined : rest(`${waitingFor}-pending`)),
  ({ plan, work }) => {
    if (plan.kind !== "unavailable") return undefined
    return plan.isGone && wasComplete(work) ? FINISH : pause("plan-unavailable")
  },
  ({ plan }) =>
    plan.kind === "read" && plan.plan.state === "invalid" ? pause("plan-invalid") : undefined,
]

/** What the plan says when there is nothing left to begin. */
const AT_THE_END: readonly Gate<Pick<WithPlan, "plan" | "work">>[] = [
  ({ plan, work }) => (awaitsApproval(plan, work) ? rest("awaiting-approval") : undefined),
  ({ plan, work }) =>
    unsettledTasks(plan, work).every((task) => task.optional) ? endOf(plan) : undefined,
  ({ plan, work }) => (nextIn(plan, work) === null ? pause("only-blocked-left") : undefined),
]

/** Whether a work whose plan has tasks ends, if nobody is working on it. */
export function isAtEnd(plan: Plan, work: Work): boolean {
  return plan.tasks.length > 0 && firstOf(AT_THE_END, { plan, work })?.kind === "finish"
}

/** Gates about subagents that are running. */
const BELOW: readonly Gate<WithPlan>[] = [
  // They run in the background, and the host is waiting for the provider of each of them.
  ({ situation: { busyChildren, isBusy, hostWaitsUntil } }) =>
    busyChildren.length > 0 && !isBusy && hostWaitsUntil !== null
      ? rest("provider-wait")
      : undefined,
  ({ situation: { busyChildren, now, limits } }) =>
    busyChildren.length > 0 ? retry("children-running", now + limits.cooldownMs) : undefined,
]

/** The gates that read the plan. They come after those above; their order is policy too. */
const PLAN_GATES: readonly Gate<WithPlan>[] = [
  // A box may be ticked, or a task blocked, while its subagent still works: nothing ends before the subagent does.
  (facts) => {
    const end = firstOf(AT_THE_END, facts)
    return end === undefined ? undefined : (firstOf(BELOW, facts) ?? end)
  },
  ({ situation, plan, work }) =>
    !situation.limits.blockerSkip && hasBlocked(plan, work) ? pause("task-blocked") : undefined,
  ({ situation, work }) =>
    refusalNow(situation, work) === null ? undefined : pause("provider-refused"),
  ({ situation, work }) =>
    limitNow(situation, work) === null ? undefined : pause("usage-limited"),
  (facts) => firstOf(BELOW, facts),
  ({ situation: { now }, plan, work }) =>
    tasksLimitNow(plan, work, now) === null ? undefined : pause("usage-limited"),
  ({ situation, work }) =>
    spentBudget(work, situation.now, situation.limits) === null ? undefined : pause("budget-spent"),
  ({ situation }) =>
    noProgressStreak(situation) >= situation.limits.noProgressTurns
      ? pause("no-progress")
      : undefined,
  ({ plan, work }) =>
    goesInCircles(work, settledCount(plan.counts)) ? pause("compaction-loop") : undefined,
  ({ situation, work }) => backOff(work, situation),
  ({ situation: { now, limits }, work: { continuation } }) =>
    continuation.last_at !== null && isWithin(continuation.last_at, limits.cooldownMs, now)
      ? retry("cooling-down", msOf(continuation.last_at) + limits.cooldownMs)
      : undefined,
  // Nothing is started in a busy session: it will have an idle of its own.
  ({ situation: { isBusy, hostWaitsUntil } }) =>
    isBusy ? rest(hostWaitsUntil === null ? "session-busy" : "provider-wait") : undefined,
  ({ situation, work }) =>
    needsCompaction(work, situation)
      ? {
          kind: "compact",
          reason: "round-ended",
          noProgressStreak: noProgressStreak(situation),
        }
      : undefined,
]

/** Decides what to do at an idle. Total: every situation gives a decision with a reason. */
export function decideContinuation(situation: Situation): Decision {
  const { work, plan } = situation
  if (work === null) return rest("not-our-session")
  const early = firstOf(GATES, { ...situation, work })
  if (early !== undefined) return early
  if (plan.kind !== "read") return pause("plan-unavailable")
  return (
    firstOf(PLAN_GATES, { situation, work, plan: plan.plan }) ?? {
      kind: "continue",
      reason: "continue",
      noProgressStreak: noProgressStreak(situation),
    }
  )
}

/** How many of our turns in a row, including the one just ended, changed nothing. Failed or cut-off turns do not count. */
function noProgressStreak({ lastTurn, work, progress }: Situation): number {
  if (work === null || lastTurn === null) return 0
  const { no_progress_streak: streak, counted_message_id, fingerprint } = work.continuation
  // The host mends a full context before it goes idle. If it could not, the next turn ends in the same way.
  const isOverflow = lastTurn.error === "ContextOverflowError"
  if (lastTurn.isSummary && !isOverflow) return streak
  if (!lastTurn.ours && !lastTurn.isSummary) return 0
  // We look again after a failed prompt or compaction: a turn is counted once.
  if (counted_message_id === lastTurn.messageId) return streak
  if (!isSameProgress(fingerprint, progress)) return 0
  // No subagent runs at this point. One that is still recorded as running in the background died with its host.
  const isCutOff = !isAnswered(lastTurn) || Object.keys(work.dispatches).length > 0
  return isCutOff && !isOverflow ? streak : streak + 1
}

function firstOf<Facts>(gates: readonly Gate<Facts>[], facts: Facts): Decision | undefined {
  for (const gate of gates) {
    const decision = gate(facts)
    if (decision !== undefined) return decision
  }
  return undefined
}

type WorkSituation = Situation & { readonly work: Work }

function justAborted(situation: WorkSituation): boolean {
  return endedByAbort(situation) || isStop(situation.abortedAt, situation)
}

function endedByAbort({ work, lastTurn, now }: WorkSituation): boolean {
  return (
    lastTurn !== null &&
    isAbort(lastTurn) &&
    lastTurn.messageId !== work.continuation.counted_message_id &&
    !isBefore(lastTurn.createdAt, work.resumed_at, now)
  )
}

/**
 * Whether the work was resumed after a turn that was stopped. Count that turn when this is true, so that it is passed for good: if the
 * clock is set back behind both times, they no longer tell. `now` in ms.
 */
export function isAbortPast(
  { resumed_at }: Work,
  turn: Pick<LastTurn, "error" | "createdAt">,
  now: number,
): boolean {
  return isAbort(turn) && isBefore(turn.createdAt, resumed_at, now)
}

function isAbort({ error }: Pick<LastTurn, "error">): boolean {
  return error === "MessageAbortedError"
}

/** A stop counts only if no person has resumed the work since. */
function isStop(at: number | null, { work, now }: WorkSituation): boolean {
  return at !== null && isSinceResumed(at, work, now)
}

/** At most once a round: a compaction that failed or gained little is not requested again. */
function needsCompaction(
  { round, limited, context }: Work,
  { lastTurn, tokenLimits }: Situation,
): boolean {
  if (round.ended === null || round.compacted || lastTurn === null || tokenLimits === null)
    return false
  // The provider has not answered, so use the context size that was known before.
  const tokens = limited === null ? lastTurn.contextTokens : (context?.tokens ?? 0)
  const { soft, base = 0 } = tokenLimits
  const isFull = round.ended === "context-grown" || tokens - base > (soft - base) / 2
  return !lastTurn.isSummary && isFull
}

/** From so many failed turns on, the wait is this many times the first one: 5 minutes for 5 s. */
const [MANY_FAILURES, LONG] = [5, 60]

/** Until when failed turns delay the next one, in ms; null if none does. */
export function backsOffUntil({ continuation }: Work, limits: Limits, now: number): number | null {
  const { failures, failed_at: since } = continuation
  if (failures === 0 || since === null || failures >= limits.pauseAfterFailures) return null
  const lengthMs = limits.backoffMs * (failures >= MANY_FAILURES ? LONG : 2 ** (failures - 1))
  return isWithin(since, lengthMs, now) ? msOf(since) + lengthMs : null
}

function backOff(work: Work, { now, limits }: Situation): Decision | undefined {
  const { failures, failed_at } = work.continuation
  if (failures === 0 || failed_at === null) return undefined
  if (failures >= limits.pauseAfterFailures) return pause("backing-off")
  const at = backsOffUntil(work, limits, now)
  return at === null ? undefined : retry("backing-off", at)
}
