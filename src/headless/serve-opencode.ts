import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import process from "node:process"
import { setTimeout as sleep } from "node:timers/promises"
import { RunError } from "./run-error.ts"

/** An opencode server that we have started and that we stop. */
export interface ServedOpencode {
  readonly url: string
  /** Resolves with the last lines that it printed when it ends, whoever ended it. */
  readonly ended: Promise<string>
  /** Ends it and all that it has started; safe to call twice. */
  stop(): Promise<void>
}

/** Without a registry the host waits over a minute for one before it loads a plugin. */
const START_LIMIT_MS = 180_000
const GRACE_MS = 3_000
const KEPT_OUTPUT = 4_000
/** Windows has no process groups: there the server alone is ended. */
const HAS_GROUPS = process.platform !== "win32"

/**
 * Starts `opencode serve` on a free port of loopback, as the leader of a process group of its own: a Ctrl-C in the
 * terminal reaches us alone, and stopping takes the host's children with it. Throws a `RunError`.
 */
export async function serveOpencode(options: {
  readonly binary: string
  readonly directory: string
  readonly env: Readonly<Record<string, string | undefined>>
}): Promise<ServedOpencode> {
  const { binary, directory, env } = options
  const child = spawn(binary, ["serve", "--hostname", "127.0.0.1", "--port", "0"], {
    cwd: directory,
    env: { ...env },
    detached: HAS_GROUPS,
    stdio: ["ignore", "pipe", "pipe"],
  })
  const guard = startGuard(child)
  let printed = ""
  const keep = (chunk: Buffer): void => {
    printed = (printed + chunk.toString()).slice(-KEPT_OUTPUT)
  }
  child.stdout.on("data", keep)
  child.stderr.on("data", keep)
  const ended = once(child, "close").then(
    () => printed,
    (error: unknown) => `${printed}\n${String(error)}`,
  )
  const onExit = (): void => signalGroup(child, "SIGKILL")
  process.on("exit", onExit)
  const stop = async (): Promise<void> => {
    signalGroup(child, "SIGTERM")
    await Promise.race([ended, sleep(GRACE_MS, undefined, { ref: false })])
    signalGroup(child, "SIGKILL")
    await ended
    guard?.kill("SIGKILL")
    process.off("exit", onExit)
  }
  const found = await Promise.race([
    printedUrl(child).then((url) => ({ url })),
    ended.then((output) => ({ output })),
    sleep(START_LIMIT_MS, { output: `no address in ${START_LIMIT_MS / 1_000} s` }, { ref: false }),
  ])
  if ("url" in found) return { url: found.url, ended, stop }
  if (child.pid !== undefined) await stop()
  throw new RunError(
    `Expected ${binary} serve to start; found: ${lastLines(found.output)}. Install opencode (npm install -g opencode-ai), set OPENCODE_BIN to its path, or attach to a running server with --attach URL.`,
  )
}

/** The last lines of an output, as one short line. */
export function lastLines(printed: string): string {
  const lines = printed.trim().split("\n").slice(-3).join(" | ")
  return lines === "" ? "it printed nothing" : lines.slice(-600)
}

function printedUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let printed = ""
    const look = (chunk: Buffer): void => {
      printed = (printed + chunk.toString()).slice(-KEPT_OUTPUT)
      const url = /listening on (https?:\/\/[^\s]+)\s/.exec(printed)?.[1]
      if (url === undefined) return
      child.stdout?.off("data", look)
      resolve(url)
    }
    child.stdout?.on("data", look)
  })
}

/**
 * A shell that waits for the end of its input, which is the end of this process however it ends: a server left
 * behind would go on with the work, and with its costs, unseen.
 */
function startGuard({ pid }: ChildProcess): ChildProcess | null {
  if (!HAS_GROUPS || pid === undefined) return null
  const guard = spawn("sh", ["-c", 'read -r _; kill -s KILL -- "-$1"', "sh", String(pid)], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  })
  guard.on("error", () => undefined)
  guard.unref()
  return guard
}

function signalGroup(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): void {
  if (child.pid === undefined) return
  if (!HAS_GROUPS) {
    child.kill(signal)
    return
  }
  try {
    process.kill(-child.pid, signal)
  } catch (error) {
    const isGone = error instanceof Error && "code" in error && error.code === "ESRCH"
    if (!isGone) throw error
  }
}
