// Finds the command, runs it and returns the exit code.
import { cleanLine } from "../plan/model/foreign-text.ts"
import { SLASH } from "../prompts/typed-command.ts"
import {
  COMMAND_NAMES,
  COMMANDS,
  type CommandName,
  isCommandName,
  type Run,
} from "./table/command-table.ts"
import { helpText, overviewText } from "./table/help-text.ts"
import { didYouMean } from "./table/nearest-name.ts"
import { UsageError } from "./terminal/cli-error.ts"
import { parseCommand } from "./terminal/parse-args.ts"
import type { Terminal } from "./terminal/terminal.ts"

/** Runs one command line and returns its exit code. Throws errors that `main` puts into words. */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = args
  const about = { call: terminal.call, columns: terminal.columns() }
  if (name === undefined) {
    terminal.err(overviewText(about))
    return 2
  }
  if (name === "--version" || name === "-v") {
    const { ownVersion } = await import("./own-version.ts")
    terminal.out(`${await ownVersion()}\n`)
    return 0
  }
  if (name === "--help" || name === "-h" || name === "help") {
    const [of] = rest
    terminal.out(of === undefined ? overviewText(about) : help(commandNamed(of), terminal))
    return 0
  }
  const command = commandNamed(name)
  const end = rest.indexOf("--")
  const options = end < 0 ? rest : rest.slice(0, end)
  if (options.some((option) => option === "--help" || /^-h+$/.test(option))) {
    terminal.out(help(command, terminal))
    return 0
  }
  return runNamed(command, rest, terminal)
}

/** Names of opencode's commands, and what does the same here. */
const OF_CHAT: ReadonlyMap<string, CommandName> = new Map([
  ["start", "run"],
  [SLASH.start, "run"],
  [SLASH.stop, "stop"],
  [SLASH.status, "status"],
])

function help(name: CommandName, terminal: Terminal): string {
  return helpText(name, COMMANDS[name], { call: terminal.call, columns: terminal.columns() })
}

function commandNamed(name: string): CommandName {
  if (isCommandName(name)) return name
  const shown = cleanLine(name).slice(0, 80)
  const meant = didYouMean(shown.replace(/^\/(?:boulder-)?/, ""), COMMAND_NAMES, OF_CHAT)
  throw new UsageError(
    `Expected a command (${COMMAND_NAMES.join(", ")}); found ${shown || "an empty name"}.${meant}`,
  )
}

/** The code of each command, loaded only when it runs. */
const RUNS: { readonly [Name in CommandName]: () => Promise<Run<Name>> } = {
  run: async () => (await import("./commands/run-command.ts")).runCommand,
  stop: async () => (await import("./commands/work-commands.ts")).stopCommand,
  resume: async () => (await import("./commands/work-commands.ts")).resumeCommand,
  approve: async () => (await import("./commands/work-commands.ts")).approveCommand,
  answer: async () => (await import("./commands/answer-command.ts")).answerCommand,
  unblock: async () => (await import("./commands/unblock-command.ts")).unblockCommand,
  status: async () => (await import("./commands/status-command.ts")).statusCommand,
  why: async () => (await import("./commands/why-command.ts")).whyCommand,
  proof: async () => (await import("./proof/proof-command.ts")).proofCommand,
  cost: async () => (await import("./commands/cost-command.ts")).costCommand,
  works: async () => (await import("./commands/archive-commands.ts")).worksCommand,
  plan: async () => (await import("./commands/plan-command.ts")).planCommand,
  doctor: async () => (await import("./doctor/doctor-command.ts")).doctorCommand,
  report: async () => (await import("./report/report-command.ts")).reportCommand,
  state: async () => (await import("./commands/task-state-commands.ts")).stateCommand,
  export: async () => (await import("./commands/task-state-commands.ts")).exportCommand,
  handoffs: async () => (await import("./commands/handoff-commands.ts")).handoffsCommand,
  release: async () => (await import("./commands/handoff-commands.ts")).releaseCommand,
  prune: async () => (await import("./commands/archive-commands.ts")).pruneCommand,
  mcp: async () => (await import("./commands/mcp-command.ts")).mcpCommand,
  completion: async () => (await import("./commands/completion-command.ts")).completionCommand,
}

/** Parses the arguments by the table of commands, and runs the command. Throws a `UsageError` for arguments that do not fit. */
async function runNamed<Name extends CommandName>(
  name: Name,
  args: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const given = parseCommand<(typeof COMMANDS)[Name]["options"]>(args, COMMANDS[name])
  const run: Run<Name> = await RUNS[name]()
  return (await run(given, terminal)) ?? 0
}
