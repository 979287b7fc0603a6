// What a work has cost, as the host tells it: in US dollars, and in tokens where it names no price.
import { z } from "zod"

const usd = z.number().nonnegative()
const unpriced = z.int().nonnegative()

/** A sum of answers. An answer with tokens and without a price is counted in `unpriced_tokens`, never as 0 dollars. */
const cost = z.object({ usd, unpriced_tokens: unpriced })

/** The costs of a work; a file of before they were counted has none. */
export const workCostSchema = z
  .object({
    usd,
    unpriced_tokens: unpriced,
    /** Of these, the lead sessions' own. */
    lead: cost,
    /** What was spent when the budget was last fresh: the ceiling counts from there. */
    since_usd: usd,
    /** The ceiling in force; null without one. */
    ceiling_usd: usd.nullable(),
    /** The last rounds, oldest first. */
    rounds: z.array(cost.extend({ number: z.int().nonnegative() })).max(64),
  })
  .default({
    usd: 0,
    unpriced_tokens: 0,
    lead: { usd: 0, unpriced_tokens: 0 },
    since_usd: 0,
    ceiling_usd: null,
    rounds: [],
  })

/** What the calls of a task have cost; left out where nothing is known of it. */
export const taskCostSchema = cost.optional()

export type Cost = z.infer<typeof cost>
export type WorkCost = z.infer<typeof workCostSchema>

export const NO_COST: Cost = { usd: 0, unpriced_tokens: 0 }
export const NO_WORK_COST: WorkCost = workCostSchema.parse(undefined)

/** Below a thousandth of a millionth there is no price: sums stay short. */
const PRECISION = 1e9

/** US dollars since the budget was last fresh. */
export function spentSince({ usd: dollars, since_usd: since }: WorkCost): number {
  return rounded(dollars - since)
}

/** The sum of two costs. */
export function added(one: Cost, other: Cost): Cost {
  return {
    usd: rounded(one.usd + other.usd),
    unpriced_tokens: Math.max(0, one.unpriced_tokens + other.unpriced_tokens),
  }
}

/** A record with more cost than it has; the same where there is none to add. */
export function charged<Record extends { readonly cost?: Cost | undefined }>(
  record: Record,
  more: Cost | undefined,
): Record {
  if (more === undefined || isNone(more)) return record
  return { ...record, cost: added(record.cost ?? NO_COST, more) }
}

/** Whether any of it has a price. */
export function isKnown({ usd: dollars }: Pick<Cost, "usd">): boolean {
  return dollars > 0
}

/** Whether nothing was spent, or nothing is known of it. */
export function isNone({ usd: dollars, unpriced_tokens: tokens }: Cost): boolean {
  return dollars === 0 && tokens === 0
}

function rounded(dollars: number): number {
  return Math.max(0, Math.round(dollars * PRECISION) / PRECISION)
}
