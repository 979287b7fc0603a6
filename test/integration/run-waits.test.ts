// What a run waits for before it ends its server: a turn that runs, and a subagent in the background.
import { afterEach, expect, test } from "bun:test"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { ModelRequest } from "../support/host-model-request.ts"
import { planOf } from "../support/plans.ts"
import { isPrinted, openRunProject } from "../support/run-project.ts"
import type { Reply } from "../support/scripted-model.ts"

const LIMIT_MS = 120_000
const PATH = ".boulder/plans/demo.md"

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const call = (more: object = {}): Reply => ({
  toolCalls: [
    {
      name: "task",
      args: { description: "todo:1 Write a", prompt: "do it", subagent_type: "general", ...more },
    },
  ],
})
const OVER: Reply = { text: "over" }

/** A subagent that takes seconds until it has written `result.txt`; its lead does these, one after the other. */
function slowChild(...steps: (() => Reply)[]) {
  return (request: ModelRequest): Reply | undefined => {
    if (request.kind !== "main") return undefined
    if (request.toolNames.includes("task")) return steps.shift()?.() ?? OVER
    const args = { filePath: "result.txt", content: "work\n" }
    return request.stepOfTurn === 0
      ? { delayMs: 5_000, toolCalls: [{ name: "write", args }] }
      : { text: "Done." }
  }
}

test(
  "a turn that runs is finished behind a stop",
  async () => {
    const script = slowChild(() => call())
    const place = await openRunProject({ path: PATH, text: planOf("Write a", "Write b") }, ends, {
      script,
    })
    const { child, exit } = place.spawnCli("run", "demo")
    await isPrinted(child, "-> todo:1")
    expect((await place.cli("stop")).out).toContain("A running turn finishes")
    expect((await exit).code).toBe(3)
    expect(existsSync(join(place.project, "result.txt"))).toBe(true)
  },
  LIMIT_MS,
)

test(
  "a subagent in the background is waited for, though its task is ticked",
  async () => {
    const tick = (): Reply => {
      const file = join(place.project, PATH)
      writeFileSync(file, readFileSync(file, "utf8").replace("[ ] 1", "[x] 1"))
      return OVER
    }
    const place = await openRunProject({ path: PATH, text: planOf("Write a") }, ends, {
      env: { OPENCODE_EXPERIMENTAL_BACKGROUND_SUBAGENTS: "true" },
      script: slowChild(() => call({ background: true }), tick),
    })
    const { code, out } = await place.cli("run", "demo")
    expect(out).toContain("-> todo:1")
    expect(code).toBe(0)
    expect(existsSync(join(place.project, "result.txt"))).toBe(true)
  },
  LIMIT_MS,
)
