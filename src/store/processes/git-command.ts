// Runs one git command, without touching its index.
import { spawn } from "node:child_process"
import { lstat } from "node:fs/promises"
import { dirname, join } from "node:path"
import { lstat as lstatAtOnce, realpath } from "../disk/quick-files.ts"
import { isMissing } from "../disk/store-error.ts"

/** The output of a git command, or null if it fails, is missing, or runs out of time. */
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

/**
 * Whether git may find a repository from a folder, in it or above. If no folder has a `.git`, no process is needed to find that out. What
 * lies above the project may hang, so that is asked in a thread, as git would. True if it is still unknown when the time is up.
 */
export async function isInRepository(root: string, signal: AbortSignal): Promise<boolean> {
  if (process.env["GIT_DIR"] !== undefined || (await hasGit(root, lstatAtOnce))) return true
  const isLate = new Promise<true>((resolve) => {
    signal.addEventListener("abort", () => resolve(true), { once: true })
  })
  return Promise.race([hasGitAbove(await realpath(root).catch(() => root)), isLate])
}

async function hasGitAbove(folder: string): Promise<boolean> {
  const above: string[] = []
  for (let at = folder; at !== dirname(at); at = dirname(at)) above.push(dirname(at))
  return (await Promise.all(above.map((one) => hasGit(one, lstat)))).includes(true)
}

/** If we may not ask, git must say. */
function hasGit(folder: string, ask: (path: string) => Promise<unknown>): Promise<boolean> {
  return ask(join(folder, ".git")).then(
    () => true,
    (error: unknown) => !isMissing(error),
  )
}
