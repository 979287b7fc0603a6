const MAX_SEARCHED = 100_000

/** `VERDICT:` as models write it: in bold, in code, with a blank or a sign on either side of the colon. */
const STATED =
  /verdict[^\p{L}\p{N}:\n]{0,10}:[^\p{L}\p{N}]{0,10}(reject\p{L}*(?!\p{L}|[ \t]*[/|]))?/gu

/**
 * The verdict of a final-wave result: the last `VERDICT:` that it states decides, so that a result which
 * repeats its instructions is not misread. A result without one passes: only a rejection holds the wave.
 */
export function verdictIn(result: string): "pass" | "reject" {
  return lastVerdict(result) === "reject" ? "reject" : "pass"
}

/** The last verdict that a text states; null if it states none. */
export function lastVerdict(text: string): "pass" | "reject" | null {
  const tail = text.slice(-MAX_SEARCHED).normalize("NFKC").toLowerCase()
  const last = [...tail.matchAll(STATED)].at(-1)
  if (last === undefined) return null
  return last[1] === undefined ? "pass" : "reject"
}
