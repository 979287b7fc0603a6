// What a work has cost, as the host tells it: in US dollars, and in tokens where it names no price.
import type { Unchanging } from "./unchanging.ts"
import { z } from "./z.ts"

const usd = z.number().nonnegative()
const tokens = z.int().nonnegative()

/**
 * A sum of answers. An answer with tokens and without a price is counted in `unpriced_tokens`, one whose usage the
 * provider does not tell in `unknown_answers`, never as 0 dollars. That is left out of what knows of none.
 */
const cost = z.object({
  usd,
  unpriced_tokens: tokens,
  unknown_answers: z.int().nonnegative().optional(),
})

/** The costs of a work; a file of before they were counted has none. */
export const workCostSchema = z
  .object({
    ...cost.shape,
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

/** Tokens that the work's sessions have sent and received, cached ones too, subagents' too. */
export const workTokensSchema = z
  .object({
    spent: tokens,
    /** What was spent when the budget was last fresh: the ceiling counts from there. */
    since: tokens,
    /** The ceiling in force; null without one. */
    ceiling: tokens.nullable(),
  })
  .default({ spent: 0, since: 0, ceiling: null })

/** What the calls of a task have cost; left out where nothing is known of it. */
export const taskCostSchema = cost.optional()

export type Cost = Unchanging<z.infer<typeof cost>>
export type WorkCost = Unchanging<z.infer<typeof workCostSchema>>

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
  const answers = (one.unknown_answers ?? 0) + (other.unknown_answers ?? 0)
  const isOfAny = one.unknown_answers !== undefined || other.unknown_answers !== undefined
  return {
    usd: rounded(one.usd + other.usd),
    unpriced_tokens: Math.max(0, one.unpriced_tokens + other.unpriced_tokens),
    // A 0 too: it takes the place of what was there before.
    ...(isOfAny ? { unknown_answers: Math.max(0, answers) } : {}),
  }
}

/** A cost with everything taken back that is part of it. */
export function without(all: Cost, part: Cost): Cost {
  const { usd: dollars, unpriced_tokens: tokens, unknown_answers: answers } = part
  const taken = { usd: -dollars, unpriced_tokens: -tokens }
  return added(all, answers === undefined ? taken : { ...taken, unknown_answers: -answers })
}

/** The sum alone of what has more to it. */
export function sumIn({ usd: dollars, unpriced_tokens, unknown_answers: answers }: Cost): Cost {
  const sum = { usd: dollars, unpriced_tokens }
  return answers === undefined ? sum : { ...sum, unknown_answers: answers }
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

/** Whether no answer was counted. */
export function isNone(sum: Cost): boolean {
  return !isKnown(sum) && isPriced(sum)
}

/** Whether the dollars are those of every answer. */
export function isPriced({ unpriced_tokens: tokens, unknown_answers: answers = 0 }: Cost): boolean {
  return tokens === 0 && answers === 0
}

/** The dollars; null where they are not known: something was spent, and none of it has a price. */
function knownUsd(sum: Cost): number | null {
  return isKnown(sum) || isNone(sum) ? sum.usd : null
}

/** A sum for a program: the dollars are null where they are not known, the answers without usage a number. */
export function sumJson(sum: Cost) {
  const { unpriced_tokens, unknown_answers = 0 } = sum
  return { usd: knownUsd(sum), unpriced_tokens, unknown_answers }
}

/** All costs of a work, in the same way. */
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
