// The token limits in force for a model.
import type { TokenLimits } from "./situation.ts"

/** A limit as the options give it: tokens, or a share of the model's context such as `60%`. */
type Limit = number | string

/** The share of what the host leaves full that a limit may take: a step behind it must not reach the host's own end. */
const USABLE = 0.9
/** A soft limit that stays below this share of the hard one leaves room for the step that reaches it. */
const SOFT = 3 / 4
/** What the host keeps free at the end of a context, at most, where the model tells only of its output. */
const MOST_OUTPUT = 32_000
/** The same where the model's input has a limit of its own. */
const MOST_RESERVED = 20_000
/** Stands in for the share of a context that nobody has told yet. */
const ASSUMED_CONTEXT = 100_000

/** A model's limits in tokens, as the host tells them; those it does not know are 0 or absent. */
export interface ModelLimits {
  readonly context: number
  readonly output?: number
  readonly input?: number
}

/** The tokens at which the host compacts a session by itself (docs/HOST.md, compaction): context without the output. */
export function compactsAt({ context, output = 0, input = 0 }: ModelLimits): number {
  if (input > 0) return Math.max(0, input - Math.min(output, MOST_RESERVED))
  return Math.max(0, context - Math.min(output, MOST_OUTPUT))
}

/**
 * The limits in force for a model with this context (null while unknown) that the host compacts at `fullAt`. A hard
 * limit too near to that is scaled down, and the soft one with it where it would not stay well below.
 */
export function tokenLimits(
  given: { readonly soft: Limit; readonly hard: Limit },
  contextLimit: number | null,
  fullAt: number | null,
): TokenLimits {
  const known = contextLimit !== null && contextLimit > 0
  const context = known ? contextLimit : ASSUMED_CONTEXT
  const hard = tokensOf(given.hard, context)
  const soft = Math.min(tokensOf(given.soft, context), hard)
  const most = Math.floor((fullAt === null || fullAt <= 0 ? context : fullAt) * USABLE)
  if (!known || hard <= most) return { soft, hard, scaled: false }
  return { soft: Math.min(soft, Math.floor(most * SOFT)), hard: most, scaled: true }
}

function tokensOf(limit: Limit, context: number): number {
  return typeof limit === "number"
    ? limit
    : Math.floor((context * Number.parseInt(limit, 10)) / 100)
}
