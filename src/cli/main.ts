#!/usr/bin/env node
// The entry point of the command line.
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
/**
 * A second signal that comes later than this, in ms, means that the user waits no longer. When a terminal closes, both the system and the
 * shell signal at once.
 */
const AT_ONCE_MS = 1_000

/** What a write fails with when nobody reads any more: after `… | head`, or in a closed terminal. */
const UNREAD: ReadonlySet<string | undefined> = new Set(["EPIPE", "EIO"])

/** What is used if the terminal's state cannot be found out, for example in a folder that was deleted. */
const BARE: Pick<Terminal, "call" | "err"> = {
  call: "opencode-boulder",
  err: (text) => void process.stderr.write(text),
}

/** The only place in the command line that catches errors: it turns them into words and an exit code. */
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
  // A run still has to end its work.
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
 * Node 22.1 and later keep compiled code and start faster with it. It goes into the user's own cache folder if there is one, since anybody
 * can write to the temporary folder.
 */
function keepCompiled(): void {
  const caches = cacheFolder(process.env)
  if (existsSync(caches)) module.enableCompileCache?.(join(caches, "opencode-boulder"))
}

/** The newest Node that this was tried in: V8 writes a line to stderr about a flag that it does not know. */
const TRIED_NODE = 26

/**
 * V8 compiles a pattern for its interpreter, and again on its second use. Our patterns are long lists of words, each used only a few times:
 * when compiled once, the first reading of a usual plan takes less than half the time.
 */
function compilePatternsOnce(): void {
  if (Number.parseInt(process.versions.node, 10) <= TRIED_NODE)
    setFlagsFromString("--no-regexp-tier-up")
}

compilePatternsOnce()
keepCompiled()
await main()
