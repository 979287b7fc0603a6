// The terminal of this process.
import process from "node:process"
import colors from "picocolors"
import { inShell, type Typed } from "../../prompts/typed-command.ts"
import type { Env } from "../project/home-folder.ts"
import { wrapText } from "../views/columns.ts"
import { Refusal } from "./cli-error.ts"
import { ownCall } from "./own-call.ts"

/** Colours by meaning; without colours, each returns its text unchanged. */
export interface Paint {
  readonly good: (text: string) => string
  readonly warn: (text: string) => string
  readonly bad: (text: string) => string
  readonly dim: (text: string) => string
  readonly strong: (text: string) => string
}

/** Where a command writes, and what it may look at. */
export interface Terminal {
  /** A text of ours, with its line breaks; foreign parts of it were cleaned before. */
  out(text: string): void
  err(text: string): void
  /** A person is watching: lines may be redrawn. */
  readonly isInteractive: boolean
  readonly paint: Paint
  readonly columns: () => number
  readonly rows: () => number
  readonly cwd: string
  /** What to type for `opencode-boulder`: how this installation is called. */
  readonly call: string
  /** An advised command as typed where its output is read. */
  readonly typed: Typed
  readonly env: Env
  /** ms since 1970 */
  readonly now: () => number
  /** Aborted by Ctrl-C, or when the terminal closes. */
  readonly signal: AbortSignal
}

/**
 * Prints sentences; rows of tables fit already. A terminal that wraps by itself does so inside words. In a pipe the lines stay whole, and
 * so does what programs read, which `out` prints.
 */
export function tell(terminal: Pick<Terminal, "out" | "isInteractive" | "columns">, text: string) {
  terminal.out(terminal.isInteractive ? wrapText(text, terminal.columns()) : text)
}

const MAX_COLUMNS = 120
const MIN_COLUMNS = 20

/** Colours, or none. */
export function paintOf(isColoured: boolean): Paint {
  const { green, yellow, red, dim, bold } = colors.createColors(isColoured)
  return { good: green, warn: yellow, bad: red, dim, strong: bold }
}

/** The terminal of this process. `signal` comes from the caller, the only one to handle signals. */
export function processTerminal(signal: AbortSignal): Terminal {
  const { env, stdout, stderr } = process
  const isSet = (name: string) => env[name] !== undefined && env[name] !== ""
  const isInteractive = stdout.isTTY === true && !isSet("CI") && env["TERM"] !== "dumb"
  const cwd = ownFolder()
  const script = process.argv[1] ?? ""
  const call = ownCall({ script, program: process.execPath, cwd, env })
  return {
    out: (text) => {
      stdout.write(text)
    },
    err: (text) => {
      // A terminal that wraps by itself does so inside words.
      stderr.write(stderr.isTTY ? wrapText(text, stderr.columns || 80) : text)
    },
    isInteractive,
    paint: paintOf((isInteractive || isSet("FORCE_COLOR")) && !isSet("NO_COLOR")),
    columns: () => Math.max(MIN_COLUMNS, Math.min(MAX_COLUMNS, stdout.columns || 80)),
    rows: () => stdout.rows || 24,
    cwd,
    call,
    typed: inShell(call),
    env,
    now: Date.now,
    signal,
  }
}

function ownFolder(): string {
  try {
    return process.cwd()
  } catch {
    throw new Refusal(
      "Expected a folder to stand in; found that this one is gone. Go to the project's folder, and try again.",
    )
  }
}
