// Decides what to do at an idle, on the newest state of the work, and what to write.
import type { Work } from "../boulder/boulder.ts"
import { complete, pause } from "../boulder/change-work.ts"
import { countTurn, recordTurn, reserveContinuation } from "../boulder/continuation-record.ts"
import { followTasks } from "../boulder/follow-tasks.ts"
import { heldReading, type PlanReading } from "../boulder/held-plan.ts"
import { isoOf } from "../boulder/iso-time.ts"
import { reopenWork } from "../boulder/reopen-work.ts"
import { beginRound, reserveCompaction } from "../boulder/round-record.ts"
import {
  begunByNow,
  countAttempt,
  type LimitWait,
  lasts,
  wakeIfDue,
  withoutWait,
} from "../boulder/usage-limit.ts"
import { NO_FAILURE } from "./classify-failure.ts"
import { decideContinuation, isAbortPast } from "./decide-continuation.ts"
import type { Decision } from "./decision.ts"
import { unreviewedRows, waveStatus } from "./final-wave.ts"
import { askHolds } from "./hold-ticks.ts"
import { SUPERSEDED_MS } from "./look-again.ts"
import { progressSince } from "./progress.ts"
import { withCause } from "./provider-says.ts"
import { causeHolds, reopens } from "./reopen.ts"
import type { LastTurn, Situation } from "./situation.ts"
import { spentBudget } from "./spent-budget.ts"

/** What was gathered for an idle: the situation with its work, and what must not change before the decision is written. */
export interface IdleFacts {
  readonly situation: Situation & { readonly work: Work }
  /** Null if the plan could not be read. */
  readonly planHash: string | null
  /** What the session had last been told (see `heardOf`), and its calls at that time. */
  readonly heard: string | null
  /** Holds back ticks without proof, if the options ask for that. */
  readonly hold?: (work: Work) => Work
}

/** What only memory knows about the user. It is read when the decision is made, not when the facts are gathered. */
export type HumanFacts = Pick<Situation, "abortedAt" | "rejectedAt" | "waitingFor">

/** What the session's memory says now, and what else to write when the decision is carried out. */
export interface IdleWriting {
  readonly heard: string | null
  readonly human: HumanFacts
  /** Stores in the work what reading its plan has shown. */
  readonly counted: (work: Work) => Work
  /** Decisions that cannot be carried out with what was prepared: the text is missing, or the plan has changed. */
  readonly lacks: readonly Decision["kind"][]
}

/** A decision, the situation it was made in, and the work after it. */
export interface IdleDecision {
  readonly decision: Decision
  readonly situation: Situation & { readonly work: Work }
  readonly work: Work
}

/**
 * Decides what to do at an idle, on the newest state of the work, and what to write: that an edit of the plan has reopened the work, how
 * the last turn went, and the decision itself. What the host said applies to one turn only: if the work or its session has moved on,
 * nothing is decided.
 */
export function decideIdle(
  gathered: IdleFacts,
  newest: Work,
  { counted, ...memory }: IdleWriting,
): IdleDecision {
  const made = decidedAtIdle(gathered, newest, memory)
  return { ...made, work: written(made.decision, made.situation, counted) }
}

/** The decision alone, for callers that write nothing. */
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

/** Do nothing now: what the decision was based on has changed. `now` in ms. */
export function superseded(now: number): Decision {
  return { kind: "retry", reason: "superseded", at: now + SUPERSEDED_MS }
}

/**
 * The work with its tasks matched to the plan as it is now. An edit of the plan, or the end of a limit it waited for, may have resumed it.
 * `now` in ms.
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

/** Whether the later of two states of a work holds back fewer ticks: their checks have passed, or a person removed them. */
export function isProvenSince({ held: before }: Work, { held: after }: Work): boolean {
  return Object.keys(before).some((key) => !Object.hasOwn(after, key))
}

/** An edit is not a person's word: a stop made after the pause still holds, and so does what the provider has said. */
function reopenedByEdit(work: Work, plan: PlanReading, planHash: string | null, now: number): Work {
  const { pause_reason: reason, plan_fingerprint: known, resumed_at, rejections } = work
  if (work.status !== "paused" || reason === null || planHash === (known?.hash ?? null)) return work
  return reopens(reason, "plan-edited", causeHolds(reason, plan, work))
    ? { ...reopenWork(reason, isoOf(now))(work), resumed_at, rejections }
    : work
}

/** Whether the work was continued, compacted, resumed or taken over in between. */
export function hasMoved(then: Work, now: Work): boolean {
  return (
    then.lead_session_id !== now.lead_session_id ||
    then.resumed_at !== now.resumed_at ||
    then.continuation.count !== now.continuation.count ||
    then.compactions.epoch !== now.compactions.epoch
  )
}

/** Records how the last turn went. A turn that neither failed nor went well is still running, or died with its host. */
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

/** After a limit the provider's cache is cold, so a context above the soft limit is compacted before it is sent again. */
function withRoundEnd(work: Work, { tokenLimits }: Situation): Work {
  const { limited, round, context } = work
  if (work.status !== "active" || limited === null || round.ended !== null || tokenLimits === null)
    return work
  const isFull = (context?.tokens ?? 0) > tokenLimits.soft
  return isFull ? { ...work, round: { ...round, ended: "soft-limit" } } : work
}

/** The turn ended with opencode itself, without an answer or a failure. That says nothing about the provider. */
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

function waiting(
  { work, plan, now }: Situation & { readonly work: Work },
  counted: (work: Work) => Work,
): Work {
  if (plan.kind !== "read") return work
  const { fingerprint } = waveStatus(plan.plan, work)
  const unreviewed = unreviewedRows(plan.plan, work)
  return work.awaiting_approval?.fingerprint === fingerprint
    ? work
    : counted({
        ...work,
        spoken_wave: null,
        awaiting_approval: {
          fingerprint,
          since: isoOf(now),
          ...(unreviewed.length === 0 ? {} : { unreviewed }),
        },
      })
}
