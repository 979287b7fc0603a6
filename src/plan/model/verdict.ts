// The verdict in a final-wave result.
const MAX_SEARCHED = 100_000

/** `VERDICT:` as models write it: in bold, in code, with a blank or a sign on either side of the colon. */
const STATED =
  /verdict[^\p{L}\p{N}:\n]{0,10}:[^\p{L}\p{N}]{0,10}(reject\p{L}*(?!\p{L}|[ \t]*[/|]))?/gu
/** The word of a verdict, and what stands behind it on its line. */
const ON_LINE =
  /verdict[^\p{L}\p{N}:\n]{0,10}:[^\p{L}\p{N}\n]{0,10}(reject|approve|pass|accept|okay|ok)(?:ed|d|s)?(?!\p{L})([^\n]*)/gu
/** What makes an instruction or a template of it: `REJECT if …`, `REJECT the plan`, `PASS/FAIL`. */
const GOES_ON =
  /^[*_`~]*[ \t]+(?!because|due to|since)\p{L}|^[^\p{L}]*(?:if|when|unless|only|otherwise|else)(?!\p{L})|^[ \t]*[/|][ \t]*(?:reject|approve|pass|fail)/u

/**
 * The verdict of a final-wave result: the last `VERDICT:` that it states decides, so that a result which
 * repeats its instructions is not misread. A result without one passes: only a rejection holds the wave.
 */
export function verdictIn(result: string): "pass" | "reject" {
  const last = [...plain(result).matchAll(STATED)].at(-1)
  return last?.[1] === undefined ? "pass" : "reject"
}

/**
 * The verdict on a line of a plan: the word and nothing else but its punctuation and a reason behind it. Null for a
 * line that says when to give one, and for a template that names both.
 */
export function verdictOn(line: string): "pass" | "reject" | null {
  const text = plain(line)
  if (text.includes("reject") && text.includes("approve")) return null
  const last = [...text.matchAll(ON_LINE)].at(-1)
  if (last === undefined || GOES_ON.test(last[2] ?? "")) return null
  return last[1] === "reject" ? "reject" : "pass"
}

function plain(text: string): string {
  return text.slice(-MAX_SEARCHED).normalize("NFKC").toLowerCase()
}
