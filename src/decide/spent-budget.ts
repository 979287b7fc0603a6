// Finds the first ceiling that a work has reached.
import type { SpentBudget, Work } from "../boulder/boulder.ts"
import { withinTheHour } from "../boulder/continuation-record.ts"
import { spentSince } from "../boulder/cost.ts"
import type { Limits } from "./situation.ts"

/** The first ceiling that a work has reached, with its figures; null if it is below all of them. `now` in ms. */
export function spentBudget(
  { continuation, tokens, cost }: Work,
  now: number,
  limits: Limits,
): SpentBudget | null {
  const budgets: readonly SpentBudget[] = [
    { of: "continuations", used: continuation.count, limit: limits.maxPerWork },
    {
      of: "continuations-an-hour",
      used: anHour(continuation.recent, now, limits.maxPerHour),
      limit: limits.maxPerHour,
    },
    ...(limits.maxTokens === null
      ? []
      : [{ of: "tokens", used: tokens.spent - tokens.since, limit: limits.maxTokens } as const]),
    ...(limits.maxUsd === null
      ? []
      : [{ of: "dollars", used: spentSince(cost), limit: limits.maxUsd } as const]),
  ]
  return budgets.find(({ used, limit }) => used >= limit) ?? null
}

/** If there are fewer than the limit, there is no need to look at each time. */
function anHour(times: readonly string[], now: number, limit: number): number {
  return times.length < limit ? times.length : withinTheHour(times, now).length
}
