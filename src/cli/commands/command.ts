// What a command is.
import type { Terminal } from "../terminal/terminal.ts"

/** A command of the command line. `run` returns the exit code; what it throws is put into words by `main`. */
export interface Command {
  /** One line for the list of commands. */
  readonly summary: string
  /** What `--help` prints. */
  readonly help: string
  run(args: readonly string[], terminal: Terminal): Promise<number>
}
