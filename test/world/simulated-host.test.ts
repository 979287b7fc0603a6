import { expect, test } from "bun:test"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import plugin from "../../src/index.ts"
import { planOf, ticked } from "../support/plans.ts"
import { withFolder } from "../support/store-folder.ts"
import type { Crossing, ModelAnswer } from "./host-core.ts"
import { HostDatabase, type Message } from "./host-database.ts"
import { SimulatedHost } from "./simulated-host.ts"

/** Delegates the next task, ticks it when it is back, and ends the turn. */
function orchestrator(before: Message | undefined, plan: string): ModelAnswer {
  const tool = before?.parts.find(({ type }) => type === "tool")?.tool
  if (tool === "edit") return { text: "One is done." }
  const next = plan.includes("[ ] 1.") ? "1" : "2"
  if (tool === "task") return { calls: [{ tool: "edit", args: { tick: next } }] }
  const args = { description: `todo:${next}`, prompt: "do it", subagent_type: "general" }
  return { calls: [{ tool: "task", args }] }
}

test("a plan of two tasks is carried to its end, by our prompts", () =>
  withFolder(async (root) => {
    const path = join(root, "plans/demo.md")
    await mkdir(join(root, "plans"))
    await writeFile(path, planOf("Write a", "Write b"))
    const seen: Crossing[] = []
    const host = new SimulatedHost({
      db: new HostDatabase(Date.now),
      directory: root,
      model: async ({ sessionId, agent }) =>
        agent === "general"
          ? { text: "It is done." }
          : orchestrator(host.db.messages(sessionId).at(-2), await readFile(path, "utf8")),
      runTool: async ({ args }) => {
        await writeFile(path, ticked(await readFile(path, "utf8"), String(args["tick"])))
        return "edited"
      },
      witness: (one) => seen.push(one),
    })
    await host.load(plugin, { continuation: { cooldown_seconds: 0 } })
    const lead = host.newSession()
    await host.command(lead.id, "start-work", "plans/demo.md")
    const isOver = () =>
      seen.some((one) => one.kind === "toast" && one.message.includes("complete: 2/2"))
    for (let tries = 0; tries < 200 && !isOver(); tries++) await Bun.sleep(20)
    await host.stop()
    expect(seen.filter(({ kind }) => kind === "prompt")).toHaveLength(1)
    expect(isOver()).toBe(true)
    expect(seen.filter(({ kind }) => kind === "hook-threw")).toEqual([])
  }))
