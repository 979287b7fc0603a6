import type { Round, RoundEnd } from "../boulder/boulder.ts"
import { isGraver } from "../boulder/round-record.ts"
import type { TokenLimits } from "./situation.ts"

/** What a round is judged by. */
export interface RoundFacts {
  readonly round: Round
  /** Tasks that the plan says are settled, now. */
  readonly settled: number
  readonly checkpointEvery: number
  /** Tokens in the lead session's context after its last answer; 0 while unknown. */
  readonly contextTokens: number
  readonly limits: TokenLimits
}

export type RoundDecision =
  | { readonly kind: "go-on"; readonly reason: "nothing-due" }
  | { readonly kind: "end"; readonly reason: RoundEnd }

/**
 * Whether the round ends here, with a checkpoint. Each token limit ends it once; a model that works on all the
 * same gets another checkpoint after the next K settled tasks.
 */
export function decideRound(facts: RoundFacts): RoundDecision {
  const { round, settled, checkpointEvery } = facts
  const limit = reachedLimit(facts)
  if (limit !== null && isGraver(limit, round.ended)) return { kind: "end", reason: limit }
  return settled - round.settled_at_checkpoint >= checkpointEvery
    ? { kind: "end", reason: "checkpoint-due" }
    : { kind: "go-on", reason: "nothing-due" }
}

function reachedLimit({ contextTokens, limits }: RoundFacts): RoundEnd | null {
  if (contextTokens >= limits.hard) return "hard-limit"
  return contextTokens >= limits.soft ? "soft-limit" : null
}
