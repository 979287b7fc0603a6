import type { Shell } from "./shell.ts"
import { startWork } from "./start-work.ts"
import { stopWork, workStatus } from "./status-commands.ts"

/** A command of ours: what the host lists, and what it does; `run` returns the text for the model. */
interface Command {
  readonly description: string
  readonly run: (shell: Shell, sessionId: string, request: string) => Promise<string>
}

/** The commands that the plugin registers. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  "start-work": {
    description: "Carry a plan to its end: start it, or go on with it",
    run: startWork,
  },
  "stop-work": { description: "Stop carrying the plan on", run: stopWork },
  "work-status": { description: "Show how far the plan is, and why it waits", run: workStatus },
}
