// Finds what a shell command writes, from its words alone.
import { trimEnd } from "../../plan/model/trim-end.ts"
import { WRITERS, type Wrote } from "./file-writers.ts"
import { BEFORE, inOwnFolder } from "./find-check.ts"
import { keepsFiles, type Reach, reachOfProgram } from "./program-reach.ts"
import { isRun, withoutWrappers } from "./shell-doing.ts"
import { shellTokens, type Token, unquoted } from "./shell-tokens.ts"

/** A file that a command writes, or a folder with everything in it; "." for everything. */
export interface CommandWrite {
  readonly path: string
  /** Its position among the command's words. */
  readonly at: number
  /** `maybe`: only if the work tree has changed; `likely`: unless it is known not to have changed. */
  readonly how: Wrote["how"]
  /** It takes the output of the command, or of another one in the pipe. */
  readonly isOutput: boolean
}

const MAX_COMMAND = 20_000
const MAX_FILES = 20
const JOINS = new Set(["&&", "||", ";", "&", "\n"])

/**
 * What a shell command writes, as far as its words tell: the targets of redirections, and what commands such as `sed -i`, `mv` and `git
 * checkout` name, relative to the folder they run in: `folder`, or where an earlier `cd` went. A quoted text is one word.
 */
export function filesWritten(command: string, folder = ""): readonly CommandWrite[] {
  const tokens = tokensOf(command)
  if (tokens === null) return []
  const found = commandsIn(tokens, folder).flatMap(writesIn)
  return [...new Map(found.map((one) => [`${one.path} ${one.at}`, one])).values()].slice(
    0,
    MAX_FILES,
  )
}

/** Where a command runs a check, among its words: from the start of the check's pipe to the next command. */
export interface CheckSpan {
  readonly from: number
  readonly to: number
  /** Where the check's own command starts. */
  readonly own: number
  /** The folder that it runs in; "" for the host's own. */
  readonly folder: string
}

/**
 * Where a command that starts in `folder` last runs a check: what it writes before that is tested, what it writes afterwards is not. Null
 * if nowhere.
 */
export function spanOfCheck(command: string, check: string, folder = ""): CheckSpan | null {
  const tokens = tokensOf(command)
  const wanted = shellTokens(check)
  if (tokens === null || wanted === null) return null
  const own = lastAt(tokens, wanted)
  // Inside quotes, as a word for another shell.
  const at = own >= 0 ? own : tokens.findLastIndex(({ text }) => text.includes(check))
  if (at < 0) return null
  const isJoin = ({ kind, text }: Token): boolean => kind === "joint" && JOINS.has(text)
  const behind = own >= 0 ? own + wanted.length : at
  const to = tokens.findIndex((token, index) => index >= behind && isJoin(token))
  const from = tokens.findLastIndex((token, index) => index < at && isJoin(token))
  const outer = folderAt(tokens, at, folder)
  const quoted = own >= 0 ? null : tokensOf(tokens[at]?.text.slice(1, -1) ?? "")
  return {
    from: Math.max(from, 0),
    own: commandsIn(tokens, folder).findLast((one) => one.at <= at)?.at ?? 0,
    to: to < 0 ? Number.POSITIVE_INFINITY : to,
    folder: quoted === null ? outer : folderAt(quoted, lastAt(quoted, wanted), outer),
  }
}

function lastAt(tokens: readonly Token[], wanted: readonly Token[]): number {
  return tokens.findLastIndex((_, at) =>
    wanted.every(({ text }, by) => tokens[at + by]?.text === text),
  )
}

/** The folder in which the word at this index runs. */
function folderAt(tokens: readonly Token[], index: number, begun: string): string {
  return commandsIn(tokens, begun).findLast(({ at }) => at <= index)?.folder ?? begun
}

/**
 * Whether a command may run something after a check that, by its words, can change the work tree. A commit, a look and another check
 * cannot.
 */
export function openBehind(command: string, checks: readonly string[]): boolean {
  const here = checks
    .flatMap((check) => [check, inOwnFolder(check)?.command ?? check])
    .filter((check) => command.includes(check.trim().split(/\s/, 1)[0] ?? ""))
  const ends = here.flatMap((check) => spanOfCheck(command, check)?.to ?? [])
  const from = Math.min(...ends)
  const isNamed = filesWritten(command).some(({ at }) => at >= from)
  return isNamed || reachOf(command, checks, from) === "anything"
}

/**
 * What a command has written, out of what its words name. `hasMoved` tells whether the tree has changed since it began, null if nobody
 * knows. What a check itself writes, and what takes its output, is no work. What follows a check is untested, unless the tree is unchanged
 * and nothing was written before it.
 */
export function countedWrites(
  wrote: readonly CommandWrite[],
  spans: readonly CheckSpan[],
  hasMoved: boolean | null,
): { written: readonly CommandWrite[]; isBehind: (one: CommandWrite) => boolean } {
  const isOutput = (one: CommandWrite): boolean =>
    spans.some(
      ({ from, own, to }) => one.at === own || (one.isOutput && one.at >= from && one.at < to),
    )
  const isBehind = ({ at }: CommandWrite): boolean => spans.some(({ to }) => at >= to)
  const isOther = wrote.some(({ at }) => spans.some(({ from }) => at < from))
  const isDone = (one: CommandWrite): boolean => {
    if (isBehind(one)) return hasMoved !== false || isOther
    return one.how === "surely" || hasMoved === true || (one.how === "likely" && hasMoved === null)
  }
  return { written: wrote.filter((one) => !isOutput(one) && isDone(one)), isBehind }
}

/**
 * What a shell command may have done to the work tree, from its words from one of them on: nothing, because it only looks; no more than
 * `filesWritten` and the checks have named; or anything. After a check (`from`), a script that by its name only checks has done nothing:
 * the check itself may have changed the tree.
 */
export function reachOf(command: string, checks: readonly string[], from = 0): Reach {
  const tokens = tokensOf(command)
  if (tokens === null) return "anything"
  const asked = checks.map((check) => (shellTokens(check) ?? []).map(({ text }) => text).join(" "))
  const inReach = commandsIn(tokens, "").filter(({ at }) => at >= from)
  const reaches = inReach.map((one) => reachOfOne(one, asked, from > 0))
  return (["anything", "told"] as const).find((reach) => reaches.includes(reach)) ?? "nothing"
}

function reachOfOne(one: ShellCommand, asked: readonly string[], isBehind: boolean): Reach {
  const words = withoutWrappers(one.words)
  const text = words.join(" ")
  if (keepsFiles(text)) return "told"
  if ([...one.words, ...one.targets].some((word) => isRun(word) || isOpenTarget(word, one)))
    return "anything"
  const isTold = writesIn(one).length > 0 && !words.some((word) => word.includes("$"))
  if (isTold || asked.some((check) => check.includes(text) && text !== "")) return "told"
  return reachOfProgram(text, isBehind)
}

function isOpenTarget(word: string, { targets }: ShellCommand): boolean {
  return targets.includes(word) && word.includes("$")
}

function tokensOf(command: string): readonly Token[] | null {
  return command.length > MAX_COMMAND ? null : shellTokens(command)
}

/** A command's words, its output targets and its folder; null for a folder that only the shell knows. */
interface ShellCommand {
  readonly words: string[]
  readonly targets: string[]
  readonly at: number
  readonly folder: string
}

function commandsIn(tokens: readonly Token[], begun: string): readonly ShellCommand[] {
  const commands: ShellCommand[] = []
  const outer: string[] = []
  let folder = begun
  let now: ShellCommand = { words: [], targets: [], at: 0, folder }
  const close = (): void => {
    commands.push(now)
    folder = folderBehind(now)
  }
  for (const [at, token] of tokens.entries()) {
    if (token.kind === "joint") {
      close()
      if (token.text === "(") outer.push(folder)
      if (token.text === ")") folder = outer.pop() ?? folder
      now = { words: [], targets: [], at, folder }
    } else if (token.kind === "word") takeWord(now, token.text, tokens[at - 1])
  }
  close()
  return commands
}

/** A word is an output target, or one of the command's own words. */
function takeWord({ words, targets }: ShellCommand, text: string, before: Token | undefined): void {
  if (before?.kind === "redirection") {
    if (before.text.includes(">")) targets.push(text)
  } else if (words.length > 0 || !BEFORE.has(text)) words.push(text)
}

/** The folder that a command leaves the shell in; "" for the one it began in, and for one that only the shell knows. */
function folderBehind({ words, folder }: ShellCommand): string {
  const [name, given = "~", ...others] = words.map(unquoted)
  if (name !== "cd" && name !== "pushd") return folder
  const to = given.replace(/^\$(?:HOME|\{HOME\})(?=\/|$)/, "~")
  return others.length > 0 || isOpen(to) || to.startsWith("-") ? "" : joined(folder, to)
}

function joined(folder: string, path: string): string {
  return folder === "" || /^[/~]/.test(path) ? path : `${folder}/${path}`
}

function writesIn({ words, targets, at, folder }: ShellCommand): readonly CommandWrite[] {
  const plain = withoutWrappers(words).map(unquoted)
  const redirected = targets
    .filter((text) => !isOpen(text))
    .map((text) => ({ path: unquoted(text), how: "surely" as const, isOutput: true }))
  const isOutput = plain[0] === "tee"
  const named = WRITERS.flatMap((writer) => writer(plain)).map((one) => ({ ...one, isOutput }))
  return [...redirected, ...named]
    .filter(({ path }) => path !== "" && !path.startsWith("/dev/"))
    .map(({ path, ...one }) => ({ ...one, path: inFolder(folder, path), at }))
}

/** A path with a pattern stands for its folder; without a folder, for everything. */
function inFolder(folder: string, path: string): string {
  const at = path.search(/[*?[{]/)
  const whole = at < 0 ? path : path.slice(0, path.lastIndexOf("/", at) + 1)
  const trimmed = trimEnd(whole.replace(/^(?:\.\/)+/, ""), "/")
  if (trimmed === "" || trimmed === ".")
    return whole.startsWith("/") ? "/" : folder === "" ? "." : folder
  return joined(folder, trimmed)
}

/** Whether only the shell knows what a word becomes, or it is no file, as in `2>&1`. */
function isOpen(word: string): boolean {
  return /[$`]|^(?:\d|-)$/.test(word)
}
