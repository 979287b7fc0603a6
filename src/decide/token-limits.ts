import type { TokenLimits } from "./situation.ts"

/** A limit as the options give it: tokens, or a share of the model's context such as `60%`. */
type Limit = number | string

/** What a model's context leaves for a limit: the host itself compacts near the end. */
const USABLE = 0.9
/** Stands in for the share of a context that nobody has told yet. */
const ASSUMED_CONTEXT = 100_000

/**
 * The limits in force for a model with this context (null while unknown). Limits that exceed it are scaled down
 * together, so that the soft one stays below the hard one.
 */
export function tokenLimits(
  given: { readonly soft: Limit; readonly hard: Limit },
  contextLimit: number | null,
): TokenLimits {
  const known = contextLimit !== null && contextLimit > 0
  const context = known ? contextLimit : ASSUMED_CONTEXT
  const hard = tokensOf(given.hard, context)
  const soft = Math.min(tokensOf(given.soft, context), hard)
  const most = Math.floor(context * USABLE)
  if (!known || hard <= most) return { soft, hard, scaled: false }
  return { soft: Math.floor((soft * most) / hard), hard: most, scaled: true }
}

function tokensOf(limit: Limit, context: number): number {
  return typeof limit === "number"
    ? limit
    : Math.floor((context * Number.parseInt(limit, 10)) / 100)
}
