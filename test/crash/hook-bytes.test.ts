import { expect, test } from "bun:test"
import { spawn } from "node:child_process"
import { join } from "node:path"
import process from "node:process"
import type { History, HookBytes } from "../support/plugin-bytes.ts"
import { noteFigure } from "../support/store-figures.ts"
import { withFolder } from "../support/store-folder.ts"
import { follow } from "../support/store-processes.ts"

type Past = Omit<History, "root">

const PROGRAM = join(import.meta.dir, "..", "support", "plugin-bytes.ts")
/**
 * All at the same place in a shard, its sixth task: the sessions of a shard's settled tasks leave together when it
 * closes, so that within a shard the state grows by as many records, at any size of the plan.
 */
const SMALL: Past = { tasks: 10, settled: 5, delegated: 5, sessions: 1, works: 1, handoffs: 1 }
const LARGER: readonly Past[] = [
  { ...SMALL, tasks: 1_000, settled: 497, delegated: 497 },
  { ...SMALL, tasks: 10_000, settled: 4_997 },
  { ...SMALL, sessions: 1_000 },
  { ...SMALL, works: 1_000 },
  { ...SMALL, handoffs: 1_000 },
]

/** The kernel's counts of a process are Linux's. */
const onLinux = test.skipIf(process.platform !== "linux")

onLinux(
  "the bytes of the hooks stay constant: 10 to 10,000 tasks, 1 to 1,000 past sessions, works and handoffs",
  async () => {
    const small = await bytesAfter(SMALL)
    noteFigure(`bytes of the hooks: ${inWords(SMALL)}`, inFigures(small))
    const larger = await Promise.all(
      LARGER.map(async (past) => ({ past, bytes: await bytesAfter(past) })),
    )
    for (const { past, bytes } of larger) {
      noteFigure(`bytes of the hooks: ${inWords(past)}`, inFigures(bytes))
      for (const hook of ["task", "idle"] as const)
        for (const way of ["read", "written"] as const) {
          const ratio = bytes[hook][way] / small[hook][way]
          expect(`${inWords(past)}: ${hook} ${way} ${within(ratio)}`).toEndWith("within 10 %")
        }
    }
  },
  600_000,
)

function within(ratio: number): string {
  return Math.abs(ratio - 1) <= 0.1 ? "within 10 %" : `× ${ratio.toFixed(2)}`
}

function bytesAfter(past: Past): Promise<HookBytes> {
  return withFolder(async (root) => {
    const task = JSON.stringify({ root, ...past })
    const { code, out, err } = await follow(
      spawn(process.execPath, [PROGRAM, task], { stdio: "pipe" }),
    ).ended
    expect({ code, err }).toEqual({ code: 0, err: "" })
    return JSON.parse(out)
  })
}

function inWords({ tasks, settled, delegated, sessions, works, handoffs }: Past): string {
  const past = `sessions ${sessions}, works ${works}, open handoffs ${handoffs}`
  return `${tasks} tasks, ${settled} settled, ${delegated} of them delegated; in the past: ${past}`
}

function inFigures({ task, idle }: HookBytes): string {
  return `\`task\` before + after: ${task.read} read, ${task.written} written; an idle that continues: ${idle.read} read, ${idle.written} written`
}
