import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"

export type HostProcess = {
  readonly url: string
  readonly pid: number
  /** Ends the server and what it started. "graceful" sends SIGTERM first and gives it a moment. */
  stop(how?: "kill" | "graceful"): Promise<void>
}

const START_LIMIT_MS = 120_000
const GRACE_MS = 5_000

const running = new Set<number>()
process.on("exit", () => {
  for (const pid of running) killGroup(pid)
})

/**
 * Starts `opencode serve` as the leader of its own process group. Whatever it prints goes to `onOutput`. A guard
 * process kills the group and removes `root` if this process dies without stopping it.
 */
export async function startHostProcess(
  binary: string,
  folders: { root: string; project: string; env: Readonly<Record<string, string>> },
  onOutput: (text: string) => void,
): Promise<HostProcess> {
  const child = spawn(
    binary,
    ["serve", "--port", "0", "--hostname", "127.0.0.1", "--print-logs", "--log-level", "INFO"],
    { cwd: folders.project, env: folders.env, detached: true, stdio: ["ignore", "pipe", "pipe"] },
  )
  const { pid } = child
  if (pid === undefined) throw new Error(`Could not start ${binary}`)
  running.add(pid)
  const guard = startGuard(pid, folders.root)
  const ended = once(child, "exit").then(() => undefined)
  child.stderr?.on("data", (chunk: Buffer) => onOutput(chunk.toString()))

  const stop: HostProcess["stop"] = async (how = "kill") => {
    if (how === "graceful" && child.exitCode === null) {
      child.kill("SIGTERM")
      await Promise.race([ended, limit(GRACE_MS)])
    }
    killGroup(pid)
    await ended
    running.delete(pid)
    guard.kill("SIGKILL")
  }
  try {
    return { url: await printedUrl(child, onOutput), pid, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function printedUrl(child: ChildProcess, onOutput: (text: string) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = ""
    const timer = setTimeout(
      () => reject(new Error(`opencode printed no address in ${START_LIMIT_MS} ms`)),
      START_LIMIT_MS,
    )
    child.once("exit", (code, signal) => {
      clearTimeout(timer)
      reject(new Error(`opencode ended at its start (${signal ?? code})`))
    })
    child.stdout?.on("data", (chunk: Buffer) => {
      onOutput(chunk.toString())
      printed = (printed + chunk.toString()).slice(-4_000)
      const url = /listening on (http:\/\/\S+)\s/.exec(printed)?.[1]
      if (url === undefined) return
      clearTimeout(timer)
      resolve(url)
    })
  })
}

/** A shell that waits for the end of its input, which is the end of this process, however it ends. */
function startGuard(pid: number, root: string): ChildProcess {
  const guard = spawn(
    "sh",
    ["-c", 'read -r _; kill -s KILL -- "-$1"; sleep 0.2; rm -rf -- "$2"', "sh", String(pid), root],
    { detached: true, stdio: ["pipe", "ignore", "ignore"] },
  )
  guard.unref()
  return guard
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL")
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error
  }
}

function limit(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
}
