#!/usr/bin/env node
// The entry of the command line.
import { existsSync } from "node:fs"
import module from "node:module"
import { join } from "node:path"
import process from "node:process"
import { setFlagsFromString } from "node:v8"
import { cleanText } from "../plan/model/foreign-text.ts"
import { cacheFolder } from "./project/home-folder.ts"
import { runCli } from "./run-cli.ts"
import { isCommandName } from "./table/command-table.ts"
import { asCalled } from "./terminal/as-called.ts"
import { UsageError } from "./terminal/cli-error.ts"
import { processTerminal, type Terminal } from "./terminal/terminal.ts"

const INTERRUPTED = 130
/** A second signal later than this is of who waits no longer, in ms: the end of a terminal is told by the system and by the shell. */
const AT_ONCE_MS = 1_000

/** What writing gives where nobody is left to read: behind `… | head`, and in a terminal that was closed. */
const UNREAD: ReadonlySet<string | undefined> = new Set(["EPIPE", "EIO"])

/** What is left where the terminal cannot be looked at, as in a folder that is gone. */
const BARE: Pick<Terminal, "call" | "err"> = {
  call: "opencode-boulder",
  err: (text) => void process.stderr.write(text),
}

/** The one place of the command line where errors are caught: they are put into words, and into an exit code. */
async function main(): Promise<void> {
  const interrupt = new AbortController()
  let [isTold, isLate] = [false, false]
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => {
      if (isLate) process.exit(INTERRUPTED)
      if (isTold) return
      isTold = true
      interrupt.abort()
      setTimeout(() => {
        isLate = true
      }, AT_ONCE_MS).unref()
    })
  // A run has to end its work yet.
  const endUnread = (error: NodeJS.ErrnoException): void => {
    if (!UNREAD.has(error.code) && !interrupt.signal.aborted) throw error
    interrupt.abort()
  }
  for (const stream of [process.stdout, process.stderr]) stream.on("error", endUnread)
  let terminal: Pick<Terminal, "call" | "err"> = BARE
  const args = process.argv.slice(2)
  const known = args.slice(0, 1).filter(isCommandName)
  try {
    const whole = processTerminal(interrupt.signal)
    terminal = whole
    process.exitCode = await runCli(args, whole)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const isUsage = error instanceof UsageError
    const hint = isUsage ? `\nSee: ${[terminal.call, ...known, "--help"].join(" ")}` : ""
    terminal.err(`opencode-boulder: ${asCalled(cleanText(message), terminal.call)}${hint}\n`)
    process.exitCode = isUsage ? 2 : 1
  }
}

/**
 * Node from 22.1 on keeps what it has compiled, and starts sooner with it: in the user's own folder for such things, where there is one. The
 * folder for temporary files is anybody's.
 */
function keepCompiled(): void {
  const caches = cacheFolder(process.env)
  if (existsSync(caches)) module.enableCompileCache?.(join(caches, "opencode-boulder"))
}

/** The newest Node in which this was tried: V8 writes a line to stderr about a flag that it does not know. */
const TRIED_NODE = 26

/**
 * V8 compiles a pattern for its interpreter, and anew when it is asked a second time. Ours are long lists of words, each asked a few
 * times: compiled once, a plan of the usual kind is read for the first time in less than half the time.
 */
function compilePatternsOnce(): void {
  if (Number.parseInt(process.versions.node, 10) <= TRIED_NODE)
    setFlagsFromString("--no-regexp-tier-up")
}

compilePatternsOnce()
keepCompiled()
await main()
