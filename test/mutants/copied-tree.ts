/** A copy of this tree in which sources are changed, and programs that run in it within limits. */
import { execFileSync, spawn } from "node:child_process"
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import process from "node:process"
import { REPO } from "../support/host-version.ts"
import { temporaryFolder } from "../support/temporary-folder.ts"
import type { Runner } from "./covering-tests.ts"

/** A program that has not ended by then waits for what never comes. */
const LIMIT_MS = 30 * 60_000
/** Far above what all fast tests need: one mutant took 19 GB. */
const MEMORY_KB = 4 * 1024 ** 2

/** The files of the tree as they are now, in a repository of its own; modules and build are linked. It goes with this process. */
export function copyTree(): string {
  const target = temporaryFolder("mutants")
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1))
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], {
    cwd: REPO,
    encoding: "utf8",
  })
  for (const file of listed.split("\n").filter((name) => name !== "")) {
    if (!existsSync(join(REPO, file))) continue
    mkdirSync(dirname(join(target, file)), { recursive: true })
    cpSync(join(REPO, file), join(target, file))
  }
  for (const folder of ["node_modules", "dist"])
    symlinkSync(join(REPO, folder), join(target, folder))
  execFileSync("git", ["init", "-q"], { cwd: target })
  execFileSync("git", ["add", "-A"], { cwd: target })
  return target
}

/** Runs installed programs in the copy, with their files in memory where the machine has room for that. */
export function runIn(copy: string): Runner {
  const temp = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "boulder-"))
  process.on("exit", () => rmSync(temp, { recursive: true, force: true }))
  return (name, args, { cpuMs, env = {} } = {}) =>
    new Promise((resolve) => {
      const cpu = cpuMs === undefined ? "" : `ulimit -t ${Math.ceil(cpuMs / 1000)};`
      const limited = `ulimit -d ${MEMORY_KB};${cpu}exec "$@"`
      const program = join(REPO, "node_modules", ".bin", name)
      const child = spawn("sh", ["-c", limited, "sh", program, ...args], {
        cwd: copy,
        env: { ...process.env, TMPDIR: temp, ...env },
        detached: true,
        stdio: ["ignore", "pipe", "pipe"],
      })
      let output = ""
      const keep = (chunk: Buffer) => {
        output += chunk.toString()
      }
      child.stdout.on("data", keep)
      child.stderr.on("data", keep)
      const end = () => {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL")
      }
      const timer = setTimeout(end, LIMIT_MS)
      process.once("exit", end)
      child.on("close", (code) => {
        clearTimeout(timer)
        process.off("exit", end)
        resolve({ ok: code === 0, output })
      })
    })
}
