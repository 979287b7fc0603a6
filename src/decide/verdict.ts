const MAX_SEARCHED = 100_000

/**
 * The verdict of a final-wave result: the last `VERDICT:` that it states decides, so that a result which
 * repeats its instructions is not misread. A result without one passes: only a rejection holds the wave.
 */
export function verdictIn(result: string): "pass" | "reject" {
  const tail = result.slice(-MAX_SEARCHED).toLowerCase()
  const last = tail.lastIndexOf("verdict:")
  if (last < 0) return "pass"
  return /^verdict:[\s*_`"']{0,10}reject/.test(tail.slice(last, last + 40)) ? "reject" : "pass"
}
