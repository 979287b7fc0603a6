// Runs a program of the user that gets a text on its stdin, and waits only for its end.

import { spawn } from "node:child_process"
import process from "node:process"
import { messageOf } from "../disk/store-error.ts"

/** Windows has no process groups: there only the program itself is ended, and only by us. */
const HAS_GROUPS = process.platform !== "win32"
/** For the shell: waits this many seconds, then ends the program's process group if the program still runs. */
const END_LATER = 'sleep "$1"; kill -0 "$2" && kill -9 "-$2"'
/** A second after our own limit. */
const LATER_S = 1

/**
 * Runs a program in its own process group, without a shell, with `input` on its stdin; its output goes nowhere. It is ended with everything
 * it started after `limitMs`, or a second later if this process has ended by then. Returns what went wrong, or null; never rejects, and
 * keeps no process alive.
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
      // It need not read its input.
      child.stdin.on("error", () => undefined)
      child.stdin.end(input)
    } catch (error) {
      end()
      resolve(messageOf(error))
    }
  })
}

/**
 * Makes a separate process end a group after this many seconds: a `run` stops opencode, and with it our timer, while the program of its
 * last notification still runs. Returns a function that cancels it; best effort, for example without a `sh`.
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
    // It is gone (ESRCH), or not everything is ours to end (EPERM, for example after sudo), and this runs in a timer.
    alone()
  }
}
