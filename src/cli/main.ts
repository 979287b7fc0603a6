#!/usr/bin/env node
// The entry of the command line.
import process from "node:process"
import { cleanText } from "../plan/model/foreign-text.ts"
import { runCli } from "./run-cli.ts"
import { UsageError } from "./terminal/cli-error.ts"
import { processTerminal } from "./terminal/terminal.ts"

const INTERRUPTED = 130

/** The end of a reader, as in `… | head`: nobody is left to write to. */
function exitWhenUnread(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") process.exit(0)
  throw error
}

/** The one place of the command line where errors are caught: they are put into words, and into an exit code. */
async function main(): Promise<void> {
  const interrupt = new AbortController()
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => {
      if (interrupt.signal.aborted) process.exit(INTERRUPTED)
      interrupt.abort()
    })
  process.stdout.on("error", exitWhenUnread)
  let call = "opencode-boulder"
  try {
    const terminal = processTerminal(interrupt.signal)
    call = terminal.call
    process.exitCode = await runCli(process.argv.slice(2), terminal)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const isUsage = error instanceof UsageError
    const hint = isUsage ? `\nSee: ${call} --help` : ""
    process.stderr.write(`opencode-boulder: ${cleanText(message)}${hint}\n`)
    process.exitCode = isUsage ? 2 : 1
  }
}

await main()
