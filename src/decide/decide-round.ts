// Whether the round ends here, with a checkpoint.
import type { Round, RoundEnd } from "../boulder/boulder.ts"
import { isGraver } from "../boulder/round-record.ts"
import type { TokenLimits } from "./situation.ts"

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

/**
 * How much a round may add to the context before it ends with the next settled task, as a share of the soft limit. Beyond this, carrying
 * the context from request to request costs more than a compaction (measured: docs/FIGURES.md).
 */
const GROWTH = 1 / 4

export type RoundDecision =
  | { readonly kind: "go-on"; readonly reason: "nothing-due" }
  | { readonly kind: "end"; readonly reason: RoundEnd }

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
    : { kind: "go-on", reason: "nothing-due" }
}

/** The limit that a context has reached; null below both. */
export function reachedLimit(contextTokens: number, limits: TokenLimits): RoundEnd | null {
  if (contextTokens >= limits.hard) return "hard-limit"
  return contextTokens >= limits.soft ? "soft-limit" : null
}
