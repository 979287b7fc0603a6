// The slash commands: `/start-work`, `/stop-work`, `/work-status`.
import type { Shell } from "../host/shell.ts"
import type { CommandAnswer } from "./command-answer.ts"
import { startWork } from "./start-work.ts"
import { stopWork, workStatus } from "./status-commands.ts"

/** A command of ours: what the host lists, and what it does. */
interface Command {
  readonly description: string
  readonly run: (shell: Shell, sessionId: string, request: string) => Promise<CommandAnswer>
}

/** The commands that the plugin registers. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  "start-work": {
    description: "Start a plan (as a list: /boulder-start)",
    run: startWork,
  },
  "stop-work": {
    description: "Pause the plan (no turn: /boulder-stop)",
    run: stopWork,
  },
  "work-status": {
    description: "How far it is (no turn: /boulder-status)",
    run: async (shell) => ({ text: await workStatus(shell) }),
  },
}
