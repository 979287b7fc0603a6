// The ceiling that a work has reached, and numbers, as a person reads them.
import type { SpentBudget } from "../boulder/boulder.ts"
import { type Cost, isKnown, isPriced } from "../boulder/cost.ts"

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
export function costWords(cost: Cost): string {
  const dollars = dollarWords(cost.usd)
  if (isPriced(cost)) return isKnown(cost) ? dollars : "nothing yet"
  const without = unpricedWords(cost)
  return isKnown(cost) ? `at least ${dollars} (and ${without})` : `unknown (${without})`
}

function unpricedWords({ unpriced_tokens: tokens, unknown_answers: answers = 0 }: Cost): string {
  const untold = answers === 1 ? "1 answer" : `${numberWords(answers)} answers`
  return [
    ...(tokens === 0 ? [] : [`${numberWords(tokens)} tokens without a price`]),
    ...(answers === 0 ? [] : [`${untold} without usage figures`]),
  ].join(", ")
}

/** A whole number with its thousands apart. */
export function numberWords(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ",")
}
