import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { mkdir, rename, writeFile } from "node:fs/promises"
import { basename, join } from "node:path"
import process from "node:process"
import { REPO } from "./host-version.ts"

export type WriterTask =
  | { kind: "write"; root: string; name: string; updates: number | null; acks: string }
  | { kind: "read"; root: string; stop: string }
  | { kind: "die"; root: string; name: string; at: number; when: "before" | "after" }

export type Runtime = "bun" | "node"

const BUNDLES = join(REPO, "node_modules", ".cache", "test-programs")
const PROGRAM = join(import.meta.dir, "store-writer-process.ts")

/** How to start a task of a program in each runtime, as one bundle: Node 20 reads no TypeScript, and a bundle starts sooner. */
export async function startPrograms<Task = WriterTask>(
  program = PROGRAM,
): Promise<(runtime: Runtime, task: Task) => Running> {
  const built = await Bun.build({ entrypoints: [program], target: "node" })
  const [bundle] = built.outputs
  if (bundle === undefined) throw new Error(`Expected a bundle, not: ${built.logs.join("; ")}`)
  // One file for all test files, put in place whole, since another test may be starting it.
  const path = join(BUNDLES, `${basename(program, ".ts")}.mjs`)
  const aside = `${path}.${process.pid}`
  await mkdir(BUNDLES, { recursive: true })
  await writeFile(aside, await bundle.text())
  await rename(aside, path)
  return (runtime, task) => {
    const command = runtime === "bun" ? process.execPath : "node"
    return follow(spawn(command, [path, JSON.stringify(task)], { stdio: "pipe" }))
  }
}

export interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<{ code: number | null; signal: string | null; out: string; err: string }>
}

/** Collects what a process prints until it ends. */
export function follow(child: ChildProcess): Running {
  let out = ""
  let err = ""
  child.stdout?.on("data", (chunk) => {
    out += chunk
  })
  child.stderr?.on("data", (chunk) => {
    err += chunk
  })
  const ended = new Promise<{
    code: number | null
    signal: string | null
    out: string
    err: string
  }>((resolve, reject) => {
    child.on("error", reject)
    child.on("close", (code, signal) => resolve({ code, signal, out, err }))
  })
  return { child, ended }
}

/** The revisions that a writer has noted as acknowledged, in order. */
export function acknowledged(acks: string): number[] {
  if (!existsSync(acks)) return []
  return readFileSync(acks, "utf8").split("\n").filter(Boolean).map(Number)
}
