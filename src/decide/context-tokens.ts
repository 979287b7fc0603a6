// Reads token counts from a message of the host.
import { fieldsOf } from "../boulder/fields-of.ts"

/** No answer has more tokens. A larger number is no count, and sums stay exact whole numbers. */
const MOST_TOKENS = 1_000_000_000

/** Tokens in the context after an answer, from a message of the host; 0 if unknown. */
export function contextTokensOf(tokens: unknown): number {
  const { total, input, output, cache } = fieldsOf(tokens)
  const whole = tokenCountOf(total)
  if (whole > 0) return whole
  const { read, write } = fieldsOf(cache)
  const parts = [input, output, read, write].filter((part) => typeof part === "number")
  if (!parts.every((part) => part === 0 || tokenCountOf(part) > 0)) return 0
  return tokenCountOf(parts.reduce((sum, part) => sum + part, 0))
}

/** A token count as the host gives it; 0, that is unknown, for anything else. */
export function tokenCountOf(value: unknown): number {
  const isCount = typeof value === "number" && Number.isInteger(value)
  return isCount && value > 0 && value <= MOST_TOKENS ? value : 0
}
