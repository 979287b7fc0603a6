// Commands that our texts advise: a name and arguments, written the way each reader types them.
import { planArgument } from "../boulder/plan-argument.ts"
import { shellWord } from "./shell-word.ts"

/** The names of our commands in opencode: the same in every host, with or without the panel. */
export const SLASH = { start: "start-work", stop: "stop-work", status: "work-status" } as const

/** An argument to be quoted as needed; or words that stand as they are: an option, or what the reader fills in. */
type Argument = string | { readonly as: string }

/** Writes an advised command of the command line as its reader types what does the same; a slash command stays one. */
export type Typed = (name: string, ...args: readonly Argument[]) => string

/** Commands as typed in a shell where the command line has this name, ready to be pasted. */
export function inShell(call: string): Typed {
  return (name, ...args) => {
    if (isSlash(name)) return slashed(name, args)
    const words = args.map((arg) => (typeof arg === "string" ? shellWord(arg) : arg.as))
    return [call, name, ...words].join(" ")
  }
}

/** The commands of the command line that one of opencode replaces. */
const IN_OPENCODE: ReadonlyMap<string, string> = new Map([
  ["run", SLASH.start],
  ["resume", SLASH.start],
  ["stop", SLASH.stop],
  ["status", SLASH.status],
])

/** Commands as typed in opencode; in a shell those that opencode does not have. */
export function inOpencode(call: string): Typed {
  const shell = inShell(call)
  return (name, ...args) => {
    const slash = IN_OPENCODE.get(name)
    return slash === undefined ? shell(name, ...args) : slashed(`/${slash}`, args)
  }
}

function slashed(slash: string, args: readonly Argument[]): string {
  // This one shows all works.
  if (slash === `/${SLASH.status}`) return slash
  const words = args.map((arg) => (typeof arg === "string" ? planArgument(arg) : arg.as))
  return [slash, ...words].join(" ")
}

/** Commands about one work: its name is the last argument, unless the reader fills that in; null if none is needed. */
export function ofWork(typed: Typed, name: string | null): Typed {
  if (name === null) return typed
  return (command, ...args) => {
    const isFilledIn = args.some((arg) => typeof arg !== "string")
    return isFilledIn ? typed(command, ...args) : typed(command, ...args, name)
  }
}

/** The same if no opencode has the work open: there a run resumes it. */
export function whereNoneLeads(typed: Typed): Typed {
  return (command, ...args) => typed(command === "resume" ? "run" : command, ...args)
}

/** What to do with a command: `type /start-work`, `run opencode-boulder resume`. */
export function doing(command: string): string {
  return `${isSlash(command) ? "type" : "run"} ${command}`
}

/** How a session gets a plan to lead: in opencode; for a reader in a shell, there or by a run. */
export function starting(typed: Typed, ...args: readonly Argument[]): string {
  const run = typed("run", ...args)
  return isSlash(run)
    ? doing(run)
    : `${doing(typed(`/${SLASH.start}`, ...args))} in opencode, or run: ${run}`
}

/** How a person unblocks a task: in the plan, or by a command; without a key that lists the tasks. */
export function unblocking(typed: Typed, ...key: readonly string[]): string {
  return `take its mark and BLOCKED line out of the plan, or ${doing(typed("unblock", ...key))}`
}

/** A command, after a start if that does the same: in opencode. */
export function startOr(typed: Typed, name: string): string {
  const run = typed("run")
  const itself = doing(typed(name))
  return isSlash(run) ? `${doing(run)}, or ${itself}` : itself
}

/** The command line may be called by a path, which has more than a name after its first slash. */
function isSlash(command: string): boolean {
  return /^\/[a-z-]+(?: |$)/.test(command)
}

/** A text of ours in which the advised `plan <file>` names the file that the text is about. */
export function aboutFile(text: string, file: string): string {
  return text.replaceAll(/(?<=boulder plan )<file>/g, () => shellWord(file))
}
