// Runs one git command, without touching its index.
import { spawn } from "node:child_process"

/** The output of a git command, or null when it fails, is missing, or runs out of time. */
export function git(
  root: string,
  signal: AbortSignal,
  args: readonly string[],
): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const child = spawn("git", ["-C", root, "-c", "core.fsmonitor=false", ...args], {
      signal,
      stdio: ["ignore", "pipe", "ignore"],
      env: { ...process.env, GIT_OPTIONAL_LOCKS: "0" },
    })
    const chunks: Buffer[] = []
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk))
    child.on("error", () => resolve(null))
    child.on("close", (code) => resolve(code === 0 ? Buffer.concat(chunks) : null))
  })
}
