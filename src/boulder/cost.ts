// What a work has cost, as the host reports it: in US dollars, or in tokens if it names no price.
import type { Unchanging } from "./unchanging.ts"
import { z } from "./z.ts"

const usd = z.number().nonnegative()
const tokens = z.int().nonnegative()

/**
 * A sum of answers. An answer with tokens but no price is counted in `unpriced_tokens`, one without any reported usage in
 * `unknown_answers`, never as 0 dollars. The latter is missing if there was none.
 */
const cost = z.object({
  usd,
  unpriced_tokens: tokens,
  unknown_answers: z.int().nonnegative().optional(),
})

/** The costs of a work. */
export const workCostSchema = z.object({
  ...cost.shape,
  /** The part of the lead sessions themselves. */
  lead: cost,
  /** What had been spent when the budget was last made fresh: the ceiling counts from there. */
  since_usd: usd,
  /** The ceiling in force; null if there is none. */
  ceiling_usd: usd.nullable(),
  /** The last rounds, oldest first. */
  rounds: z.array(cost.extend({ number: z.int().nonnegative() })).max(64),
})

/** Tokens that the work's sessions have sent and received, including cached ones and subagents'. */
export const workTokensSchema = z.object({
  spent: tokens,
  /** What had been spent when the budget was last made fresh: the ceiling counts from there. */
  since: tokens,
  /** The ceiling in force; null if there is none. */
  ceiling: tokens.nullable(),
})

/** What the calls of a task have cost; missing if nothing is known. */
export const taskCostSchema = cost.optional()

export type Cost = Unchanging<z.infer<typeof cost>>
export type WorkCost = Unchanging<z.infer<typeof workCostSchema>>

export const NO_COST: Cost = { usd: 0, unpriced_tokens: 0 }
export const NO_WORK_COST: WorkCost = {
  ...NO_COST,
  ...{ lead: NO_COST, since_usd: 0, ceiling_usd: null, rounds: [] },
}

/** Prices below a billionth of a dollar do not exist: rounding to that keeps sums short. */
const PRECISION = 1e9

/** US dollars spent since the budget was last made fresh. */
export function spentSince({ usd: dollars, since_usd: since }: WorkCost): number {
  return rounded(dollars - since)
}

/** The sum of two costs. */
export function added(one: Cost, other: Cost): Cost {
  const answers = (one.unknown_answers ?? 0) + (other.unknown_answers ?? 0)
  const isOfAny = one.unknown_answers !== undefined || other.unknown_answers !== undefined
  return {
    usd: rounded(one.usd + other.usd),
    unpriced_tokens: Math.max(0, one.unpriced_tokens + other.unpriced_tokens),
    // Written even if 0, to replace an earlier value.
    ...(isOfAny ? { unknown_answers: Math.max(0, answers) } : {}),
  }
}

/** Takes back everything in a cost that belongs to `part`. */
export function without(all: Cost, part: Cost): Cost {
  const { usd: dollars, unpriced_tokens: tokens, unknown_answers: answers } = part
  const taken = { usd: -dollars, unpriced_tokens: -tokens }
  return added(all, answers === undefined ? taken : { ...taken, unknown_answers: -answers })
}

/** Only the sum, without other fields. */
export function sumIn({ usd: dollars, unpriced_tokens, unknown_answers: answers }: Cost): Cost {
  const sum = { usd: dollars, unpriced_tokens }
  return answers === undefined ? sum : { ...sum, unknown_answers: answers }
}

/** A record with more cost; the same object if there is nothing to add. */
export function charged<Record extends { readonly cost?: Cost | undefined }>(
  record: Record,
  more: Cost | undefined,
): Record {
  if (more === undefined || isNone(more)) return record
  return { ...record, cost: added(record.cost ?? NO_COST, more) }
}

/** Whether any part of it has a price. */
export function isKnown({ usd: dollars }: Pick<Cost, "usd">): boolean {
  return dollars > 0
}

/** Whether no answer was counted. */
export function isNone(sum: Cost): boolean {
  return !isKnown(sum) && isPriced(sum)
}

/** Whether the dollars cover every answer. */
export function isPriced({ unpriced_tokens: tokens, unknown_answers: answers = 0 }: Cost): boolean {
  return tokens === 0 && answers === 0
}

/** A sum for programs: dollars are null if unknown, answers without usage are a number. */
export function sumJson(sum: Cost) {
  const { unpriced_tokens, unknown_answers = 0 } = sum
  // Dollars are unknown if something was spent and none of it has a price.
  return { usd: isKnown(sum) || isNone(sum) ? sum.usd : null, unpriced_tokens, unknown_answers }
}

/** All costs of a work in the same form. */
export function workCostJson({ lead, since_usd: since, ceiling_usd, rounds, ...all }: WorkCost) {
  const sum = sumJson(all)
  return {
    ...sum,
    lead: sumJson(lead),
    since_usd: sum.usd === null ? null : since,
    ceiling_usd,
    rounds: rounds.map(({ number, ...cost }) => ({ number, ...sumJson(cost) })),
  }
}

function rounded(dollars: number): number {
  return Math.max(0, Math.round(dollars * PRECISION) / PRECISION)
}
