// The verdict in a final-wave result.
import { fences } from "./lines.ts"

const MAX_SEARCHED = 100_000
const MAX_BEHIND = 1_000

const CHANGES = "changes?[ _-]{1,3}(?:are[ _-])?(?:requested|required|needed)"
const REJECTED = `reject\\p{L}{0,10}|fail(?:ed|s|ure|ing)?|(?:approved?[ _-]{1,3}(?:with|but)[ _-]{1,3})?${CHANGES}|request(?:ed|s|ing)?[ _-]{1,3}changes|needs?[ _-]{1,3}(?:changes|fixes|work)|not[ _-]{1,3}(?:yet[ _-]{1,3})?(?:approved?|accept(?:ed|able)|pass(?:ed|ing)|ok)|disapproved?|declined?|denied`
const PASSED = "approve[ds]?|pass(?:e[ds])?|accept(?:ed|s)?|okay|ok|lgtm"
/** A verdict's word, and none that it is the beginning of. */
const WORD = `(?:(?<reject>${REJECTED})|(?<pass>${PASSED}))(?![\\p{L}\\p{N}])`

/** `VERDICT:` as models write it, in bold, in code, with a blank or a sign on either side of the colon; then its word. */
const STATED = new RegExp(
  `verdict[^\\p{L}\\p{N}:\\n]{0,10}:(?<signs>[^\\p{L}\\p{N}\\n]{0,10})${WORD}`,
  "gu",
)
/** A count of nothing behind a word: `Failed: 0`, `Changes required: none`. `FAIL: 0 passed` is none, nor is `FAIL (0/12)`. */
const NO_COUNT =
  "[^\\p{L}\\p{N}\\n]{0,10}(?:(?:0|zero|none|nothing|no|n/a)(?:[^\\p{L}\\p{N}\\n]{0,10}$|[,;|][^\\p{L}\\p{N}\\n]{1,10}(?:pass|skip))|(?<=failed[^\\p{L}\\p{N}\\n(]{1,10})0(?: of |/)\\p{N}{1,9}[^\\p{L}\\p{N}\\n]{0,10}$)"
/** A line that is a verdict and nothing else; a rejection may have its reason behind it. */
const ALONE = new RegExp(
  `^(?<signs>[^\\p{L}\\p{N}\\n]{0,10})${WORD}(?=[*_\`~.! \\t]{0,6}$|(?<=${REJECTED})[*_\`~ \\t]{0,6}[:–—(](?!${NO_COUNT}))`,
  "gmu",
)
/** A line that only says that the verdict is below it; what a fence holds is no answer to it. */
const LABEL =
  /^[^\p{L}\p{N}\n]{0,10}(?:(?:my|the|final|overall) ){0,3}verdict[^\p{L}\p{N}\n]{0,10}\n[ \t\n]{0,10}(?!`{3}|~{3})/gmu
/** What test runners print too. */
const OF_LOGS = /^(?:pass|ok)/
/** What makes an instruction of it: `REJECT if …`. */
const CONDITION = /^[^\p{L}\n]{0,10}(?:if|when|unless|only|otherwise|else)(?!\p{L})/u
/** A template names both: `PASS/FAIL`, `APPROVE or REJECT`. */
const CHOICE =
  /^[*_`~ \t]{0,6}(?:[/|]|or(?!\p{L}))[*_`~ \t]{0,6}(?:reject|approve|pass|fail|accept|changes|request)/u
/** Between two statements: the one or the other. */
const OR =
  /^[^\p{L}\p{N}]{0,10}or(?!\p{L})|(?<!\p{L})or[^\p{L}\p{N}]{0,10}$|^[^\p{L}\p{N}\n]{0,10}$/u
/**
 * What a pass hangs on, right behind it: `APPROVE, but fix the tests first`. One that only adds to it leaves it a pass, and
 * so does a sentence of its own that begins with what was done: `APPROVE. After reading it all …`.
 */
const HANGS_ON =
  /^[^\p{L}\p{N}\n]{1,10}(?:(?<![.!][^\p{L}\p{N}]{0,9})(?:once(?! again| more)|after)|assuming|contingent on|subject to|as (?:soon|long) as|(?:on|under|with)(?! no)(?: \p{L}{1,10})? conditions?|but[^.;\n]{0,80}\b(?:fix(?:es|ed)?|(?<!the )first|before|must|needs?|requires?|address(?:ed)?|resolved?)|(?:please )?(?:fix|address|resolve)[^.;\n]{0,80} (?:(?<!the )first|before merging))(?!\p{L})/u
/** What goes on in words is no verdict yet: `REJECT the plan`, `APPROVE is not possible`. */
const GOES_ON = /^[*_`~"')\]]*(?:[ \t]+|[_-])(?!because|due to|since)[\p{L}\p{N}]/u
/** A sign that takes a pass back. */
const DOUBTED = /~~|[?>→❌✗✘✖👎]|\[ \]/u
/** Words in front of a pass that make it another's, or none. */
const NOT_YET =
  /(?<!\p{L})(?:not|cannot|\p{L}{1,10}n['’]t|never|no(?=\P{L}*$)|if|unless|until|when|thought|told|asked|said|end(?:s|ed)? with|instead|earlier|former|previous|prior|first|initial|would|could|should|may|might)(?!\p{L})/u
/** In front of a rejection that is told of, and not made. */
const FORMER = /(?<!\p{L})(?:earlier|former|previous|prior|initial)[^\p{L}\p{N}\n]{1,10}$/u
/** Words behind a pass that take it back. */
const TAKEN_BACK =
  /(?<!\p{L})(?:not|cannot|\p{L}{1,10}n['’]t|no longer|unless|until|if|pending|provided|instead|premature|conditional|withdr\p{L}{1,10}|retract\p{L}{0,10}|revoked?)(?!\p{L})/u
const REJECTS = new RegExp(`(?<!\\p{L})(?:${REJECTED})(?!\\p{L})`, "u")
const NONE = /(?<![\p{L}\p{N}])(?:no|none|nothing|never|without|zero|any|0)(?![\p{L}\p{N}])/u

const SIGNS = /^[^\p{L}\p{N}\n]{0,10}/u
/** A line may be broken in the middle of a sentence. */
const LINE_AND_NEXT = /^[^\n]*(?:\n\p{L}[^\n]*)?/u

interface Statement {
  readonly at: number
  readonly says: "pass" | "reject" | "doubt"
}

/**
 * The verdict of a final-wave result: the last that it states decides, after `VERDICT:` or as a rejection that is a
 * line by itself. A pass whose line goes on or takes it back is none: it takes an earlier pass back, and no rejection.
 * Where nothing else is stated, a pass that is a line by itself counts, outside of fences, with no rejection behind it;
 * a word that logs print too is one only as the whole result. Null for all else: nothing is guessed.
 */
export function verdictIn(result: string): "pass" | "reject" | null {
  const text = plain(result).replace(LABEL, "verdict: ")
  const own = withoutFences(text)
  const alone = [...own.matchAll(ALONE)]
  const rejections = alone
    .filter(({ groups }) => groups?.["reject"] !== undefined && !isUnticked(groups))
    .map(({ index }): Statement => ({ at: index, says: "reject" }))
  const said = [...statedIn(text), ...rejections].sort((a, b) => a.at - b.at)
  if (said.length > 0) return lastOf(said)
  const last = alone.at(-1)
  return last !== undefined && result.length <= MAX_SEARCHED && isSure(last, own) ? "pass" : null
}

/**
 * The verdict on a line of a plan: the word and nothing else but its punctuation and a reason behind it. Null for a
 * line that says when to give one, and for a template that names both.
 */
export function verdictOn(line: string): "pass" | "reject" | null {
  const text = plain(line)
  if (text.includes("reject") && text.includes("approve")) return null
  const last = [...text.matchAll(STATED)].at(-1)
  const behind = last === undefined ? "" : text.slice(last.index + last[0].length)
  return GOES_ON.test(behind) ? null : lastOf(statedIn(text))
}

function lastOf(said: readonly Statement[]): "pass" | "reject" | null {
  let last: "pass" | "reject" | null = null
  for (const { says } of said) last = says !== "doubt" ? says : last === "reject" ? last : null
  return last
}

/** What `VERDICT:` states, without the templates and instructions. */
function statedIn(text: string): readonly Statement[] {
  const all = [...text.matchAll(STATED)]
  const ends = all.map((match) => match.index + match[0].length)
  const gaps = [...all, null].map((match, nth) => text.slice(ends[nth - 1] ?? 0, match?.index))
  return all.flatMap((match, nth) => {
    const before = gaps[nth] ?? ""
    const behind = (gaps[nth + 1] ?? "").slice(0, MAX_BEHIND)
    const isPass = match.groups?.["reject"] === undefined
    const isChoice = (other: number, gap: string) =>
      isOther(all[other], isPass) && isOr(gap, isPass)
    if (isChoice(nth - 1, before) || isChoice(nth + 1, behind) || isTemplate(behind)) return []
    if (!isPass && (isUnticked(match.groups) || FORMER.test(before.slice(-30)))) return []
    const signs = match.groups?.["signs"] ?? ""
    const says = isPass ? passOf(before, signs, behind) : "reject"
    return [{ at: match.index, says }]
  })
}

/** A box that was left empty: `[ ] REJECT` above `[x] APPROVE`. */
function isUnticked(groups: RegExpExecArray["groups"]): boolean {
  return groups?.["signs"]?.includes("[ ]") ?? false
}

function isTemplate(behind: string): boolean {
  return CONDITION.test(behind) || CHOICE.test(behind)
}

/** A pass, by the words in front of it, the signs at its word, and its line behind that. */
function passOf(before: string, signs: string, behind: string): "pass" | "doubt" {
  const isDoubtful =
    DOUBTED.test(signs + (SIGNS.exec(behind)?.[0] ?? "")) ||
    GOES_ON.test(behind) ||
    HANGS_ON.test(behind) ||
    NOT_YET.test(clauses(before.slice(-200)).at(-1) ?? "") ||
    takesBack(LINE_AND_NEXT.exec(behind)?.[0] ?? "")
  return isDoubtful ? "doubt" : "pass"
}

function isOther(match: RegExpExecArray | undefined, isPass: boolean): boolean {
  return match !== undefined && (match.groups?.["reject"] === undefined) !== isPass
}

/** A rejection behind nothing but a comma is one; a pass there is of a list to choose from. */
function isOr(gap: string, isPass: boolean): boolean {
  return gap.length <= MAX_BEHIND && OR.test(gap) && (isPass || /or|[/|]/.test(gap))
}

function takesBack(words: string): boolean {
  return TAKEN_BACK.test(words) || rejects(words)
}

/** Words that reject, and do not say that nothing is rejected. */
function rejects(words: string): boolean {
  return clauses(words).some((clause) => REJECTS.test(clause) && !NONE.test(clause))
}

function clauses(words: string): readonly string[] {
  return words.split(/[\n.,;!?()|–—]/)
}

function isSure({ index, groups, 0: line }: RegExpExecArray, own: string): boolean {
  const behind = own.slice(index + line.length)
  if (OF_LOGS.test(groups?.["pass"] ?? ""))
    return own.slice(0, index).trim() === "" && !/\p{L}/u.test(behind)
  return !DOUBTED.test(`${groups?.["signs"]}${behind.slice(0, 3)}`) && !rejects(behind)
}

function plain(text: string): string {
  return text.slice(-MAX_SEARCHED).normalize("NFKC").toLowerCase().replace(/\r\n?/g, "\n")
}

function withoutFences(text: string): string {
  const isFenced = fences()
  const lines = text.split("\n")
  return lines.map((line) => (isFenced(line) ? " ".repeat(line.length) : line)).join("\n")
}
