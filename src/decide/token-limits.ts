// Works out the token limits for a model.
import type { TokenLimits } from "./situation.ts"

/** A limit from the options: tokens, or a share of the model's context such as `60%`. */
type Limit = number | string

/** How much of the context a limit may take, as a share of where the host compacts: one more step must not reach the host's own end. */
const USABLE = 0.9
/** A soft limit below this share of the hard one leaves room for the step that reaches it. */
const SOFT = 3 / 4
/** The most that the host keeps free at the end of a context, if the model only names its output. */
const MOST_OUTPUT = 32_000
/** The same if the model has a separate limit for its input. */
const MOST_RESERVED = 20_000
/**
 * How much a round may add to the context before it ends with the next settled task, as a share of the soft limit. Beyond this, carrying
 * the context from request to request costs more than a compaction (measured: docs/FIGURES.md).
 */
export const GROWTH = 1 / 4
/** Used for a share while the size of the context is unknown. */
const ASSUMED_CONTEXT = 100_000

/** A model's limits in tokens, as the host gives them; unknown ones are 0 or absent. */
export interface ModelLimits {
  readonly context: number
  readonly output?: number
  readonly input?: number
}

/** The tokens at which the host itself compacts a session: the context without the output (docs/HOST.md, compaction). */
export function compactsAt({ context, output = 0, input = 0 }: ModelLimits): number {
  if (input > 0) return Math.max(0, input - Math.min(output, MOST_RESERVED))
  return Math.max(0, context - Math.min(output, MOST_OUTPUT))
}

/**
 * The limits in force for a model with this context (null if unknown) that the host compacts at `fullAt`. A hard limit too close to that is
 * scaled down, and with it a soft limit that would be too close to the hard one. So is a soft limit above the hard one: the hard one is meant.
 * Limits that `base`, which no compaction takes away (0 if unknown), would reach at once count from there.
 */
export function tokenLimits(
  given: { readonly soft: Limit; readonly hard: Limit },
  contextLimit: number | null,
  fullAt: number | null,
  base = 0,
): TokenLimits {
  const known = contextLimit !== null && contextLimit > 0
  const context = known ? contextLimit : ASSUMED_CONTEXT
  const hard = tokensOf(given.hard, context)
  const asked = tokensOf(given.soft, context)
  const soft = asked > hard ? Math.floor(hard * SOFT) : asked
  const most = Math.floor((fullAt === null || fullAt <= 0 ? context : fullAt) * USABLE)
  const fits = !known || hard <= most
  const limits = fits
    ? { soft, hard, scaled: false }
    : { soft: Math.min(soft, Math.floor(most * SOFT)), hard: most, scaled: true }
  return raised(limits, base, known ? most : Number.POSITIVE_INFINITY)
}

/** Limits that leave a round its room above what is always there; as they are if there is none below `most`. */
function raised(limits: TokenLimits, base: number, most: number): TokenLimits {
  const room = Math.ceil(limits.soft * GROWTH)
  if (base + room <= limits.soft || base + room >= most) return limits
  const soft = base + room
  return { ...limits, soft, hard: Math.min(most, soft + limits.hard - limits.soft), base }
}

function tokensOf(limit: Limit, context: number): number {
  return typeof limit === "number"
    ? limit
    : Math.floor((context * Number.parseInt(limit, 10)) / 100)
}
