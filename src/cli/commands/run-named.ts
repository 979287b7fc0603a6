// Loads the code of one command and runs it.
import { COMMANDS, type CommandName, type Run } from "../table/command-table.ts"
import { parseCommand } from "../terminal/parse-args.ts"
import type { Terminal } from "../terminal/terminal.ts"

/** The code of each command, loaded only when it runs. */
const RUNS: { readonly [Name in CommandName]: () => Promise<Run<Name>> } = {
  run: async () => (await import("./run-command.ts")).runCommand,
  stop: async () => (await import("./work-commands.ts")).stopCommand,
  resume: async () => (await import("./work-commands.ts")).resumeCommand,
  approve: async () => (await import("./work-commands.ts")).approveCommand,
  answer: async () => (await import("./answer-command.ts")).answerCommand,
  unblock: async () => (await import("./unblock-command.ts")).unblockCommand,
  status: async () => (await import("./status-command.ts")).statusCommand,
  why: async () => (await import("./why-command.ts")).whyCommand,
  proof: async () => (await import("../proof/proof-command.ts")).proofCommand,
  cost: async () => (await import("./cost-command.ts")).costCommand,
  works: async () => (await import("./archive-commands.ts")).worksCommand,
  plan: async () => (await import("./plan-command.ts")).planCommand,
  doctor: async () => (await import("../doctor/doctor-command.ts")).doctorCommand,
  report: async () => (await import("../report/report-command.ts")).reportCommand,
  state: async () => (await import("./task-state-commands.ts")).stateCommand,
  export: async () => (await import("./task-state-commands.ts")).exportCommand,
  handoffs: async () => (await import("./handoff-commands.ts")).handoffsCommand,
  release: async () => (await import("./handoff-commands.ts")).releaseCommand,
  prune: async () => (await import("./archive-commands.ts")).pruneCommand,
  mcp: async () => (await import("./mcp-command.ts")).mcpCommand,
  completion: async () => (await import("./completion-command.ts")).completionCommand,
}

/** Parses the arguments by the table of commands, and runs the command. Throws a `UsageError` for arguments that do not fit. */
export async function runNamed<Name extends CommandName>(
  name: Name,
  args: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const given = parseCommand<(typeof COMMANDS)[Name]["options"]>(args, COMMANDS[name])
  const run: Run<Name> = await RUNS[name]()
  return run(given, terminal)
}
