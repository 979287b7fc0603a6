// The verdict in a final-wave result.
// Over 250 lines: what states a verdict and what takes it back are one judgement, in one list of patterns.
import { fences } from "./lines.ts"
import { once } from "./once.ts"

const MAX_SEARCHED = 100_000
const MAX_BEFORE = 200
const MAX_BEHIND = 1_000

const CHANGES = "changes?[ _-]{1,3}(?:are[ _-])?(?:requested|required|needed)"
const REJECTED = `reject\\p{L}{0,10}|fail(?:ed|s|ure|ing)?|(?:approved?[ _-]{1,3}(?:with|but)[ _-]{1,3})?${CHANGES}|request(?:ed|s|ing)?[ _-]{1,3}changes|needs?[ _-]{1,3}(?:changes|fixes|work|rework|revision)|revise|not[ _-]{1,3}(?:yet[ _-]{1,3})?(?:approved?|accept(?:ed|able)|pass(?:ed|ing)|ok|ready)|disapproved?|declined?|denied`
const PASSED = "approve[ds]?|pass(?:e[ds])?|accept(?:ed|s)?|okay|ok|lgtm"
/** The word of a verdict, but not a longer word that it begins. */
const WORD = `(?<signs>[^\\p{L}\\p{N}\\n]{0,10})(?:(?<reject>${REJECTED})|(?<pass>${PASSED}))(?![\\p{L}\\p{N}])`

/** `VERDICT:` as models write it, in bold, in code, with a blank or a sign on either side of the colon; then its word. */
const STATED = once(() => new RegExp(`verdict(?: is)?[^\\p{L}\\p{N}:\\n]{0,10}:${WORD}`, "gu"))
/** The same without a colon: `Verdict — APPROVE`, `| Verdict | REJECT |`, `My verdict is REJECT.` The word ends it. */
const SAID = once(
  () =>
    new RegExp(
      `(?:(?<=(?:my|final|overall) )verdict is|verdict(?:[*_\`" ]{0,4}[|>—–]| -))${WORD}(?=[*_\`"' |]{0,4}(?:$|[.,;:!(<—–]))`,
      "gmu",
    ),
)
/** A count of nothing after a word: `Failed: 0`, `Changes required: none`. `FAIL: 0 passed` is none, nor is `FAIL (0/12)`. */
const NO_COUNT =
  "[^\\p{L}\\p{N}\\n]{0,10}(?:(?:0|zero|none|nothing|no|n/a)(?:[^\\p{L}\\p{N}\\n]{0,10}$|[,;|][^\\p{L}\\p{N}\\n]{1,10}(?:pass|skip))|(?<=failed[^\\p{L}\\p{N}\\n(]{1,10})0(?: of |/)\\p{N}{1,9}[^\\p{L}\\p{N}\\n]{0,10}$)"
/** A line that is a verdict and nothing else; a rejection may be followed by its reason, an approval by a remark. */
const ALONE = once(
  () =>
    new RegExp(
      `^${WORD}(?=[*_\`~.! \\t]{0,6}$|(?<=${REJECTED})[*_\`~ \\t]{0,6}[:–—(](?!${NO_COUNT})|(?<=lgtm|approved)[*_\`~ \\t]{0,6}[,–—])`,
      "gmu",
    ),
)
/** A line that only announces the verdict below it; the content of a fence is no answer to it. */
const LABEL =
  /^[^\p{L}\p{N}\n]{0,10}((?:(?:my|the|final|overall) ){0,3}verdict)[^\p{L}\p{N}\n]{0,10}\n[ \t\n]{0,10}(?!`{3}|~{3})/gmu
/** What test runners print, too. */
const OF_LOGS = /^(?:pass|ok)/
/** Before a pass that is the reviewer's own and current: no other lifts a rejection, `Once fixed, it is VERDICT: APPROVE`. */
const OWN =
  /^\P{L}*(?:(?:my|the|so|now|new|updated?|revised|current|re|review|round|conclusion)\P{L}+|(?:final|overall)\P{L}+(?:\p{L}{1,12}\P{L}+)?)*$|(?<!\p{L})(?:so|now|thus|hence|therefore)\P{L}*$/u

/** Right after a statement, makes it none: an instruction (`REJECT if …`), a template (`PASS/FAIL`). */
const INSTRUCTS =
  /^[^\p{L}\n.!]{0,10}(?:if|when|unless|only|otherwise|else)(?!\p{L})|^[*_`~ \t]{0,6}(?:\/[*_`~ \t]{0,6}\p{L}|(?:\||or(?!\p{L}))[*_`~ \t]{0,6}(?:reject|approve|pass|fail|accept|changes|request|needs|block))/u
/** Between two statements: one or the other. */
const OR =
  /^[^\p{L}\p{N}]{0,10}or(?!\p{L})|(?<!\p{L})or[^\p{L}\p{N}]{0,10}$|^[^\p{L}\p{N}\n]{0,10}$/u
/** Right before a statement: it belongs to an earlier round. */
const FORMER =
  /(?<!\p{L}|at )(?:earlier|former|previous|prior|initial|original|first|last)(?: \p{L}{1,10})?[^\p{L}\p{N}\n,.]{1,10}$/u

const REJECTS = once(() => anyOf(REJECTED))
const NOT = "not|cannot|\\p{L}{1,10}n['’]t"
/** What a reviewer offers to do is no demand: `If you want, I can also fix the typo.` */
const OFFER = "(?:i (?:can|could)(?: also)?|(?:shall|should|can) i|(?:me|happy|glad) to) "
const FIX = "(?:fix|address|resol|correct|repair|chang|pass)\\p{L}{0,5}"
/** What takes a pass back, by where it stands. */
const TAKES_BACK = once(() => ({
  /** At its word. */
  sign: /~~|[?>→❌✗✘✖👎]|\[ \]/u,
  /** Right after it: its line continues in words that are no remark, as in `APPROVE is not possible`. */
  goesOn:
    /^[*_`~"')\]]*(?:[ \t]+|[_-])(?!(?:because|due to|since|as is|for merg\p{L}{1,3})(?!\p{L})|with(?:out)?[ _](?:\p{L}{1,12}[ _]){0,2}(?:nit|note|comment|suggestion|remark|observation|follow-?up)s?(?!\p{L}))[\p{L}\p{N}]/u,
  /** In the clause before it: it is denied, reported or hoped for. */
  clause: anyOf(
    NOT,
    "never|no(?=\\P{L}*$)",
    "thought|told|asked|say|said|end(?:s|ed)? with|tentative|preliminary|provisional",
    "when|before|would|could|should|may|might",
  ),
  /** In its sentence, on either side: it depends on something. */
  sentence: anyOf(
    "if|unless|until|once(?! again| more)|as (?:soon|long) as|after [^,;]{0,80}(?:fix(?:es)?|is|are|pass)",
    "assuming|provided|pending|contingent|subject to|conditional(?:ly)?",
    "(?:on|under|with)(?! no)(?: \\p{L}{1,10})? conditions?",
    "instead|no longer",
  ),
  /** The same at the beginning of a clause after it, up to the paragraph below. */
  condition:
    /^\P{L}*(?:but )?(?:only (?:if|once|when|after)|assuming|provided|contingent|subject to|conditions?(?=\P{L}*$)|not (?:quite|yet)|(?:this|my|the)(?: \p{L}{1,10})? is (?:conditional|contingent|subject))(?!\p{L})/u,
  /** A clause on its line that says nothing else. */
  refusal: new RegExp(
    `^[^\\p{L}\\p{N}[]*(?:(?:i|we) )?(?:${REJECTED})(?: it| this)?[^\\p{L}\\p{N}]*$`,
    "u",
  ),
  /** In a clause after it in its sentence: something is wrong. */
  fault: anyOf(NOT, REJECTED),
  /** In a clause after it, up to the paragraph below: something has to be done first, or it is withdrawn. */
  demand: anyOf(
    `(?:(?:must|needs?|has|have)(?: to)?(?: still)?(?: be)?|to be) ${FIX}`,
    `(?<!(?<!\\p{L})${OFFER})(?:fix|address|resolve) (?:the|this|these|those|both|all|it|them)`,
    "(?:fix(?:es)?|changes?)(?: are| is)?(?: still)? (?:needed|required)|required (?:before|for|to|changes|fixes)",
    "(?:blockers?|blocking)(?! (?:issue|finding|item|comment)s?)(?=.*\\p{L})|tests? (?:are )?(?:still )?fail(?:s|ing)?",
    `(?:${NOT})(?: be)? merged?|tests? do(?:es)?(?: not|n['’]t) pass`,
    "premature|withdr\\p{L}{1,10}|retract\\p{L}{0,10}|revoked?|i take (?:it|this|that) back",
  ),
}))
/** A clause that says there is none of it, or no longer. */
const NOTHING = once(() =>
  anyOf(
    "no|non|none|nothing|never|without|zero|any|anything|0",
    `(?:${NOT})(?: \\p{L}{1,10})? (?:find|found|see|saw|break|block)`,
    "(?:is|are|was|were)(?: now| all| both)? (?:fixed|resolved|addressed|closed|gone|in(?=\\P{L}*$))",
  ),
)

const SIGNS = /^[^\p{L}\p{N}\n]{0,10}/u
const LINE_END = /\n(?!\p{L})/u
const SENTENCE_END = /[.!?;](?![\p{L}\p{N}])|\n(?!\p{L})/u
/** A line may be broken in the middle of a sentence, and a condition may begin the paragraph below it. */
const NEAR = /^[^\n]*(?:\n\p{L}[^\n]*)*\s*[^\n]*/u

interface Statement {
  readonly at: number
  readonly says: "pass" | "reject" | "doubt"
  /** Whether it lifts an earlier rejection. */
  readonly lifts: boolean
}

/**
 * The verdict of a final-wave result: the last that it states decides, after `VERDICT:` or as a rejection that is a
 * line by itself. A pass that something takes back is none: it takes an earlier pass back, and no rejection.
 * Where nothing else is stated, a pass that is a line by itself counts, outside of fences, with no rejection behind it;
 * a word that logs print too is one only as the whole result. Null for all else: nothing is guessed.
 */
export function verdictIn(result: string): "pass" | "reject" | null {
  const text = plain(result).replace(LABEL, "$1: ")
  const own = withoutFences(text)
  const alone = [...own.matchAll(ALONE())]
  const rejections = alone
    .filter((match) => isRejection(match) && !isUnticked(match))
    .map(({ index }): Statement => ({ at: index, says: "reject", lifts: true }))
  const stated = [...text.matchAll(STATED()), ...text.matchAll(SAID())].sort(byPlace)
  const said = [...statementsOf(stated, text), ...rejections].sort((a, b) => a.at - b.at)
  if (said.length > 0) return lastOf(said)
  const last = alone.at(-1)
  return last !== undefined && result.length <= MAX_SEARCHED && isSure(last, own) ? "pass" : null
}

/**
 * The verdict on a line of a plan: the word and nothing else but its punctuation and a reason after it. Null for a line that says when to
 * give one, and for a template that names both.
 */
export function verdictOn(line: string): "pass" | "reject" | null {
  const text = plain(line)
  if (text.includes("reject") && text.includes("approve")) return null
  const stated = [...text.matchAll(STATED())]
  const last = stated.at(-1)
  const behind = last === undefined ? "" : text.slice(last.index + last[0].length)
  return TAKES_BACK().goesOn.test(behind) ? null : lastOf(statementsOf(stated, text))
}

function lastOf(said: readonly Statement[]): "pass" | "reject" | null {
  let last: Statement | null = null
  for (const next of said) {
    if (last?.says !== "reject" || next.lifts) last = next
  }
  return last === null || last.says === "doubt" ? null : last.says
}

/** The statements, without templates and instructions, and without those about another round. */
function statementsOf(all: readonly RegExpExecArray[], text: string): readonly Statement[] {
  const ends = all.map((match) => match.index + match[0].length)
  const gaps = [...all, null].map((match, nth) => text.slice(ends[nth - 1] ?? 0, match?.index))
  return all.flatMap((match, nth) => {
    const before = gaps[nth] ?? ""
    const behind = (gaps[nth + 1] ?? "").slice(0, MAX_BEHIND)
    const isChoice = isOr(match, all[nth - 1], before) || isOr(match, all[nth + 1], behind)
    return isChoice ? [] : statementOf(match, before.slice(-MAX_BEFORE), behind)
  })
}

function statementOf(match: RegExpExecArray, before: string, behind: string): Statement[] {
  const at = match.index
  if (INSTRUCTS.test(behind) || FORMER.test(before)) return []
  if (isRejection(match)) return [{ at, says: "reject", lifts: true }]
  const inFront =
    before
      .replace(/:\P{L}*$/u, "")
      .split(SENTENCE_END)
      .at(-1) ?? ""
  return isTakenBack(match, inFront, behind)
    ? [{ at, says: "doubt", lifts: false }]
    : [{ at, says: "pass", lifts: OWN.test(inFront) }]
}

function isRejection({ groups }: RegExpExecArray): boolean {
  return groups?.["reject"] !== undefined
}

/** A box that was left empty: `[ ] REJECT` above `[x] APPROVE`. */
function isUnticked({ groups }: RegExpExecArray): boolean {
  return groups?.["signs"]?.includes("[ ]") ?? false
}

/** One or the other. A rejection with nothing but a comma before it counts; a pass there is part of a list to choose from. */
function isOr(match: RegExpExecArray, other: RegExpExecArray | undefined, gap: string): boolean {
  if (other === undefined || isRejection(other) === isRejection(match)) return false
  return gap.length <= MAX_BEHIND && OR.test(gap) && (!isRejection(match) || /or|[/|]/.test(gap))
}

/** Whether a pass is taken back: by its sentence before it, by the signs at its word, or by what follows. */
function isTakenBack({ groups }: RegExpExecArray, inFront: string, behind: string): boolean {
  const takesBack = TAKES_BACK()
  const near = NEAR.exec(behind)?.[0] ?? ""
  const [line = ""] = near.split(LINE_END, 1)
  const [sentence = ""] = line.split(SENTENCE_END, 1)
  return (
    takesBack.sign.test(`${groups?.["signs"]}${SIGNS.exec(behind)?.[0]}`) ||
    takesBack.goesOn.test(behind) ||
    takesBack.clause.test(clauses(inFront).at(-1) ?? "") ||
    takesBack.sentence.test(`${inFront}\n${sentence}`) ||
    clauses(near).some((clause) => takesBack.condition.test(clause)) ||
    clauses(line).some((clause) => takesBack.refusal.test(clause)) ||
    says(takesBack.fault, sentence) ||
    says(takesBack.demand, near)
  )
}

/** Whether a clause says it, and not that there is none of it. */
function says(pattern: RegExp, words: string): boolean {
  return clauses(words).some((clause) => pattern.test(clause) && !NOTHING().test(clause))
}

function clauses(words: string): readonly string[] {
  return words.split(/[\n.,;!?()|–—]/)
}

/** A pass that is a line by itself, with nothing after it that takes it back. */
function isSure(match: RegExpExecArray, own: string): boolean {
  const behind = own.slice(match.index + match[0].length)
  if (OF_LOGS.test(match.groups?.["pass"] ?? ""))
    return own.slice(0, match.index).trim() === "" && !/\p{L}/u.test(behind)
  return !isTakenBack(match, "", behind.slice(0, MAX_BEHIND)) && !says(REJECTS(), behind)
}

function anyOf(...words: readonly string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join("|")})(?![\\p{L}\\p{N}])`, "u")
}

function byPlace(a: RegExpExecArray, b: RegExpExecArray): number {
  return a.index - b.index
}

/** In small letters; a line that begins with a capital does not continue a sentence. */
function plain(text: string): string {
  const cut = text.slice(-MAX_SEARCHED).normalize("NFKC").replace(/\r\n?/g, "\n")
  return cut.replace(/\n(?=\p{Lu})/gu, "\n\n").toLowerCase()
}

function withoutFences(text: string): string {
  const isFenced = fences()
  const lines = text.split("\n")
  return lines.map((line) => (isFenced(line) ? " ".repeat(line.length) : line)).join("\n")
}
