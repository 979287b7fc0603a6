// What a command of a shell writes, by its words alone.
import { trimEnd } from "../plan/model/trim-end.ts"
import { WRITERS, type Wrote } from "./file-writers.ts"
import { withoutWrappers } from "./shell-doing.ts"
import { shellTokens, type Token, unquoted } from "./shell-tokens.ts"

/** A file that a command writes, or a folder with all that is in it; "." for all. */
export interface CommandWrite {
  readonly path: string
  /** Where it stands among the command's words. */
  readonly at: number
  /** `maybe`: only if the work tree has moved; `likely`: unless it is known that it has not. */
  readonly how: Wrote["how"]
}

const MAX_COMMAND = 20_000
const MAX_FILES = 20
/** What stands before a command. */
const BEFORE = new Set("{ ! if then else elif while until do sudo".split(" "))
const JOINS = new Set(["&&", "||", ";", "&", "\n"])

/**
 * What a command of a shell writes as far as its words tell: what is redirected there, and what commands such as `sed -i`,
 * `mv` and `git checkout` name, in the folder that it runs in: `folder`, or where a `cd` before has gone to. What is quoted is
 * one word.
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

/**
 * Behind which of its words a command has run a check: what it writes later was not there when the check ran. Infinity where
 * nothing stands behind it.
 */
export function endOfCheck(command: string, check: string): number {
  const tokens = tokensOf(command)
  const wanted = shellTokens(check)
  if (tokens === null || wanted === null) return Number.POSITIVE_INFINITY
  const isAt = (at: number): boolean =>
    wanted.every(({ text }, by) => tokens[at + by]?.text === text)
  const own = tokens.findLastIndex((_, at) => isAt(at))
  // In quotes, as the word of another shell.
  const at =
    own >= 0 ? own + wanted.length : tokens.findLastIndex(({ text }) => text.includes(check))
  const end = tokens.findIndex(
    ({ kind, text }, index) => index >= at && kind === "joint" && JOINS.has(text),
  )
  return at < 0 || end < 0 ? Number.POSITIVE_INFINITY : end
}

/** Programs that change nothing of the work tree, and what only goes with others. */
const LOOKS =
  /^(?:ls|cat|bat|grep|rg|ag|find|fd|tree|head|tail|less|wc|sort|uniq|cut|diff|cmp|stat|file|which|type|pwd|cd|pushd|popd|echo|printf|test|\[|\[\[|true|false|:|set|export|env|sleep|wait|date|ps|jq|awk|sed|history|exit|read|node -v|git (?:-\S+ )*(?:status|log|diff|show|branch|blame|add|commit|push|fetch|remote|rev-parse|ls-files|config|tag|describe|stash list))(?: |$)/

/** Whether a command runs a program of which nobody knows what it does, and that is none of the checks. */
export function runsProgram(command: string, checks: readonly string[]): boolean {
  const tokens = tokensOf(command)
  if (tokens === null) return true
  const asked = checks.map((check) => (shellTokens(check) ?? []).map(({ text }) => text).join(" "))
  return commandsIn(tokens, "").some(({ words }) => {
    const text = withoutWrappers(words).join(" ")
    return text !== "" && !LOOKS.test(text) && !asked.some((check) => check.includes(text))
  })
}

function tokensOf(command: string): readonly Token[] | null {
  return command.length > MAX_COMMAND ? null : shellTokens(command)
}

/** A command's words, where its output goes, and the folder that it runs in; null for one that only the shell knows. */
interface Placed {
  readonly words: string[]
  readonly targets: string[]
  readonly at: number
  readonly folder: string
}

function commandsIn(tokens: readonly Token[], begun: string): readonly Placed[] {
  const commands: Placed[] = []
  const outer: string[] = []
  let folder = begun
  let now: Placed = { words: [], targets: [], at: 0, folder }
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

/** A word is where output goes, or one of the command's own. */
function takeWord({ words, targets }: Placed, text: string, before: Token | undefined): void {
  if (before?.kind === "redirection") {
    if (before.text.includes(">")) targets.push(text)
  } else if (words.length > 0 || !BEFORE.has(text)) words.push(text)
}

/** The folder that a command leaves the shell in; "" for where it began, and for one that only the shell knows. */
function folderBehind({ words, folder }: Placed): string {
  const [name, to = "", ...others] = words.map(unquoted)
  if (name !== "cd" && name !== "pushd") return folder
  return others.length > 0 || isOpen(to) || to.startsWith("-") ? "" : joined(folder, to)
}

function joined(folder: string, path: string): string {
  return folder === "" || /^[/~]/.test(path) ? path : `${folder}/${path}`
}

function writesIn({ words, targets, at, folder }: Placed): readonly CommandWrite[] {
  const plain = withoutWrappers(words).map(unquoted)
  const redirected = targets
    .filter((text) => !isOpen(text))
    .map((text) => ({ path: unquoted(text), how: "surely" as const }))
  const named = WRITERS.flatMap((writer) => writer(plain))
  return [...redirected, ...named]
    .filter(({ path }) => path !== "" && !path.startsWith("/dev/"))
    .map(({ path, how }) => ({ path: inFolder(folder, path), how, at }))
}

/** With a pattern in it, a path stands for its folder; without a folder, for all. */
function inFolder(folder: string, path: string): string {
  const at = path.search(/[*?[{]/)
  const whole = at < 0 ? path : path.slice(0, path.lastIndexOf("/", at) + 1)
  const trimmed = trimEnd(whole.replace(/^(?:\.\/)+/, ""), "/")
  if (trimmed === "" || trimmed === ".")
    return whole.startsWith("/") ? "/" : folder === "" ? "." : folder
  return joined(folder, trimmed)
}

/** Whether only the shell knows what a word becomes; or it is no file, as in `2>&1`. */
function isOpen(word: string): boolean {
  return /[$`]|^(?:\d|-)$/.test(word)
}
