import { expect, test } from "bun:test"
import { spawn } from "node:child_process"
import { join } from "node:path"
import process from "node:process"
import type { History, HookBytes } from "../support/plugin-bytes.ts"
import { noteFigure } from "../support/store-figures.ts"
import { withFolder } from "../support/store-folder.ts"
import { follow } from "../support/store-processes.ts"

const PROGRAM = join(import.meta.dir, "..", "support", "plugin-bytes.ts")
const SMALL = { tasks: 10, delegated: 0, sessions: 1, works: 1 }
const LARGER: readonly Omit<History, "root">[] = [
  { tasks: 1_000, delegated: 0, sessions: 1, works: 1 },
  { tasks: 10_000, delegated: 0, sessions: 1, works: 1 },
  { tasks: 10, delegated: 0, sessions: 1_000, works: 1 },
  { tasks: 10, delegated: 0, sessions: 1, works: 1_000 },
  { tasks: 1_000, delegated: 500, sessions: 1_000, works: 1 },
]

/** The kernel's counts of a process are Linux's. */
const onLinux = test.skipIf(process.platform !== "linux")

onLinux(
  "the bytes of the hooks stay constant: 10 to 10,000 tasks, 1 to 1,000 past sessions and works",
  async () => {
    const small = await bytesAfter(SMALL)
    noteFigure(`bytes of the hooks: ${inWords(SMALL)}`, inFigures(small))
    for (const history of LARGER) {
      const bytes = await bytesAfter(history)
      noteFigure(`bytes of the hooks: ${inWords(history)}`, inFigures(bytes))
      for (const hook of ["task", "idle"] as const)
        for (const way of ["read", "written"] as const) {
          const ratio = bytes[hook][way] / small[hook][way]
          expect(`${inWords(history)}: ${hook} ${way} ${within(ratio)}`).toEndWith("within 10 %")
        }
    }
  },
  240_000,
)

function within(ratio: number): string {
  return Math.abs(ratio - 1) <= 0.1 ? "within 10 %" : `× ${ratio.toFixed(2)}`
}

function bytesAfter(history: Omit<History, "root">): Promise<HookBytes> {
  return withFolder(async (root) => {
    const task = JSON.stringify({ root, ...history })
    const { code, out, err } = await follow(
      spawn(process.execPath, [PROGRAM, task], { stdio: "pipe" }),
    ).ended
    expect({ code, err }).toEqual({ code: 0, err: "" })
    return JSON.parse(out)
  })
}

function inWords({ tasks, delegated, sessions, works }: Omit<History, "root">): string {
  const past = delegated === 0 ? "" : `, ${delegated} delegated before`
  return `${tasks} tasks${past}, past sessions ${sessions}, past works ${works}`
}

function inFigures({ task, idle }: HookBytes): string {
  return `\`task\` before + after: ${task.read} read, ${task.written} written; an idle that goes on: ${idle.read} read, ${idle.written} written`
}
