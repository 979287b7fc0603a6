// Tells what a shell command does to the shell that runs it.
import { SHELL, wrapperLength } from "./find-check.ts"
import { readShell, type ShellCommand, type ShellList } from "./read-shell.ts"
import { unquoted } from "./shell-tokens.ts"

/** What `set` has switched on. */
export interface ShellOptions {
  readonly pipefail: boolean
  readonly errexit: boolean
  readonly nounset: boolean
}

export type ShellDoing =
  /** It always ends with 0. */
  | { readonly kind: "zero" }
  /** It hardly ever fails. */
  | { readonly kind: "harmless" }
  /** It goes to a folder, which before a check is taken to be there. */
  | { readonly kind: "moves" }
  | { readonly kind: "fails" }
  /** It ends the shell with the code of the command before it, of the first one in the pipeline before it, and so on. */
  | { readonly kind: "ends"; readonly as: "last" | "first" | "zero" | "fails" | "any" }
  /** It ends the shell with the value of a variable. */
  | { readonly kind: "ends-with"; readonly name: string }
  /** It stores in a variable how the command before it ended. */
  | { readonly kind: "saves"; readonly name: string; readonly as: "last" | "first" }
  /** It can change the meaning of everything that follows. */
  | { readonly kind: "diverts" }
  | {
      readonly kind: "sets"
      readonly to: Partial<ShellOptions>
    }
  /** It runs a list in a shell of its own. */
  | { readonly kind: "shell"; readonly list: ShellList }
  | { readonly kind: "other" }

const DIVERTS = new Set(
  "exec return kill trap eval alias unalias hash enable break continue logout coproc let".split(
    " ",
  ),
)
const HARMLESS = new Set("export echo printf pwd umask shopt ulimit tee wait".split(" "))
/** Without a file they read what is piped into them. */
const FILTERS = new Set("tail head cat".split(" "))
const OPTION = /^(?:-.*|\+?\d+[A-Za-z]*)$/
/** Files that people source out of habit and that change no command's meaning. */
const SOURCED =
  /(?:^|\/)(?:activate(?:\.\w+)?|\.env[\w.]*|\.?(?:bash|zsh)?_?(?:rc|profile|env)|\.cargo\/env|nvm\.sh)$/
/** Folders where package managers and the system keep programs. Any other folder may hold a program that merely has the check's name. */
const TOOLS =
  /^(?:~|\$HOME|\$\{HOME\}|\/(?:usr|opt|bin|sbin|snap|nix)|\/(?:home|Users)\/[^/]+\/\.[^/]+|\/root\/\.[^/]+)(?:\/|$)|(?:^|\/)(?:node_modules\/\.bin|\.?venv\/bin|vendor\/bin)$|^\$(?:PATH|\{PATH\})$/
/** `code=$?` stores how the command before it ended. */
const SAVES = /^(\w+)=(\$\?|\$\{PIPESTATUS\[0\]\})$/

/** What a command does, from its words alone. */
export function doingOf({ words }: ShellCommand): ShellDoing {
  const rest = withoutWrappers(words)
  const [name, ...args] = rest.map(unquoted)
  if (setsOtherPath({ words })) return { kind: "diverts" }
  if (name === undefined) return assigned(words)
  if (DIVERTS.has(name)) return { kind: "diverts" }
  if (name === "cd" || name === "pushd") return { kind: "moves" }
  const isFilter = FILTERS.has(name) && args.every((arg) => OPTION.test(arg))
  if (HARMLESS.has(name) || isFilter) return { kind: "harmless" }
  if (SHELL.test(name)) return shellOf(rest)
  return ownDoingOf(name, args)
}

/** Whether a command adds a folder to the search path that is not known to hold tools. */
export function setsOtherPath({ words }: Pick<ShellCommand, "words">): boolean {
  const paths = words.flatMap((word) => /^PATH\+?=(.*)$/s.exec(unquoted(word))?.[1] ?? [])
  return paths.some((path) => path.split(":").some((folder) => !TOOLS.test(folder)))
}

function assigned(words: readonly string[]): ShellDoing {
  const [, name, of] = words.length === 1 ? (SAVES.exec(unquoted(words[0] ?? "")) ?? []) : []
  if (name !== undefined) return { kind: "saves", name, as: of === "$?" ? "last" : "first" }
  return { kind: words.some(isRun) ? "other" : "zero" }
}

/** Whether a command may change a variable: it names the variable and does more than print its value. */
export function mayChange(name: string, { words }: ShellCommand): boolean {
  const isPrint = words[0] === "echo"
  const held = new RegExp(`\\$(?:${name}\\b|\\{${name}\\})`, "g")
  const own = new RegExp(`\\b${name}\\b`)
  return words.some(
    (word) => own.test(word.replace(held, "")) && !(isPrint && !/\$[({]/.test(word)),
  )
}

/** A command without the words that merely run it. */
export function withoutWrappers(words: readonly string[]): readonly string[] {
  const length = wrapperLength(words)
  return length === 0 ? words : withoutWrappers(words.slice(length))
}

function ownDoingOf(name: string, args: readonly string[]): ShellDoing {
  switch (name) {
    case "true":
    case ":":
      return { kind: "zero" }
    case "false":
      return { kind: "fails" }
    case "exit":
      return endedBy(args[0])
    case "set":
      return settingOf(args)
    case "source":
    case ".":
      return { kind: SOURCED.test(args[0] ?? "") ? "other" : "diverts" }
    default:
      return { kind: "other" }
  }
}

/** Whether a word runs a command to get its value. */
export function isRun(word: string): boolean {
  return !word.startsWith("'") && /\$\(|`/.test(word)
}

function endedBy(code: string | undefined): ShellDoing {
  const name = /^\$(?:(\w+)|\{(\w+)\})$/
    .exec(code ?? "")
    ?.slice(1)
    .find(Boolean)
  return name === undefined ? { kind: "ends", as: codeOf(code) } : { kind: "ends-with", name }
}

function codeOf(code: string | undefined): "last" | "first" | "zero" | "fails" | "any" {
  if (code === undefined || code === "$?") return "last"
  if (/^\$\{PIPESTATUS\[0\]\}$/.test(code)) return "first"
  if (!/^\d+$/.test(code)) return "any"
  return Number(code) % 256 === 0 ? "zero" : "fails"
}

function settingOf(args: readonly string[]): ShellDoing {
  const options = args.flatMap((arg, at) => {
    const isNamed = /^[-+]\w*o$/.test(arg)
    const letters = /^[-+]\w/.test(arg) ? arg.slice(1).replace(/o$/, "") : ""
    const on = arg.startsWith("-")
    return [...letters, ...(isNamed ? [args[at + 1] ?? ""] : [])].map((name) => ({ name, on }))
  })
  const lastOf = (...names: readonly string[]) =>
    options.findLast(({ name }) => names.includes(name))
  if (lastOf("n", "t", "noexec") !== undefined) return { kind: "diverts" }
  const to = {
    pipefail: lastOf("pipefail")?.on,
    errexit: lastOf("e", "errexit")?.on,
    nounset: lastOf("u", "nounset")?.on,
  }
  return {
    kind: "sets",
    to: Object.fromEntries(Object.entries(to).filter(([, on]) => on !== undefined)),
  }
}

/** `bash -c 'cd app && npm test'`: what it runs, if nothing is substituted into the text first. */
function shellOf([, option = "", text = "", ...others]: readonly string[]): ShellDoing {
  const isPlain = /^'[^']*'$/.test(text) || /^"[^"$`\\]*"$/.test(text)
  const list =
    /^-l?c$/.test(option) && isPlain && others.length === 0 ? readShell(text.slice(1, -1)) : null
  return list === null ? { kind: "other" } : { kind: "shell", list }
}
