// The terminal of this process.
import process from "node:process"

/** Where a command writes, and what it may look at. */
export interface Terminal {
  /** A text of ours, with its line breaks; foreign parts of it are cleaned before. */
  out(text: string): void
  err(text: string): void
  /** A person looks at it: lines may be redrawn. */
  readonly isInteractive: boolean
  readonly columns: () => number
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** ms since 1970 */
  readonly now: () => number
  /** Aborted by Ctrl-C, or by the end of the terminal. */
  readonly signal: AbortSignal
}

const MAX_COLUMNS = 120

/** The terminal of this process. `signal` comes from the caller, which alone handles signals. */
export function processTerminal(signal: AbortSignal): Terminal {
  const { env, stdout, stderr } = process
  const isPlain = [env["NO_COLOR"], env["CI"]].some((value) => value !== undefined && value !== "")
  return {
    out: (text) => {
      stdout.write(text)
    },
    err: (text) => {
      stderr.write(text)
    },
    isInteractive: stdout.isTTY === true && !isPlain && env["TERM"] !== "dumb",
    columns: () => Math.min(MAX_COLUMNS, stdout.columns || 80),
    cwd: process.cwd(),
    env,
    now: Date.now,
    signal,
  }
}
