// Checks a decision again while it is shown: it still holds, or another one replaces it.
import type { Work } from "../boulder/boulder.ts"
import { recordFailure } from "../boulder/continuation-record.ts"
import { isoOf } from "../boulder/iso-time.ts"
import { giveBackAttempt } from "../boulder/usage-limit.ts"
import { type HumanFacts, hasMoved, type IdleDecision, superseded } from "./decide-idle.ts"
import type { Decision } from "./decision.ts"
import { unaskHolds } from "./hold-ticks.ts"
import type { SessionMemory } from "./memory/session-memory.ts"
import type { Situation } from "./situation.ts"

/** A decision that is written and about to be shown, and what its session had last been told when it was made. */
export interface Written extends IdleDecision {
  readonly heard: string | null
}

/** What the session's memory says now. */
export interface Meanwhile {
  readonly heard: string | null
  readonly human: HumanFacts
  /** The user's own message began its last turn. */
  readonly isUsersTurn: boolean
  /** ms since 1970 */
  readonly now: number
}

/** What is known about a prompt that failed. */
interface FailedPrompt extends Meanwhile {
  /** The host refused it. Otherwise it did not answer, and may have sent the prompt. */
  readonly isRefused: boolean
  /** The session has started on it all the same (see `hasBegunSince`). */
  readonly hasBegun: boolean
}

/** The decision that follows from a failure while showing, and the work after it. */
export interface ShownDecision {
  readonly decision: Decision
  readonly work: Work
}

/**
 * What to show of a written decision: the decision, or nothing if somebody has meanwhile spoken, stopped, refused, asked, or written to the
 * work. The write itself cannot tell: the prompt is sent after its reservation, and the user may speak in between.
 */
export function decideShown(
  written: Written,
  newest: Work | undefined,
  { heard, human, now }: Meanwhile,
): Decision {
  const { decision, situation, work } = written
  const isSame =
    stillHolds(work, newest) &&
    heard === written.heard &&
    human.abortedAt === situation.abortedAt &&
    human.rejectedAt === situation.rejectedAt &&
    human.waitingFor === situation.waitingFor
  return isSame ? decision : superseded(now)
}

/**
 * Undoes what was reserved for a prompt or a compaction that is not sent after all: a cooldown, count, hold or round for nothing would
 * delay the next one. Reservations made since then stay.
 */
export function giveBack(written: IdleDecision, newest: Work): Work {
  const { decision, situation, work: reserved } = written
  if (newest.driver !== reserved.driver) return newest
  if (decision.kind === "continue") return withoutContinuation(situation.work, reserved, newest)
  const isOurs = decision.kind === "compact" && !situation.work.round.compacted
  return isOurs && isSameRound(reserved, newest) && newest.round.compacted
    ? giveBackAttempt({ ...newest, round: { ...newest.round, compacted: false } })
    : newest
}

function withoutContinuation(before: Work, reserved: Work, newest: Work): Work {
  const { count, last_at, recent } = before.continuation
  const { continuation: now, round } = newest
  const isOurs = now.count === reserved.continuation.count && now.count > count
  if (!isOurs || now.last_at !== reserved.continuation.last_at) return newest
  return giveBackAttempt({
    ...unaskHolds(before)(newest),
    continuation: { ...now, count, last_at, recent },
    round: isSameRound(reserved, newest) && round.ended === null ? before.round : round,
  })
}

/** If the host has compacted by itself, that was the round's compaction. */
function isSameRound(reserved: Work, { round, compactions }: Work): boolean {
  return round.number === reserved.round.number && compactions.epoch === reserved.compactions.epoch
}

/**
 * Whether a decision changed its work, and so is told every time. One that changed nothing is told once. A wait for approval counts as a
 * change if it is for another wave or starts anew.
 */
export function isNews({ decision, situation, work }: IdleDecision): boolean {
  if (decision.kind === "retry") return false
  if (decision.kind !== "rest") return true
  const before = situation.work.awaiting_approval?.fingerprint
  const now = work.awaiting_approval?.fingerprint
  return decision.reason === "awaiting-approval" && now !== before
}

/**
 * The form in which a decision is remembered as told: the same one is told again only if it is news. A rest on a pause says what the pause
 * said.
 */
export function saidAs({ decision, situation }: Made): string {
  const { kind, reason } = decision
  const { hostWaitsUntil: until } = situation
  if (reason === "provider-wait" && until !== null) return waitSaid(until)
  return `${kind === "pause" ? "rest" : kind} ${reason}`
}

/** Whether nothing runs in a session, because its user switched it to another agent. */
export function isWithAnotherAgent({
  said,
  running,
}: Pick<SessionMemory, "said" | "running">): boolean {
  const decision = { kind: "rest", reason: "agent-changed" } as const
  return running === null && said === saidAs({ decision, situation: { hostWaitsUntil: null } })
}

interface Made {
  readonly decision: Decision
  readonly situation: Pick<Situation, "hostWaitsUntil">
}

/** The same for a wait of the host until `until`, in ms. */
export function waitSaid(until: number): string {
  return `rest provider-wait ${isoOf(until)}`
}

/**
 * What follows from a prompt that the host refused or did not answer: a failure, unless the session has started on it all the same; then
 * its turn will tell. Nothing is counted for a work or session that has moved on. A refused prompt gives back its reservation; an
 * unanswered one may have been sent, and counts.
 */
export function decidePromptFailed(
  written: Written,
  newest: Work,
  { heard, isUsersTurn, isRefused, hasBegun, now }: FailedPrompt,
): ShownDecision {
  const holds = stillHolds(written.work, newest)
  if (holds && hasBegun && !isUsersTurn) return { decision: written.decision, work: newest }
  const work = isRefused && !hasBegun ? giveBack(written, newest) : newest
  if (!holds || hasBegun || heard !== written.heard) return { decision: superseded(now), work }
  const at = now + written.situation.limits.backoffMs
  return {
    decision: { kind: "retry", reason: "prompt-failed", at },
    work: recordFailure(null, isoOf(now))(work),
  }
}

/**
 * What follows from a prompt that the host accepted without starting a turn: a failed turn. It is counted by its message if the host kept
 * that, so the next look does not count it twice.
 */
export function decidePromptUnanswered(
  { work, situation }: IdleDecision,
  newest: Work,
  { messageId, now }: { readonly messageId: string | null; readonly now: number },
): ShownDecision {
  if (!stillHolds(work, newest)) return { decision: superseded(now), work: newest }
  const at = now + situation.limits.backoffMs
  return {
    decision: { kind: "retry", reason: "prompt-unanswered", at },
    work: recordFailure(messageId, isoOf(now))(newest),
  }
}

/** Whether a written decision still holds: the work has not changed, and nobody has touched it since. */
function stillHolds(written: Work, newest: Work | undefined): boolean {
  return newest !== undefined && newest.status === written.status && !hasMoved(written, newest)
}
