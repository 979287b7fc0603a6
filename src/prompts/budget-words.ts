// The ceiling that a work has reached, and numbers, as a person reads them.
import type { SpentBudget } from "../boulder/boulder.ts"
import type { Cost } from "../boulder/cost.ts"

const WHAT: Readonly<Record<SpentBudget["of"], string>> = {
  continuations: "continuations",
  "continuations-an-hour": "continuations in an hour",
  tokens: "tokens",
  dollars: "dollars",
}

/** The ceiling that a work has reached, as a person reads it: `1,204,300 of 1,000,000 tokens`. */
export function budgetWords({ of, used, limit }: SpentBudget): string {
  if (of === "dollars") return `${dollarWords(used)} of ${dollarWords(limit)}`
  return `${numberWords(used)} of ${numberWords(limit)} ${WHAT[of]}`
}

/** US dollars as a person reads them: to the cent, and below one to the hundredth of it. */
export function dollarWords(usd: number): string {
  const [whole = "0", part = "00"] = usd.toFixed(usd > 0 && usd < 0.01 ? 4 : 2).split(".")
  return `$${numberWords(Number(whole))}.${part}`
}

/** What was spent, as a person reads it; what has no price is said, and is no 0. */
export function costWords({ usd, unpriced_tokens: unpriced }: Cost): string {
  const without = `${numberWords(unpriced)} tokens without a price`
  if (usd === 0) return unpriced === 0 ? "nothing yet" : `unknown (${without})`
  return unpriced === 0 ? dollarWords(usd) : `at least ${dollarWords(usd)} (and ${without})`
}

/** A whole number with its thousands apart. */
export function numberWords(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ",")
}
