// The commands of the command line, and what it says of itself.
import { pruneCommand, worksCommand } from "./archive-commands.ts"
import type { Command } from "./command.ts"
import { costCommand } from "./cost-command.ts"
import { handoffsCommand, releaseCommand } from "./handoff-commands.ts"
import { mcpCommand } from "./mcp-command.ts"
import { planCommand } from "./plan-command.ts"
import { runCommand } from "./run-command.ts"
import { statusCommand } from "./status-command.ts"
import { exportCommand, stateCommand } from "./task-state-commands.ts"
import { unblockCommand } from "./unblock-command.ts"
import { whyCommand } from "./why-command.ts"
import { approveCommand, resumeCommand, stopCommand } from "./work-commands.ts"

/** Every command by its name, in the order of the help. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  run: runCommand,
  plan: planCommand,
  status: statusCommand,
  why: whyCommand,
  cost: costCommand,
  stop: stopCommand,
  resume: resumeCommand,
  approve: approveCommand,
  unblock: unblockCommand,
  state: stateCommand,
  export: exportCommand,
  handoffs: handoffsCommand,
  release: releaseCommand,
  works: worksCommand,
  prune: pruneCommand,
  mcp: mcpCommand,
}

/** What the command line says of itself. */
export function overviewText(commands: Readonly<Record<string, Command>>): string {
  const rows = Object.entries(commands).map(
    ([name, { summary }]) => `  ${name.padEnd(9)} ${summary}`,
  )
  return `Usage: opencode-boulder <command> [options]

Carries a long markdown plan to its end in opencode. The plugin does it inside opencode
(/start-work, /stop-work, /work-status); this command line looks at the same files, or runs a
plan without the TUI.

Commands:
${rows.join("\n")}

Options:
  --help       Show this help, or that of a command: opencode-boulder run --help
  --version    Show the version.

Exit codes:
  0  done        1  refused, invalid or failed        2  usage        3  run: you are needed

Example:
  opencode-boulder run auth-rewrite
`
}
