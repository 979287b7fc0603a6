// Finds the command, runs it, gives the exit code.
import { cleanLine } from "../plan/model/foreign-text.ts"
import { COMMANDS, overviewText } from "./commands/command-list.ts"
import { ownVersion } from "./own-version.ts"
import { UsageError } from "./terminal/cli-error.ts"
import type { Terminal } from "./terminal/terminal.ts"

/** Runs one command line and gives its exit code. Throws what `main` puts into words. */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = args
  if (name === undefined) {
    terminal.err(overviewText(COMMANDS))
    return 2
  }
  if (name === "--version" || name === "-v") {
    terminal.out(`${await ownVersion()}\n`)
    return 0
  }
  if (name === "--help" || name === "-h" || name === "help") return help(rest[0], terminal)
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined) throw unknown(name)
  const end = rest.indexOf("--")
  const options = end < 0 ? rest : rest.slice(0, end)
  if (options.includes("--help") || options.includes("-h")) return help(name, terminal)
  return command.run(rest, terminal)
}

function help(name: string | undefined, terminal: Terminal): number {
  if (name !== undefined && !Object.hasOwn(COMMANDS, name)) throw unknown(name)
  terminal.out(COMMANDS[name ?? ""]?.help ?? overviewText(COMMANDS))
  return 0
}

function unknown(name: string): UsageError {
  const known = Object.keys(COMMANDS).join(", ")
  return new UsageError(`Expected a command (${known}); found ${cleanLine(name).slice(0, 80)}.`)
}
