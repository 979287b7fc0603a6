// Runs a program of the user's that gets a text on its stdin, and waits for no more than its end.
import { spawn } from "node:child_process"
import process from "node:process"

/** Windows has no process groups: there the program alone is ended, and by us alone. */
const HAS_GROUPS = process.platform !== "win32"
/** For the shell: waits so many seconds, then ends the process group of that program, if the program itself still runs. */
const END_LATER = 'sleep "$1"; kill -0 "$2" && kill -9 "-$2"'
/** A second behind our own limit. */
const LATER_S = 1

/**
 * Runs a program in a process group of its own, without a shell, with `input` on its stdin; what it prints goes
 * nowhere. It is ended with all that it has started behind `limitMs`, a second later where this process has ended by then.
 * Gives what has gone wrong, null where nothing has; never rejects, and keeps no process alive.
 */
export function runProgram(
  [program = "", ...args]: readonly string[],
  input: string,
  { cwd, limitMs }: { readonly cwd: string; readonly limitMs: number },
): Promise<string | null> {
  return new Promise((resolve) => {
    let end = (): void => undefined
    try {
      const child = spawn(program, args, {
        cwd,
        detached: HAS_GROUPS,
        stdio: ["pipe", "ignore", "ignore"],
        windowsHide: true,
      })
      child.unref()
      const timer = setTimeout(() => {
        endGroup(child.pid, () => child.kill("SIGKILL"))
        over(`it has not ended within ${limitMs / 1_000} s`)
      }, limitMs)
      timer.unref()
      const cancelEnd = endLater(child.pid, limitMs / 1_000 + LATER_S)
      end = () => {
        clearTimeout(timer)
        cancelEnd()
      }
      const over = (problem: string | null): void => {
        end()
        resolve(problem)
      }
      child.on("error", (error) => over(error.message))
      child.on("close", (code, signal) =>
        over(code === 0 ? null : `it has ended with ${code ?? signal}`),
      )
      // It need not read what it is given.
      child.stdin.on("error", () => undefined)
      child.stdin.end(input)
    } catch (error) {
      end()
      resolve(error instanceof Error ? error.message : String(error))
    }
  })
}

/**
 * Has a process of its own end a group behind so many seconds: a `run` stops opencode, and with it our timer, while the
 * program of its last notification runs on. Gives what calls it off; best effort, as where there is no `sh`.
 */
function endLater(pid: number | undefined, seconds: number): () => void {
  if (pid === undefined || !HAS_GROUPS) return () => undefined
  const args = ["-c", END_LATER, "sh", String(seconds), String(pid)]
  const ending = spawn("sh", args, { detached: true, stdio: "ignore" })
  ending.on("error", () => undefined)
  ending.unref()
  return () => endGroup(ending.pid, () => ending.kill("SIGKILL"))
}

function endGroup(pid: number | undefined, alone: () => void): void {
  if (pid === undefined || !HAS_GROUPS) {
    alone()
    return
  }
  try {
    process.kill(-pid, "SIGKILL")
  } catch {
    // It is gone (ESRCH); or is not all ours to end (EPERM: what it has started by sudo, say), and this runs in a timer.
    alone()
  }
}
