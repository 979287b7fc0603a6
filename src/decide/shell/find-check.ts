// Finds where a list of commands runs a check.
import type { Pipeline, Redirection, ShellCommand, ShellList } from "./read-shell.ts"
import { shellTokens, type Token, unquoted } from "./shell-tokens.ts"

/** A check to look for: its pipelines, and its command if it is a single one. */
export interface CheckAt {
  readonly tokens: readonly Token[]
  readonly list: ShellList
  readonly simple: ShellCommand | null
  /** Where its own words send its output or take its input from. */
  readonly redirections: readonly Redirection[]
}

/** A pipeline of a list, or a check of several pipelines as one, with the commands of its last. */
export interface Step extends Pipeline {
  readonly isCheck: boolean
  /** What a check of several pipelines is piped into. */
  readonly into: readonly ShellCommand[]
}

/** The pipelines of a list; a check of several pipelines becomes one step. */
export function stepsOf(list: ShellList, { list: wanted, simple }: CheckAt): readonly Step[] {
  const steps: Step[] = []
  for (let at = 0; at < list.length; ) {
    const pipeline = list[at]
    if (pipeline === undefined) break
    const isCheck = simple === null && isAt(list, at, wanted)
    const last = isCheck ? at + wanted.length - 1 : at
    const { commands, joint } = list[last] ?? pipeline
    const into = isCheck ? commands.slice(wanted.at(-1)?.commands.length) : []
    steps.push({ ...pipeline, commands, joint, isCheck, into })
    at = last + 1
  }
  return steps
}

/** Whether the check stands here as one unit. */
function isAt(list: ShellList, at: number, wanted: ShellList): boolean {
  if (wanted.length === 0) return false
  const own = list.slice(at, at + wanted.length)
  const inner = wanted.slice(0, -1).map(({ joint }) => joint)
  const isThere =
    own.length === wanted.length &&
    wanted.every((one, index) => {
      const isLast = index === wanted.length - 1
      return own[index]?.text === one.text || (isLast && isWithOutput(own[index], one))
    }) &&
    inner.every((joint, index) => own[index]?.joint === joint)
  const before = list[at - 1]?.joint ?? ";"
  const isFree = before === ";" || before === "&"
  const isOneThing = inner.every((joint) => joint === "&&") && before === "&&"
  const isApart = own.at(-1)?.joint === "&" && inner.some((joint) => joint === ";" || joint === "&")
  return isThere && !isApart && (isFree || isOneThing)
}

/** Whether it is the same command, and only its output goes elsewhere. */
function isWithOutput(own: Pipeline | undefined, wanted: Pipeline): boolean {
  const [command] = own?.commands ?? []
  const [asked, ...piped] = wanted.commands
  if (own === undefined || command === undefined || asked === undefined) return false
  const isSame = `${own.text} `.startsWith(`${wanted.text} `) && !wanted.isNegated
  const isPlain = asked.group === null && piped.length === 0
  const isAsked = command.words.length === asked.words.length
  return isSame && isPlain && isAsked && isSent(command.redirections, asked.redirections)
}

/** Whether a command is the check, with redirections of its own and any wrapper around it; null if not. */
export function runsCheck(command: ShellCommand, { simple }: CheckAt) {
  if (simple === null || !isSent(command.redirections, simple.redirections)) return null
  const { words } = simple
  let rest = command.words
  const by = { isTimed: words.includes("timeout"), isByRunner: false }
  while (rest.length > words.length) {
    const length = wrapperLength(rest)
    if (length === 0) return null
    by.isTimed ||= rest[0] === "timeout"
    by.isByRunner ||= RUNNER.test(`${rest.slice(0, 2).join(" ")} `)
    rest = rest.slice(length)
  }
  const isSame = words.every((word, at) => rest[at] === word) && rest.length === words.length
  return isSame ? by : null
}

/** A check that first changes to a folder: that folder and what it runs there; null for any other check. */
export function inOwnFolder(check: string): { folder: string; command: string } | null {
  const text = check.trim()
  const [, quoted, single, plain, command] =
    OWN_FOLDER.exec(/^\(([^()]*)\)$/.exec(text)?.[1]?.trim() ?? text) ?? []
  const folder = quoted ?? single ?? plain
  return folder === undefined || command === undefined ? null : { folder, command }
}

const OWN_FOLDER =
  /^cd\s+(?:"([^"$`\\~-][^"$`\\]*)"|'([^'~-][^']*)'|([\w./@][\w./@+-]*))\s*&&\s*(\S.*)$/s

/** Has the check's own redirections, and besides them only some that take its output. */
function isSent(own: readonly Redirection[], wanted: readonly Redirection[]): boolean {
  const textOf = ({ sign, target }: Redirection) => `${sign} ${target}`
  const texts = new Set(own.map(textOf))
  const asked = new Set(wanted.map(textOf))
  const isOutput = (one: Redirection): boolean =>
    one.sign.includes(">") || one.target === "/dev/null" || asked.has(textOf(one))
  return [...asked].every((text) => texts.has(text)) && own.every(isOutput)
}

/** What stands before a command, or runs the words after it in place of the shell. */
export const BEFORE = new Set(
  "{ ! if then else elif while until do sudo doas setsid exec coproc".split(" "),
)
/** A shell that runs the text after it. */
export const SHELL = /^(?:\/(?:usr\/)?bin\/)?(?:bash|sh|zsh|dash)$/

/**
 * Whether the check stands in the place of a command anywhere: in a substitution, a loop, a condition, a function, or a text for another
 * shell. It may have run there, and no exit code tells how it ended.
 */
export function mayRun(tokens: readonly Token[], wanted: readonly Token[]): boolean {
  return tokens.some(
    ({ inner }, at) =>
      inner.some((one) => mayRun(one, wanted)) ||
      ((at === 0 || tokens[at - 1]?.kind === "joint") && isRunAt(tokens, at, wanted)),
  )
}

function isRunAt(tokens: readonly Token[], at: number, wanted: readonly Token[]): boolean {
  let stop = at
  while (stop < tokens.length && tokens[stop]?.kind !== "joint") stop += 1
  const own = tokens.slice(at, stop)
  const end = own.findIndex(({ kind }) => kind !== "word")
  const words = own.slice(0, end < 0 ? undefined : end).map(({ text }) => text)
  let rest: readonly string[] = words
  for (let length = 1; length > 0; rest = rest.slice(length))
    length = BEFORE.has(rest[0] ?? "") ? 1 : wrapperLength(rest)
  const isSame = (from: number): boolean =>
    wanted.every(({ text }, by) => tokens[from + by]?.text === text) &&
    (tokens[from + wanted.length]?.kind !== "word" || isEndOfExec(tokens[from + wanted.length]))
  const starts = words.flatMap((word, index) =>
    /^-(?:exec|ok)(?:dir)?$/.test(word) ? index + 1 : [],
  )
  if ([words.length - rest.length, ...starts].some((from) => isSame(at + from))) return true
  const [name = "", ...texts] = rest.map(unquoted)
  const run = name === "eval" ? [texts.join(" ")] : SHELL.test(name) ? [...texts, ...fed(own)] : []
  return run.some((text) => mayRun(shellTokens(text) ?? [], wanted))
}

/** How a command after `find -exec` ends. */
function isEndOfExec(token: Token | undefined): boolean {
  return token !== undefined && /^(?:\\;|["'];["']|\+)$/.test(token.text)
}

/** What a command reads from a here-document or a here-string. */
function fed(tokens: readonly Token[]): readonly string[] {
  return tokens.flatMap(({ document, text }, at) => {
    if (document !== undefined) return [document]
    return tokens[at - 1]?.text === "<<<" ? [unquoted(text)] : []
  })
}

const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/
/** Options that do not change which program runs, or its words. */
const OUTPUT = "-q|--quiet|-v+|--verbose"
const UV =
  "--frozen|--locked|--exact|--active|--isolated|--offline|--no-sync|--no-progress|--(?:no-|only-)?dev|--all-(?:extras|groups|packages)"
const UV_VALUE = String.raw`(?:--(?:(?:no-)?extra|(?:no-|only-)?group|package|with|python)[ =]|-p )\w[\w.,:@/+=-]*`
/** Runs a program of the project's own environment. */
const RUNNER = new RegExp(
  `^(?:${[
    "(?:npx|bunx|pnpx)(?: (?:-y|-q|--yes|--quiet|--no|--no-install))*",
    "(?:npm|pnpm) exec(?: --)?",
    `uv run(?: (?:${OUTPUT}|${UV}|${UV_VALUE})(?= ))*(?: --)?`,
    `poetry run(?: (?:${OUTPUT}|-n|--no-interaction|--ansi|--no-ansi)(?= ))*(?: --)?`,
    "(?:pipenv|pdm) run",
    "bundle exec",
  ].join("|")}) `,
)
const WRAPPERS: readonly RegExp[] = [
  RUNNER,
  /^function \S+ /,
  /^time(?: -p)? /,
  /^nice(?: -n ?-?\d+| -\d+)? /,
  /^(?:nohup|command|builtin|env(?: -i)?(?: -u \w+)*) /,
  /^stdbuf(?: -\w+)+ /,
  /^timeout(?: -[ks] \S+| -(?:v|p|f|[ks]\S+|-[\w-]+(?:=\S+)?))* \d[\d.]*[smhd]? /,
]

/** How many words at the front of a command merely run what follows them. */
export function wrapperLength(words: readonly string[]): number {
  if (ASSIGNMENT.test(words[0] ?? "")) return 1
  if (isNpmTaking(words)) return 0
  const front = `${words.slice(0, MAX_FRONT).join(" ")} `
  const wrapper = WRAPPERS.map((pattern) => pattern.exec(front)?.[0]).find((one) => one)
  return wrapper === undefined ? 0 : wrapper.trim().split(" ").length
}

/** Without `--`, npm takes every option for itself, and the program runs without it. */
function isNpmTaking([program, word, ...rest]: readonly string[]): boolean {
  const isExec = program === "npm" && word === "exec" && rest[0] !== "--"
  return isExec && rest.some((one) => one.startsWith("-"))
}

const MAX_FRONT = 12
