// Decides whether the round ends here, with a checkpoint, and which tool may still run at its hard limit.

import type { Round, RoundEnd, Work } from "../boulder/boulder.ts"
import { endRound, isGraver } from "../boulder/round-record.ts"
import { type Plan, settledCount } from "../plan/model/plan.ts"
import type { TokenLimits } from "./situation.ts"
import { GROWTH } from "./token-limits.ts"
import type { ToolCall } from "./tool-call.ts"

/** What decides whether a round ends. */
export interface RoundFacts {
  readonly round: Round
  /** The tasks that the plan shows as settled now. */
  readonly settled: number
  /** Some of them were not settled at the last look, so this is a break between two tasks. */
  readonly isNewlySettled: boolean
  readonly checkpointEvery: number
  /** Tokens in the lead session's context after its last answer; 0 if unknown. */
  readonly contextTokens: number
  /** An estimate of the tokens that the current turn has added; 0 if unknown. */
  readonly grownBy: number
  readonly limits: TokenLimits
}

export type RoundDecision =
  | { readonly kind: "go-on"; readonly reason: "nothing-due" }
  | { readonly kind: "end"; readonly reason: RoundEnd }

const GO_ON: RoundDecision = { kind: "go-on", reason: "nothing-due" }

/**
 * Decides whether the round ends here, with a checkpoint. Each token limit ends it once; a model that works on anyway gets its next
 * checkpoint after another K settled tasks.
 */
export function decideRound(facts: RoundFacts): RoundDecision {
  const { round, settled, isNewlySettled, checkpointEvery } = facts
  const limit = reachedLimit(facts.contextTokens, facts.limits)
  if (limit !== null && isGraver(limit, round.ended)) return { kind: "end", reason: limit }
  const isNew = settled - round.settled_at_checkpoint
  if (isNew >= checkpointEvery) return { kind: "end", reason: "checkpoint-due" }
  return isNew > 0 &&
    isNewlySettled &&
    round.ended === null &&
    facts.grownBy >= facts.limits.soft * GROWTH
    ? { kind: "end", reason: "context-grown" }
    : GO_ON
}

/** The limit that a context has reached; null below both. */
export function reachedLimit(contextTokens: number, limits: TokenLimits): RoundEnd | null {
  if (contextTokens >= limits.hard) return "hard-limit"
  return contextTokens >= limits.soft ? "soft-limit" : null
}

/** What is known after a tool of a lead session has run. */
export interface ToolLook extends Omit<RoundFacts, "round" | "settled" | "isNewlySettled"> {
  readonly plan: Plan
  readonly planHash: string
  /** The turn is the user's own: no round ends in it. */
  readonly isUsersTurn: boolean
  /** The checkpoint that was written for the end of the round; null if none was due. */
  readonly checkpoint: number | null
  /** Stores in the work what reading its plan has shown. */
  readonly counted: (work: Work) => Work
}

/**
 * Decides on the newest state whether the round ends after a tool. Newly settled tasks are counted once, and no round ends without its
 * checkpoint.
 */
export function lookBehindTool(look: ToolLook, newest: Work) {
  const { plan, planHash, counted, checkpoint } = look
  const settled = settledCount(plan.counts)
  const decision: RoundDecision = look.isUsersTurn
    ? GO_ON
    : decideRound({
        ...look,
        round: newest.round,
        settled,
        isNewlySettled: settled > newest.completed_count,
      })
  if (decision.kind === "end" && checkpoint !== null)
    return { decision, work: endRound(decision.reason, checkpoint, settled)(counted(newest)) }
  const isSame =
    newest.plan_fingerprint?.hash === planHash &&
    newest.completed_count === settled &&
    newest.blocked_count === plan.counts.blocked
  return { decision, work: isSame ? newest : counted(newest) }
}

/**
 * Whether a tool may still run at the hard limit: ours, a write to the plan alone, or a question to the user, all of which add little.
 * These are all that our texts ask for there, and a question must not wait for a round.
 */
export function mayRunAtHardLimit(
  call: Pick<ToolCall, "name" | "kind"> & {
    /** The files that the call names, relative to the root. */
    readonly named: readonly string[]
  },
  { planPath, ours }: { readonly planPath: string; readonly ours: ReadonlySet<string> },
): boolean {
  if (ours.has(call.name) || call.kind === "ask") return true
  if (call.kind !== "write" || call.named.length === 0) return false
  return call.named.every((path) => path === planPath)
}
