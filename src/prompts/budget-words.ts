// Puts a reached ceiling, and numbers, into words for a person.
import type { SpentBudget } from "../boulder/boulder.ts"
import { type Cost, isKnown, isPriced } from "../boulder/cost.ts"

const WHAT: Readonly<Record<SpentBudget["of"], string>> = {
  continuations: "continuations",
  "continuations-an-hour": "continuations in an hour",
  tokens: "tokens",
  dollars: "dollars",
}

/** The ceiling that a work has reached, in words for a person: `1,204,300 of 1,000,000 tokens`. */
export function budgetWords({ of, used, limit }: SpentBudget): string {
  if (of === "dollars") return `${dollarWords(used)} of ${dollarWords(limit)}`
  return `${numberWords(used)} of ${numberWords(limit)} ${WHAT[of]}`
}

/** US dollars for a person: to the cent, and below a cent to the hundredth of one. */
export function dollarWords(usd: number): string {
  const [whole = "0", part = "00"] = usd.toFixed(usd > 0 && usd < 0.01 ? 4 : 2).split(".")
  return `$${numberWords(Number(whole))}.${part}`
}

/** What was spent, for a person; spending without a price is said, and never shown as 0. */
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

/** A whole number with separators for thousands. */
export function numberWords(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ",")
}
