import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"

export type HostProcess = {
  readonly url: string
  readonly pid: number
  /** Ends the server and everything that it started. "graceful" sends SIGTERM first and gives it a moment. */
  stop(how?: "kill" | "graceful"): Promise<void>
}

const START_LIMIT_MS = 120_000
const GRACE_MS = 5_000

/**
 * Ends a process with everything that it started: the host gives each shell command a process group of its own. A process is stopped before
 * its children are listed, so that it starts no more of them. The script waits for the end of its input: `stop`, or the death of this process.
 */
const GUARD = `
end() {
  kill -s STOP "$1" 2>/dev/null
  for child in $(cat /proc/"$1"/task/*/children 2>/dev/null || pgrep -P "$1"); do end "$child"; done
  kill -s KILL "$1" 2>/dev/null
}
read -r _
end "$1"
`

/**
 * Starts `opencode serve` as the leader of its own process group. Whatever it prints goes to `onOutput`. If this process dies without
 * stopping it, a guard process ends it.
 */
export async function startHostProcess(
  binary: string,
  folders: { root: string; env: Readonly<Record<string, string>> },
  onOutput: (text: string) => void,
): Promise<HostProcess> {
  const child = spawn(
    binary,
    ["serve", "--port", "0", "--hostname", "127.0.0.1", "--print-logs", "--log-level", "INFO"],
    { cwd: folders.root, env: folders.env, detached: true, stdio: ["ignore", "pipe", "pipe"] },
  )
  const { pid } = child
  if (pid === undefined) throw new Error(`Could not start ${binary}`)
  const guard = startGuard(pid)
  const ended = once(child, "exit")
  child.stderr?.on("data", (chunk: Buffer) => onOutput(chunk.toString()))

  const stop: HostProcess["stop"] = async (how = "kill") => {
    if (how === "graceful" && child.exitCode === null) {
      child.kill("SIGTERM")
      await Promise.race([ended, limit(GRACE_MS)])
    }
    const guarded = once(guard, "exit")
    guard.stdin?.end()
    await Promise.all([ended, guarded])
  }
  try {
    return { url: await printedUrl(child, onOutput), pid, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The address that a server says it listens on. Rejects if the server ends, or says nothing for two minutes. */
export function printedUrl(
  child: ChildProcess,
  onOutput: (text: string) => void = () => undefined,
): Promise<string> {
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

function startGuard(pid: number): ChildProcess {
  const guard = spawn("sh", ["-c", GUARD, "sh", String(pid)], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  })
  guard.unref()
  return guard
}

function limit(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
}
