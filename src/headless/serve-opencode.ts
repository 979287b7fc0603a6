// Starts `opencode serve`, and ends it with everything it started.
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:net"
import process from "node:process"
import { setTimeout as sleep } from "node:timers/promises"
import { RunError } from "../opencode/host/http/run-error.ts"
import { FOR_ONE_PLAN, serverAccess, withPassword } from "../opencode/host/http/server-access.ts"
import { errnoOf } from "../store/disk/store-error.ts"

/** Without access to a registry, the host waits over a minute for one before it loads a plugin. */
const START_LIMIT_MS = 180_000
const GRACE_MS = 700
const KEPT_OUTPUT = 4_000
const LOOPBACK = "127.0.0.1"
/** Windows has no process groups: there only the server itself is ended. */
const HAS_GROUPS = process.platform !== "win32"

/**
 * Starts `opencode serve` on a free loopback port, protected by a password, as the leader of its own process group: a Ctrl-C in the
 * terminal reaches only us, and stopping also ends the host's children. `ended` resolves with its last lines of output, whoever ended it;
 * `stop` may be called twice. Throws a `RunError`, also if it is aborted before the server answers.
 */
export async function serveOpencode(options: {
  readonly binary: string
  readonly directory: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
}) {
  const { binary, directory, signal } = options
  const env = withPassword(options.env)
  const port = String(await freePort())
  const child = spawn(binary, ["serve", "--hostname", LOOPBACK, "--port", port], {
    cwd: directory,
    env: { ...env, [FOR_ONE_PLAN]: "1" },
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
    (error: unknown) =>
      errnoOf(error) === "ENOENT" ? "no such program" : `${printed}\n${String(error)}`,
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
    isAborted(signal).then(() => ({ output: "it was interrupted" })),
    sleep(START_LIMIT_MS, { output: `no address in ${START_LIMIT_MS / 1_000} s` }, { ref: false }),
  ])
  const access = "url" in found ? serverAccess(found.url, env) : null
  if (access !== null) return { access, ended, stop }
  if (child.pid !== undefined) await stop()
  throw new RunError(
    `Expected ${binary} serve to start; found: ${lastLines("output" in found ? found.output : printed)}. Install opencode (npm install -g opencode-ai), set OPENCODE_BIN to its path, or attach to a running server with --attach URL.`,
  )
}

function isAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener("abort", () => resolve(), { once: true })
  })
}

/** Asked for port 0, the host takes 4096 if that is free, a port that everybody knows. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, LOOPBACK)
  await once(server, "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  return typeof address === "object" ? (address?.port ?? 0) : 0
}

/** The last error of an output with the two lines behind it, or its last three lines, as one short line. */
export function lastLines(printed: string): string {
  const lines = printed.split("\n").flatMap((line) => line.trim() || [])
  const error = lines.findLastIndex((line) => /error:/i.test(line))
  const shown = error < 0 ? lines.slice(-3) : lines.slice(error, error + 3)
  return shown.length === 0 ? "it printed nothing" : shown.join(" | ").slice(0, 600)
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
 * Starts a shell that waits for the end of its input, which comes when this process ends, however it ends. A server left behind would
 * continue the work, and spend money, unseen.
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
