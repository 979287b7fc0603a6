// Finds the commands that a plan names as the checks of its tasks.
// Over 250 lines: where a check stands, and what is one, is asked of the same line.
import { type Blocks, type Mask, stretchReader } from "../blocks/blocks.ts"
import { linesWith, placeFrom, type TextLines } from "../model/lines.ts"
import type { Check, PlanWarning, Task } from "../model/plan.ts"

/** What a plan's text shows besides its tasks. */
export interface ChecksIn extends TextLines {
  readonly masks: readonly Mask[]
  readonly headings: Blocks["headings"]
}

const MAX_CHECKS = 20
/** In characters: nobody reads a longer command. */
const MAX_COMMAND = 1_000
/** How far into a line its label may stand, and, after a command, what is said about it. */
const MAX_LEAD = 60

/** `- [ ] **Verify**: `, `Check:`, `Verification Command:` at the start of a line. */
const LABEL =
  /^[ \t]*(?:>[ \t]*)?(?:[-*+][ \t]+)?(?:\[[^\]]{0,12}\][ \t]+)?(?:\d[\d.]{0,8}[.)]?[ \t]+)?[*_]{0,2}(?:verify|verification|verified by|check|checks|validate|validation)(?: with| commands?)?[*_]{0,2}[ \t]*:[*_]{0,2}[ \t]*(?:(?:run|execute):?[ \t]*(?=`))?/i
/** In a `<verify>` element also `1. Run: `, or the command alone. */
const IN_ELEMENT = /^[ \t]*(?:[-*+][ \t]+|\d+[.)][ \t]+)?(?:run|execute)?:?[ \t]*(?=`)/i
const FOR_ALL = /^[^\p{L}]{0,10}validation commands?\b/iu
const ITEM = /^[ \t]*(?:[-*+]|\d+[.)])[ \t]+(?:\[[^\]]{0,12}\][ \t]+)?(?=`)/
const AUTOMATED = /<automated>([^<]{1,1200})<\/automated>/
/** What may stand between two commands on one line. */
const BETWEEN = /^[ \t]*(?:,|;|\+|&|and|then)[ \t]*(?:and[ \t]+|then[ \t]+)?(?=`)/i
/** A search, and what follows one that should find nothing: then it ends with 1. */
const SEARCH = /^(?:git )?(?:grep|rg|ag|ack) /
const NO_MATCH =
  /^[^`]{0,40}\b(?:nothing|none|empty|(?:no|zero|0) (?:\w+ )?(?:match|result|hit|line|occurrence|output|reference|usage|import)\w*)\b/i
/**
 * Follows a command that should not end with 0: failing is said of it itself, as in `(expected: FAIL)`, `, confirm that it still fails`,
 * `exits with 2`.
 */
const FAILS =
  /^(?:[\s(:,*_→=>–—-]|(?:is|to|should|must|will|expect(?:ed)?|and|confirm|see|that|it|still|now)\b)*(?:fails?\b(?! (?:if|when|on|unless|for|fast)\b|[:=]? ?0)|(?:fail(?:ed|ing|ure)|red)[*_ ]*(?:[,:)]|$)|(?:returns |exits? |ends )?(?:with )?(?:(?:exit )?(?:code |status ))?non-?zero\b|exits? (?:with )?(?:code |status )?[1-9])/i
/** Where the sentence about a command ends. */
const SENTENCE = /[.;](?:[ \t]|$)/
/** A single word that is the name of a file, not of a program. */
const FILE_ALONE = /^(?!\.{0,2}\/)[^\s]*\.(?!sh$|bash$)[a-z]{1,5}$/i
/** What a line contains that names a check, or that begins an element which does. */
const CLUE = /verif|check|validat/gi

/**
 * Gives tasks the checks that a plan names for them: detail lines such as "Verify: `npm test`", GSD's `<verify>`, and a section "Validation
 * Commands" for all but the rows of a final wave, whose reviews are judged by their verdict. A task without checks stays the same object.
 * Masked lines are ignored.
 */
export function withChecks(
  tasks: readonly Task[],
  { text, lines, masks, headings }: ChecksIn,
): { readonly tasks: readonly Task[]; readonly warnings: readonly PlanWarning[] } {
  const clues = linesWith(CLUE, { text, lines })
  const forAll = checksForAll({ lines, masks, headings })
  if (clues.length === 0 && forAll.length === 0) return { tasks, warnings: [] }
  const isHidden = stretchReader(masks)
  const own = tasks.map((task) => checksBelow(task, { lines, clues, isHidden }))
  const all = [...own.flat(), ...forAll]
  if (all.length === 0) return { tasks, warnings: [] }
  const isShort = ({ command }: Check): boolean => command.length <= MAX_COMMAND
  const checked = tasks.map((task, at) => {
    const shared = task.section === "final-wave" ? [] : forAll
    const checks = withoutTwins([...(own[at] ?? []), ...shared].filter(isShort))
    return checks.length === 0 ? task : { ...task, checks }
  })
  return { tasks: checked, warnings: all.filter((one) => !isShort(one)).map(tooLong) }
}

/** A command in the form in which commands are compared: one blank for any white space. */
function oneSpaced(command: string): string {
  return command.trim().replace(/\s+/g, " ")
}

interface Told extends Pick<ChecksIn, "lines"> {
  /** The lines that may begin to name a check. */
  readonly clues: readonly number[]
  readonly isHidden: (index: number) => boolean
}

function checksBelow({ line, endLine }: Task, told: Told): readonly Check[] {
  const { lines, clues, isHidden } = told
  const found: Check[] = []
  const nextClue = (from: number) => clues[placeFrom(clues, from)] ?? endLine
  let isInVerify = false
  let index = nextClue(line - 1)
  for (; index < endLine; index = isInVerify ? index + 1 : nextClue(index + 1)) {
    const text = lines[index] ?? ""
    if (isHidden(index)) continue
    isInVerify ||= text.includes("<verify>")
    found.push(...checksOf(commandsOn(text, isInVerify), index))
    if (text.includes("</verify>")) isInVerify = false
  }
  return found
}

function checksOf({ commands, isAlone }: Commands, index: number): readonly Check[] {
  return commands
    .map((command) => telling(oneSpaced(command)))
    .filter((command) => isCommand(command, isAlone))
    .map((command) => ({ command, line: index + 1 }))
}

/** What only reads the output of the command before it, and what follows `||` and never fails. */
const READS = /^&? ?(?:tail|head|tee|cat)(?: [\w./+-]+)*$/
const SUCCEEDS = /^ ?(?:true|:|exit 0|(?:echo|printf)(?: (?:"[^"]*"|'[^']*'|[\w.:!-]+))*)$/

/**
 * The part of a command whose exit code tells something: without `2>&1 | tail -20` at its end, which would hide it; "" if the command ends
 * with 0 whatever happens.
 */
function telling(command: string): string {
  const at = command.length > MAX_COMMAND ? -1 : command.lastIndexOf("|")
  if (at < 0) return command
  const last = command.slice(at + 1)
  if (command[at - 1] === "|") return SUCCEEDS.test(last) ? "" : command
  return READS.test(last) ? telling(command.slice(0, at).replace(/(?: 2>&1)? ?$/, "")) : command
}

/** What may be commands; `alone` if their line has nothing else. */
interface Commands {
  readonly commands: readonly string[]
  readonly isAlone: boolean
}

const NONE: Commands = { commands: [], isAlone: false }

function commandsOn(line: string, isInVerify: boolean): Commands {
  const label = LABEL.exec(line.slice(0, MAX_LEAD))?.[0]
  if (label !== undefined) return commandsAt(line.slice(label.length))
  if (!isInVerify) return NONE
  const automated = AUTOMATED.exec(line)?.[1]
  if (automated !== undefined) return { commands: [automated], isAlone: true }
  const content = line.replace(/^[ \t]*<verify>/, "")
  const start = IN_ELEMENT.exec(content.slice(0, MAX_LEAD))?.[0]
  return start === undefined ? NONE : commandsAt(content.slice(start.length))
}

/** The commands in backticks at the start of a text. */
function commandsAt(text: string): Commands {
  const commands: string[] = []
  let rest = text
  while (commands.length < MAX_CHECKS) {
    const ticks = /^`{1,3}/.exec(rest)?.[0] ?? ""
    const end = ticks === "" ? -1 : rest.indexOf(ticks, ticks.length)
    if (end < 0) break
    commands.push(rest.slice(ticks.length, end))
    rest = rest.slice(end + ticks.length)
    const between = BETWEEN.exec(rest)?.[0]
    if (between === undefined) break
    rest = rest.slice(between.length)
  }
  if (isToFail(commands.at(-1) ?? "", rest)) commands.pop()
  return { commands, isAlone: /^[ \t]*(?:<\/verify>)?[ \t.]*$/.test(rest) }
}

/** Whether what follows a command says that it should not end with 0. */
function isToFail(command: string, rest: string): boolean {
  const [said = ""] = rest.slice(0, MAX_LEAD).split(SENTENCE)
  return FAILS.test(said) || (SEARCH.test(command) && NO_MATCH.test(said))
}

/** Names of programs that nobody takes for a word of prose. */
const RUNNERS = new Set(
  "make pytest tox nox ctest tsc eslint biome vitest jest mocha mypy ruff rspec phpunit rake".split(
    " ",
  ),
)
/** Variables set for a command, and signs before one. */
const BEFORE = /^(?:[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|\S*) |! |[({] ?)+/
/** `./run.sh`, `scripts/check`, `gradlew.sh`: a path that is run; or the program `[`. */
const SCRIPT = /^\[\[?$|^(?:\.{0,2}|~)\/\S|\.(?:sh|bash)$/
/** A path from the root, alone, without an extension and in no folder of programs: `/health` is requested, not run. */
const ROUTE = /^\/(?!(?:usr|s?bin|opt|home|root|tmp|srv|Users)\/)[^.]*$/
/** The name of a program; only a script's has capitals. */
const NAME = /^(?:[\p{Ll}\p{Lo}_@][\p{Ll}\p{Lo}\d_.+@:/-]*)$/u
/** What follows a word in prose: `dist/index.js exists`. */
const PROSE = /^(?:is|are|exists?|returns?|equals?|has|does|renders?|works?|ok|OK|and|or|[=!]==?)$/

/** A loop or a condition, of which no run says what each command in it ended with; and its last line. */
const LOOP = /^(?:for|while|until|if|case)[ \t]/
const LOOP_END = /(?:^|[;&] ?)(?:done|fi|esac|end)\b/
/** What only prepares the shell for the next line. */
const PREPARES = /^(?:cd|pushd|popd|export|set|unset|source|alias|\.)(?: [^;&|]*)?$/

/**
 * Whether a code span looks like a command: a script by its path, a runner, or the name of a program with arguments. A name alone counts
 * only if it is its whole line. `GET /health`, `LoginForm` and `src/a.ts:42` are none: what is unsure is no check.
 */
function isCommand(command: string, isAlone: boolean): boolean {
  const [program = "", ...args] = command.replace(BEFORE, "").split(" ")
  if (PROSE.test(args[0] ?? "") || LOOP.test(command) || PREPARES.test(command)) return false
  if (args.length === 0 && ROUTE.test(program)) return false
  if (SCRIPT.test(program) && !FILE_ALONE.test(program)) return true
  if (!NAME.test(program) || FILE_ALONE.test(program) || program.endsWith("/")) return false
  return args.length > 0 || RUNNERS.has(program) || (isAlone && !/[.:/]/.test(program))
}

/** The items and fenced lines below a heading "Validation Commands". */
function checksForAll({ lines, masks, headings }: Omit<ChecksIn, "text">): readonly Check[] {
  const named = headings.filter(({ isRow, text }) => !isRow && FOR_ALL.test(text))
  const sections = named
    .slice(0, MAX_SECTIONS)
    .map(({ index, end }) => ({ from: index + 1, to: end }))
  const isFenced = stretchReader(masks.filter(({ reason }) => reason === "fence"))
  return sections
    .flatMap(({ from, to }) => {
      const whole = fenceReader()
      return lines.slice(from, Math.min(to, from + MAX_SECTION)).flatMap((line, at) => {
        const index = from + at
        return checksOf(isFenced(index) ? fencedCommand(whole(line)) : itemCommands(line), index)
      })
    })
    .slice(0, MAX_CHECKS)
}

const MAX_SECTIONS = 8
/** How many lines of a section are looked at. */
const MAX_SECTION = 200

function itemCommands(line: string): Commands {
  const item = ITEM.exec(line.slice(0, MAX_LEAD))?.[0]
  return item === undefined ? NONE : commandsAt(line.slice(item.length))
}

/** The end of a line that continues on the next one. */
const CONTINUED = /\\[ \t]*$/
/** The first or last line of a fence. */
const FENCE = /^[ \t]*(?:`{3}|~{3})/

/** Gives, for each line of a fence, the command that ends there: "" within one of several lines, and within a loop. */
function fenceReader(): (line: string) => string {
  let begun = ""
  let depth = 0
  return (line) => {
    const isEdge = FENCE.test(line)
    const whole = isEdge ? begun : begun + line
    begun = !isEdge && CONTINUED.test(whole) ? whole.replace(CONTINUED, " ") : ""
    if (begun !== "") return ""
    const command = whole.trim()
    const within = isEdge ? 0 : depth + Number(LOOP.test(command))
    depth = within - Number(within > 0 && LOOP_END.test(command))
    return within > 0 ? "" : whole
  }
}

/** A line of a fence is a command, except comments. */
function fencedCommand(line: string): Commands {
  if (/^[ \t]*(?:#|$)/.test(line)) return NONE
  const remark = line.indexOf(" #")
  const command = (remark < 0 ? line : line.slice(0, remark)).replace(/^[ \t]*\$[ \t]+/, "")
  return { commands: [command], isAlone: true }
}

function withoutTwins(checks: readonly Check[]): readonly Check[] {
  const seen = new Set<string>()
  return checks
    .filter(({ command }) => !seen.has(command) && seen.add(command))
    .slice(0, MAX_CHECKS)
}

function tooLong({ line }: Check): PlanWarning {
  const message = `A check has at most ${MAX_COMMAND} characters: this one is not read.`
  return { line, rule: "check-too-long", message }
}
