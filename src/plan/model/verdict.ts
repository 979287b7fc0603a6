// The verdict in a final-wave result.
const MAX_SEARCHED = 100_000

const REJECTED =
  "reject\\p{L}{0,10}|fail(?:ed|s|ure|ing)?|changes?[ _-]{1,3}(?:are[ _-])?(?:requested|required|needed)|request(?:ed|s|ing)?[ _-]{1,3}changes|needs?[ _-]{1,3}(?:changes|fixes|work)|not[ _-]{1,3}(?:approved?|accept(?:ed|able)|passed|ok)|disapproved?|declined?|denied"
const PASSED = "approve[ds]?|pass(?:e[ds])?|accept(?:ed|s)?|okay|ok|lgtm"
/** A verdict's word, and none that it is the beginning of. */
const WORD = `(?:(?<reject>${REJECTED})|(?<pass>${PASSED}))(?![\\p{L}\\p{N}])`

/** `VERDICT:` as models write it, in bold, in code, with a blank or a sign on either side of the colon; then its word. */
const STATED = new RegExp(
  `verdict[^\\p{L}\\p{N}:\\n]{0,10}:[^\\p{L}\\p{N}]{0,10}${WORD}(?<behind>[^\\n]{0,200})`,
  "gu",
)
/** The same on one line. */
const ON_LINE = new RegExp(
  `verdict[^\\p{L}\\p{N}:\\n]{0,10}:[^\\p{L}\\p{N}\\n]{0,10}${WORD}(?<behind>[^\\n]*)`,
  "gu",
)
/** A line that is a verdict and nothing else; a rejection may have its reason behind it. */
const ALONE = new RegExp(
  `^[^\\p{L}\\p{N}\\n]{0,10}${WORD}(?=[*_\`~.! \\t]{0,6}$|(?<=${REJECTED})[*_\`~ \\t]{0,6}[:–—(])`,
  "gmu",
)
/** What makes an instruction of it: `REJECT if …`. */
const CONDITION = /^[^\p{L}\n]{0,10}(?:if|when|unless|only|otherwise|else)(?!\p{L})/u
/** A template names both: `PASS/FAIL`, `APPROVE or REJECT`. */
const CHOICE =
  /^[*_`~ \t]{0,6}(?:[/|]|or(?!\p{L}))[*_`~ \t]{0,6}(?:reject|approve|pass|fail|accept|changes|request)/u
/** On a plan's line, what goes on in words is an instruction too: `REJECT the plan`. */
const GOES_ON = /^[*_`~]*[ \t]+(?!because|due to|since)\p{L}/u

/**
 * The verdict of a final-wave result: the last `VERDICT:` that it states decides, so that a result which repeats its
 * instructions is not misread; without one the last line that is a verdict by itself. Null for a result without either:
 * nothing is guessed.
 */
export function verdictIn(result: string): "pass" | "reject" | null {
  const text = plain(result)
  return lastOf(text, STATED) ?? lastOf(text, ALONE)
}

/**
 * The verdict on a line of a plan: the word and nothing else but its punctuation and a reason behind it. Null for a
 * line that says when to give one, and for a template that names both.
 */
export function verdictOn(line: string): "pass" | "reject" | null {
  const text = plain(line)
  if (text.includes("reject") && text.includes("approve")) return null
  const last = [...text.matchAll(ON_LINE)].at(-1)
  const behind = last?.groups?.["behind"] ?? ""
  return last === undefined || isTemplate(behind) || GOES_ON.test(behind) ? null : wordOf(last)
}

function lastOf(text: string, pattern: RegExp): "pass" | "reject" | null {
  const last = [...text.matchAll(pattern)].findLast(
    ({ groups }) => !isTemplate(groups?.["behind"] ?? ""),
  )
  return last === undefined ? null : wordOf(last)
}

function isTemplate(behind: string): boolean {
  return CONDITION.test(behind) || CHOICE.test(behind)
}

function wordOf({ groups }: RegExpExecArray): "pass" | "reject" {
  return groups?.["reject"] === undefined ? "pass" : "reject"
}

function plain(text: string): string {
  return text.slice(-MAX_SEARCHED).normalize("NFKC").toLowerCase()
}
