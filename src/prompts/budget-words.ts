// The ceiling that a work has reached, and numbers, as a person reads them.
import type { SpentBudget } from "../boulder/boulder.ts"

const WHAT: Readonly<Record<SpentBudget["of"], string>> = {
  continuations: "continuations",
  "continuations-an-hour": "continuations in an hour",
  tokens: "tokens",
}

/** The ceiling that a work has reached, as a person reads it: `1,204,300 of 1,000,000 tokens`. */
export function budgetWords({ of, used, limit }: SpentBudget): string {
  return `${numberWords(used)} of ${numberWords(limit)} ${WHAT[of]}`
}

/** A whole number with its thousands apart. */
export function numberWords(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ",")
}
