// What to do at an idle, decided on the newest state of the work, and what is to be written.
import type { Work } from "../boulder/boulder.ts"
import { complete, pause } from "../boulder/change-work.ts"
import { countTurn, recordTurn, reserveContinuation } from "../boulder/continuation-record.ts"
import { followTasks } from "../boulder/follow-tasks.ts"
import { heldReading } from "../boulder/held-plan.ts"
import { isoOf } from "../boulder/iso-time.ts"
import { reopenWork } from "../boulder/reopen-work.ts"
import { beginRound, reserveCompaction } from "../boulder/round-record.ts"
import {
  begunByNow,
  countAttempt,
  type LimitWait,
  lasts,
  recordLimit,
  wakeIfDue,
  withoutWait,
} from "../boulder/usage-limit.ts"
import { decideContinuation, isAbortPast } from "./decide-continuation.ts"
import type { Decision } from "./decision.ts"
import { waveStatus } from "./final-wave.ts"
import { askHolds } from "./hold-ticks.ts"
import { SUPERSEDED_MS } from "./look-again.ts"
import { progressSince } from "./progress.ts"
import { limitNow, refusalNow, tasksLimitNow } from "./provider-says.ts"
import { causeHolds, reopens } from "./reopen.ts"
import type { LastTurn, PlanReading, Situation } from "./situation.ts"
import { spentBudget } from "./spent-budget.ts"

/** What an idle was gathered for: a situation with its work, and what has not to move until it is written. */
export interface IdleFacts {
  readonly situation: Situation & { readonly work: Work }
  /** Null where the plan could not be read. */
  readonly planHash: string | null
  /** What the session had been told last, as `heardOf` says it, and its calls then. */
  readonly heard: string | null
  /** Holds back what is ticked and not proven, where that is asked for. */
  readonly hold?: (work: Work) => Work
}

/** What is known of the user by memory alone: it is taken when a decision is made, not when its facts are gathered. */
export type HumanFacts = Pick<Situation, "abortedAt" | "rejectedAt" | "waitingFor">

/** What the session's memory says by now, and what carrying it out writes besides. */
export interface IdleWriting {
  readonly heard: string | null
  readonly human: HumanFacts
  /** Keeps in a work what the reading of its plan gave. */
  readonly counted: (work: Work) => Work
  /** Decisions that cannot be carried out on what was prepared: without a text, or on a plan that is another by now. */
  readonly lacks: readonly Decision["kind"][]
}

/** A decision, the situation that it was made in, and the work as it leaves it. */
export interface IdleDecision {
  readonly decision: Decision
  readonly situation: Situation & { readonly work: Work }
  readonly work: Work
}

/** Errors that end a turn without being a failure of it: the user's stop, and a full context, which the host mends. */
const NO_FAILURE: ReadonlySet<string> = new Set(["MessageAbortedError", "ContextOverflowError"])

/**
 * Decides on the newest state of the work what to do at an idle, and what is to be written: an edited plan that re-opens
 * it, how the last turn went, and the decision itself. What the host said belongs to one turn: where the work or its
 * session have moved on since, nothing is decided.
 */
export function decideIdle(
  gathered: IdleFacts,
  newest: Work,
  { counted, ...memory }: IdleWriting,
): IdleDecision {
  const made = decidedAtIdle(gathered, newest, memory)
  return { ...made, work: written(made.decision, made.situation, counted) }
}

/** The same for who writes nothing: the decision alone. */
export function decidedAtIdle(
  gathered: IdleFacts,
  newest: Work,
  { heard, human, lacks }: Omit<IdleWriting, "counted">,
): Omit<IdleDecision, "work"> {
  const { planHash } = gathered
  const situation = { ...gathered.situation, ...human }
  const { now } = situation
  const isVoid = { decision: superseded(now), situation: { ...situation, work: newest } }
  if (heard === null || heard !== gathered.heard || hasMoved(situation.work, newest)) return isVoid
  const held = gathered.hold?.(newest) ?? newest
  const plan = heldReading(situation.plan, held)
  const wait = situation.limits.waitForLimits
  const isProven = isProvenSince(newest, held)
  const open = goingOn(held, plan, planHash, { now, wait, isProven })
  const turned = withTurn(open, situation)
  const asked = { ...situation, plan, work: withRoundEnd(turned, situation) }
  const decision = decideContinuation(asked)
  if (lacks.includes(decision.kind)) return isVoid
  return { decision, situation: asked }
}

/** Nothing is done: what was to be decided on, or was decided, is another by now. `now` in ms. */
export function superseded(now: number): Decision {
  return { kind: "retry", reason: "superseded", at: now + SUPERSEDED_MS }
}

/**
 * A work with its tasks followed into the plan as it is now, and set going by an edit of its plan, where an edit does
 * that, or by the end of a limit that it waits for. `now` in ms.
 */
export function goingOn(
  work: Work,
  plan: PlanReading,
  planHash: string | null,
  {
    now,
    wait,
    isProven = false,
  }: { readonly now: number; readonly wait: LimitWait; readonly isProven?: boolean },
): Work {
  const known = begunByNow(followTasks(plan)(work), now)
  const awaited = wait === "off" ? withoutWait(known) : known
  return wakeIfDue(reopenedByEdit(awaited, plan, isProven ? null : planHash, now), now)
}

/** Of two states of a work, the later one holds back fewer ticks: their checks have passed, or were taken out by a person. */
export function isProvenSince({ held: before = {} }: Work, { held: after = {} }: Work): boolean {
  return Object.keys(before).some((key) => !Object.hasOwn(after, key))
}

/** An edit is no word of a person's: a stop that came behind the pause holds, and so does what the provider has said. */
function reopenedByEdit(work: Work, plan: PlanReading, planHash: string | null, now: number): Work {
  const { pause_reason: reason, plan_fingerprint: known, resumed_at, rejections } = work
  if (work.status !== "paused" || reason === null || planHash === (known?.hash ?? null)) return work
  return reopens(reason, "plan-edited", causeHolds(reason, plan, work))
    ? { ...reopenWork(reason, isoOf(now))(work), resumed_at, ...(rejections && { rejections }) }
    : work
}

/** The work was continued, compacted, set going or taken over since. */
export function hasMoved(then: Work, now: Work): boolean {
  return (
    then.lead_session_id !== now.lead_session_id ||
    then.resumed_at !== now.resumed_at ||
    then.continuation.count !== now.continuation.count ||
    then.compactions.epoch !== now.compactions.epoch
  )
}

/** How the last turn went; one that neither failed nor went well runs, or has died with its host. */
function withTurn(work: Work, { lastTurn, isBusy, now }: Situation): Work {
  if (lastTurn === null) return work
  if (isAbortPast(work, lastTurn, now)) return countTurn(lastTurn.messageId)(work)
  if (work.status !== "active") return work
  if (work.limited !== null && lasts(work.limited, now) && isCutOff(lastTurn)) return work
  const failed = hasFailed(lastTurn) && !(lastTurn.isUnanswered && isBusy)
  if (!failed && (!lastTurn.ended || lastTurn.isUnanswered)) return work
  const turn = { messageId: lastTurn.messageId, failed, endedAt: lastTurn.createdAt }
  return recordTurn(turn, isoOf(now))(work)
}

/** Behind a limit the provider's cache is cold: a context above the soft limit is compacted before it is sent again. */
function withRoundEnd(work: Work, { tokenLimits }: Situation): Work {
  const { limited, round, context } = work
  if (work.status !== "active" || limited === null || round.ended !== null || tokenLimits === null)
    return work
  const isFull = (context?.tokens ?? 0) > tokenLimits.soft
  return isFull ? { ...work, round: { ...round, ended: "soft-limit" } } : work
}

/** It has ended without an answer and without a failure, with its opencode: that tells nothing of the provider. */
function isCutOff(turn: LastTurn): boolean {
  return turn.contextTokens === 0 && !hasFailed(turn)
}

function hasFailed({ error, isUnanswered }: LastTurn): boolean {
  return isUnanswered || (error !== null && !NO_FAILURE.has(error))
}

function written(
  decision: Decision,
  situation: Situation & { readonly work: Work },
  counted: (work: Work) => Work,
): Work {
  const { work, now, limits, progress, lastTurn } = situation
  const messageId = lastTurn?.messageId ?? null
  const fingerprint = progressSince(work.continuation.fingerprint, progress)
  switch (decision.kind) {
    case "retry":
      return work
    case "rest":
      return decision.reason === "awaiting-approval" ? waiting(situation, counted) : work
    case "pause": {
      const spent = decision.reason === "budget-spent" ? spentBudget(work, now, limits) : null
      return withCause(situation, counted(pause(decision.reason, spent)(work)))
    }
    case "finish":
      return counted(complete(work))
    case "compact": {
      const { noProgressStreak } = decision
      return countAttempt(reserveCompaction({ noProgressStreak, fingerprint, messageId })(work))
    }
    case "continue": {
      const { noProgressStreak } = decision
      const reserve = reserveContinuation({
        now: isoOf(now),
        noProgressStreak,
        fingerprint,
        messageId,
      })
      const going = reserve({ ...work, awaiting_approval: null, spoken_wave: null })
      const { plan } = situation
      const begun = plan.kind === "read" ? askHolds(plan.plan)(going) : going
      return countAttempt(beginRound(counted(begun)))
    }
  }
}

/** The host takes what has the latest time for the newest message, and what is older than its last answer for answered. */
const UNANSWERED =
  "opencode accepted the prompts and answered none; if its clock was set back, only a new session helps"

/** What the provider's answer, or the lack of any, says more of a pause than its reason does. */
function withCause(situation: Situation & { readonly work: Work }, paused: Work): Work {
  const { work, limits, lastTurn, failure } = situation
  if (paused.pause_reason === "provider-refused")
    return { ...paused, refusal: refusalNow(situation, work) }
  if (paused.pause_reason === "backing-off")
    return { ...paused, refusal: lastTurn?.isUnanswered ? UNANSWERED : (failure?.words ?? null) }
  if (paused.pause_reason !== "usage-limited") return paused
  const { plan, now } = situation
  const ofTasks = plan.kind === "read" ? tasksLimitNow(plan.plan, work, now) : null
  const limit = limitNow(situation, work) ?? ofTasks
  return limit === null ? paused : recordLimit(limit, limits.waitForLimits, now)(paused)
}

function waiting(
  { work, plan, now }: Situation & { readonly work: Work },
  counted: (work: Work) => Work,
): Work {
  if (plan.kind !== "read") return work
  const { fingerprint } = waveStatus(plan.plan, work)
  return work.awaiting_approval?.fingerprint === fingerprint
    ? work
    : counted({
        ...work,
        spoken_wave: null,
        awaiting_approval: { fingerprint, since: isoOf(now) },
      })
}
