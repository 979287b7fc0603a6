// Decides whether a shell command runs a check, and what its exit code says about that check.
import { type CheckAt, mayRun } from "./find-check.ts"
import { readShell, type ShellList } from "./read-shell.ts"
import { type End, endsOf } from "./shell-ends.ts"
import { shellTokens } from "./shell-tokens.ts"

/** How the run of a check ended. */
export type RunOutcome =
  | "passed"
  | "failed"
  /** It could not run: the command does not exist, or its time was up. */
  | "unavailable"
  /** It ran, but the exit code belongs to another command, for example of a pipe. */
  | "unknown"

/** The exit code of a shell command; null if it was ended before it had one. */
export type ShellExit = number | null

const MAX_COMMAND = 20_000

/**
 * What a shell command says about a check; null if it does not run the check (with more arguments it is another command). The check passed
 * if every way to exit code 0 runs it successfully, and failed if every way to another code runs it to a failure. What is not certain
 * proves nothing, and replaces what was known before.
 */
export function checkRun(command: string, check: string, exit: ShellExit): RunOutcome | null {
  if (command.length > MAX_COMMAND || check.trim() === "") return null
  const wanted = readShell(check)
  // A check with a loop, for example, has run only if it is the whole command.
  if (wanted === null) return isSame(command, check) ? own(exit) : null
  return wanted.length === 0 ? null : runIn(command, checkAt(wanted, check), exit)
}

function runIn(command: string, asked: CheckAt, exit: ShellExit): RunOutcome | null {
  const list = readShell(command)
  if (list === null) return mayRun(shellTokens(command) ?? [], asked.tokens) ? "unknown" : null
  const ends = endsOf(list, asked, exit === 0)
  if (!ends.some(({ ran }) => ran !== "no")) return null
  if (exit === null) return ends.every(({ ran }) => ran === "unsure") ? "unknown" : "unavailable"
  const isHere = ({ status }: End): boolean => (status === "zero") === (exit === 0)
  return outcomeOf(ends.filter(isHere), exit)
}

function checkAt(list: ShellList, check: string): CheckAt {
  const [first, ...others] = list
  const [command, ...piped] = first?.commands ?? []
  const isOne = others.length === 0 && piped.length === 0 && first?.isNegated === false
  const tokens = shellTokens(check) ?? []
  const simple = isOne && command?.group === null ? command : null
  const redirections = list.flatMap(({ commands }) => commands.flatMap((one) => one.redirections))
  return { tokens, list, simple, redirections }
}

function isSame(command: string, check: string): boolean {
  const spaced = (text: string): string => text.trim().replace(/\s+/g, " ")
  return spaced(command) === spaced(check)
}

function outcomeOf(ends: readonly End[], exit: number): RunOutcome | null {
  const isAll = (wanted: End["ran"]): boolean => ends.every(({ ran }) => ran === wanted)
  if (ends.length === 0) return "unknown"
  if (isAll("no")) return null
  if (exit === 0) return isAll("ok") ? "passed" : "unknown"
  if (!isAll("bad")) return "unknown"
  if (!ends.some(({ status }) => status === "own")) return "failed"
  // A reader of its output, such as `head`, has closed the pipe: the check has decided nothing.
  if (exit === SIGPIPE) return "unknown"
  return TIMED_OUT.has(exit) && ends.some(({ isTimed }) => isTimed) ? "unavailable" : own(exit)
}

/** How `timeout` ends: with its own code, or by the signal that it sends. */
const TIMED_OUT: ReadonlySet<number> = new Set([124, 137, 143])
const SIGPIPE = 141

function own(exit: ShellExit): RunOutcome {
  if (exit === null || exit === 126 || exit === 127) return "unavailable"
  return exit === 0 ? "passed" : "failed"
}
