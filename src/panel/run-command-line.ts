// Runs a command of the command line inside the terminal interface.
import process from "node:process"
import { asCalled } from "../cli/terminal/as-called.ts"
import { installedCall } from "../cli/terminal/own-call.ts"
import { cleanText } from "../plan/model/foreign-text.ts"
import { inOpencode, type Typed } from "../prompts/typed-command.ts"

/** Runs one command line in `cwd`, as a shell would, and returns its output as text. Never throws. */
export async function runCommandLine(
  args: readonly string[],
  { cwd, columns }: { readonly cwd: string; readonly columns: number },
) {
  let text = ""
  const call = installedCall(cwd)
  const take = (more: string): void => {
    text += more
  }
  try {
    // Loaded with the first command, so that the interface starts without it.
    const { runCli } = await import("../cli/run-cli.ts")
    const code = await runCli(args, {
      out: take,
      err: take,
      isInteractive: false,
      paint: { good: plain, warn: plain, bad: plain, dim: plain, strong: plain },
      columns: () => columns,
      rows: () => 1_000,
      cwd,
      call,
      typed: inPanel(call),
      env: { ...process.env, NO_COLOR: "1" },
      now: Date.now,
      signal: new AbortController().signal,
    })
    return { isDone: code === 0, text: text.trimEnd() }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { isDone: false, text: asCalled(cleanText(message), call) }
  }
}

const plain = (text: string): string => text

/**
 * The panel's commands that nothing else in opencode does, or does while a turn runs. For its other commands, texts name the one that every
 * host has.
 */
const PANEL: ReadonlySet<string> = new Set([
  ...["status", "why", "works", "cost"],
  ...["approve", "unblock", "answer"],
])

/** A command as typed where the panel is: the panel's own, which asks for its arguments, else as in any opencode. */
export function inPanel(call: string): Typed {
  const opencode = inOpencode(call)
  return (name, ...args) => (PANEL.has(name) ? `/boulder-${name}` : opencode(name, ...args))
}
