// The slash commands: `/start-work`, `/stop-work`, `/work-status`.
import { SLASH } from "../../prompts/typed-command.ts"
import type { Shell } from "../host/shell.ts"
import type { CommandAnswer } from "./command-answer.ts"
import { startWork } from "./start-work.ts"
import { stopWork, workStatus } from "./status-commands.ts"

/** One of our commands: what the host lists, and what it does. */
interface Command {
  readonly description: string
  readonly run: (shell: Shell, sessionId: string, request: string) => Promise<CommandAnswer>
}

/** The commands that the plugin registers. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  [SLASH.start]: {
    description: "Start a plan, or resume it",
    run: startWork,
  },
  [SLASH.stop]: {
    description: "Pause the plan until you resume it",
    run: stopWork,
  },
  [SLASH.status]: {
    description: "How far each plan is, and why it waits",
    run: async (shell) => ({ text: await workStatus(shell) }),
  },
}
