// Where a list of commands runs a check.
import type { Pipeline, Redirection, ShellCommand, ShellList } from "./read-shell.ts"
import { shellTokens, type Token, unquoted } from "./shell-tokens.ts"

/** A check as it is looked for: its pipelines, and its command where it is a single one. */
export interface CheckAt {
  readonly tokens: readonly Token[]
  readonly list: ShellList
  readonly simple: ShellCommand | null
}

/** A pipeline of a list, or a check of several as one. */
export interface Step extends Pipeline {
  readonly isCheck: boolean
}

/** The pipelines of a list, and where the whole check stands among them, that as one step. */
export function stepsOf(list: ShellList, { list: wanted, simple }: CheckAt): readonly Step[] {
  const steps: Step[] = []
  for (let at = 0; at < list.length; ) {
    const pipeline = list[at]
    if (pipeline === undefined) break
    const isCheck = simple === null && isAt(list, at, wanted)
    const last = isCheck ? at + wanted.length - 1 : at
    steps.push({ ...pipeline, joint: list[last]?.joint ?? "", isCheck })
    at = last + 1
  }
  return steps
}

/** Whether the check stands here, and is one thing to what stands around it. */
function isAt(list: ShellList, at: number, wanted: ShellList): boolean {
  if (wanted.length === 0) return false
  const own = list.slice(at, at + wanted.length)
  const inner = wanted.slice(0, -1).map(({ joint }) => joint)
  const isThere =
    own.length === wanted.length &&
    wanted.every(({ text }, index) => own[index]?.text === text) &&
    inner.every((joint, index) => own[index]?.joint === joint)
  const before = list[at - 1]?.joint ?? ";"
  const isFree = before === ";" || before === "&"
  const isOneThing = inner.every((joint) => joint === "&&") && before === "&&"
  const isApart = own.at(-1)?.joint === "&" && inner.some((joint) => joint === ";" || joint === "&")
  return isThere && !isApart && (isFree || isOneThing)
}

/** Whether a command is the check, with redirections of its own and whatever runs it; `timed`: within a time limit. */
export function runsCheck(command: ShellCommand, { simple }: CheckAt): "no" | "plain" | "timed" {
  if (simple === null || !isSent(command.redirections, simple.redirections)) return "no"
  const { words } = simple
  let rest = command.words
  let isTimed = false
  while (rest.length > words.length) {
    const length = wrapperLength(rest)
    if (length === 0) return "no"
    isTimed ||= rest[0] === "timeout"
    rest = rest.slice(length)
  }
  if (!words.every((word, at) => rest[at] === word) || rest.length !== words.length) return "no"
  return isTimed || words.includes("timeout") ? "timed" : "plain"
}

/** The check's own redirections, and beside them only such as take its output. */
function isSent(own: readonly Redirection[], wanted: readonly Redirection[]): boolean {
  const textOf = ({ sign, target }: Redirection) => `${sign} ${target}`
  const texts = new Set(own.map(textOf))
  const asked = new Set(wanted.map(textOf))
  const isOutput = (one: Redirection): boolean =>
    one.sign.includes(">") || one.target === "/dev/null" || asked.has(textOf(one))
  return [...asked].every((text) => texts.has(text)) && own.every(isOutput)
}

/** What stands before a command, or runs what follows it in place of the shell. */
export const BEFORE = new Set("{ ! if then else elif while until do sudo exec coproc".split(" "))
/** What runs the text that follows it. */
export const SHELL = /^(?:\/(?:usr\/)?bin\/)?(?:bash|sh|zsh|dash)$/

/**
 * Whether the check stands in the place of a command, wherever that is: in a substitution, a loop, a condition, a function or
 * the text for another shell. It may have been run there, and no exit code tells how it ended.
 */
export function mayRun(tokens: readonly Token[], wanted: readonly Token[]): boolean {
  return tokens.some(
    ({ inner }, at) =>
      inner.some((one) => mayRun(one, wanted)) ||
      ((at === 0 || tokens[at - 1]?.kind === "joint") && isRunAt(tokens, at, wanted)),
  )
}

function isRunAt(tokens: readonly Token[], at: number, wanted: readonly Token[]): boolean {
  let end = at
  while (tokens[end]?.kind === "word") end += 1
  const words = tokens.slice(at, end).map(({ text }) => text)
  let rest: readonly string[] = words
  for (let length = 1; length > 0; rest = rest.slice(length))
    length = BEFORE.has(rest[0] ?? "") ? 1 : wrapperLength(rest)
  const from = at + words.length - rest.length
  const isSame = wanted.every(({ text }, by) => tokens[from + by]?.text === text)
  if (isSame && tokens[from + wanted.length]?.kind !== "word") return true
  const [name = "", ...texts] = rest.map(unquoted)
  const isShell = SHELL.test(name) && texts.length > 1
  const run = name === "eval" ? [texts.join(" ")] : isShell ? texts : []
  return run.some((text) => mayRun(shellTokens(text) ?? [], wanted))
}

const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/
const WRAPPERS: readonly RegExp[] = [
  /^time(?: -p)? /,
  /^nice(?: -n ?-?\d+| -\d+)? /,
  /^(?:nohup|command|builtin|env(?: -i)?(?: -u \w+)*) /,
  /^stdbuf(?: -\w+)+ /,
  /^timeout(?: -[ks] \S+| -(?:v|p|f|[ks]\S+|-[\w-]+(?:=\S+)?))* \d[\d.]*[smhd]? /,
]

/** How many words at the front of a command run what follows them all the same. */
export function wrapperLength(words: readonly string[]): number {
  if (ASSIGNMENT.test(words[0] ?? "")) return 1
  const front = `${words.slice(0, MAX_FRONT).join(" ")} `
  const wrapper = WRAPPERS.map((pattern) => pattern.exec(front)?.[0]).find((one) => one)
  return wrapper === undefined ? 0 : wrapper.trim().split(" ").length
}

const MAX_FRONT = 12
