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
    description: "Start or resume a plan, and carry it to its end (as a list: /boulder-start)",
    run: startWork,
  },
  "stop-work": {
    description: "Pause the plan until the next /start-work (without a turn: /boulder-stop)",
    run: stopWork,
  },
  "work-status": {
    description:
      "Show how far the plan is, and why it is waiting (without a turn: /boulder-status)",
    run: async (shell) => ({ text: await workStatus(shell) }),
  },
}
