// What becomes of a decision while it is shown: it still holds, or another takes its place.
import type { Work } from "../boulder/boulder.ts"
import { recordFailure } from "../boulder/continuation-record.ts"
import { isoOf } from "../boulder/iso-time.ts"
import { giveBackAttempt } from "../boulder/usage-limit.ts"
import { type HumanFacts, hasMoved, type IdleDecision, superseded } from "./decide-idle.ts"
import type { Decision } from "./decision.ts"
import { unaskHolds } from "./hold-ticks.ts"
import type { Situation } from "./situation.ts"

/** A decision that is written and is to be shown, and what its session had been told last when it was made. */
export interface Written extends IdleDecision {
  readonly heard: string | null
}

/** What the session's memory says by now. */
export interface Meanwhile {
  readonly heard: string | null
  readonly human: HumanFacts
  /** Its last turn was begun by the user's own message. */
  readonly isUsersTurn: boolean
  /** ms since 1970 */
  readonly now: number
}

/** What is known of a prompt that has failed. */
interface FailedPrompt extends Meanwhile {
  /** The host has refused it; else it has not answered, and may have sent it. */
  readonly isRefused: boolean
  /** The session has begun on it all the same, by `hasBegunSince`. */
  readonly hasBegun: boolean
}

/** What follows from what failed while it was shown, and the work as that leaves it. */
export interface ShownDecision {
  readonly decision: Decision
  readonly work: Work
}

/**
 * What is shown of a decision that is written: the decision, or nothing, where somebody has spoken, stopped, refused or
 * asked meanwhile, or has written behind it. No decision inside the write can say that: the prompt comes behind its
 * reservation, and the user may speak between the two.
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
 * The work without what was reserved for a prompt or a compaction that is not sent after all, as it stood before: a
 * cooldown, a count, a hold or a round for nothing would hold the next one up. What somebody has reserved since stays.
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

/** What the host has compacted by itself was the round's compaction. */
function isSameRound(reserved: Work, { round, compactions }: Work): boolean {
  return round.number === reserved.round.number && compactions.epoch === reserved.compactions.epoch
}

/**
 * Whether a decision has changed its work, and is to be said each time: what leaves the work as it was is said once. A
 * wait for approval is a change where it is for another wave, or begins anew.
 */
export function isNews({ decision, situation, work }: IdleDecision): boolean {
  if (decision.kind === "retry") return false
  if (decision.kind !== "rest") return true
  const before = situation.work.awaiting_approval?.fingerprint
  const now = work.awaiting_approval?.fingerprint
  return decision.reason === "awaiting-approval" && now !== before
}

/**
 * How a decision stands in a session's memory once it is said: the same is said again only where it is news. To rest on a
 * pause says what the pause has said.
 */
export function saidAs({ decision, situation }: Made): string {
  const { kind, reason } = decision
  const { hostWaitsUntil: until } = situation
  if (reason === "provider-wait" && until !== null) return waitSaid(until)
  return `${kind === "pause" ? "rest" : kind} ${reason}`
}

interface Made {
  readonly decision: Decision
  readonly situation: Pick<Situation, "hostWaitsUntil">
}

/** The same of a wait of the host's until then, in ms. */
export function waitSaid(until: number): string {
  return `rest provider-wait ${isoOf(until)}`
}

/**
 * What follows from a prompt that the host has refused, or not answered: a failure, unless the session has begun on it all
 * the same; then its turn will tell. No failure is counted for a work or a session that has moved on. What was reserved
 * for one that is refused is given back; one that is not answered may have been sent, and counts.
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
 * What follows from a prompt that the host has taken, and begun no turn for: a failed turn. It is counted by its message,
 * where the host has kept that: the look behind this counts the same turn no second time.
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

/** Whether what was decided and written of a work still holds: it stands as it did, and nobody has it in hand since. */
function stillHolds(written: Work, newest: Work | undefined): boolean {
  return newest !== undefined && newest.status === written.status && !hasMoved(written, newest)
}
