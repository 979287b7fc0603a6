import { expect, test } from "bun:test"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Work } from "../../src/boulder/boulder.ts"
import { readOptions } from "../../src/opencode/host/options.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { CHILD, LEAD } from "../support/builders.ts"
import { runInFolder } from "../support/cli-in-process.ts"
import { planOf } from "../support/plans.ts"
import { openPlugin, type PluginInProcess } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const PLAN = "plans/demo.md"
const OTHER = "ses_other"
const TWO = planOf("Write a", "Write b")
const MOVED = planOf("New", "Write a", "Write b")

const workIn = async (root: string, name = "demo"): Promise<Work> => {
  const { boulder } = await openFileBoulderStore({ root }).read()
  const work = Object.values(boulder?.works ?? {}).find((one) => one.plan_name === name)
  if (work === undefined) throw new Error("no work")
  return work
}
function scene(
  run: (plugin: PluginInProcess, root: string) => Promise<void>,
  options: object = {},
) {
  return withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, PLAN), TWO)
    const given = { continuation: { cooldown_seconds: 0 }, ...options }
    const plugin = openPlugin(root, readOptions(given))
    await plugin.startWork(LEAD, PLAN)
    await run(plugin, root)
    await plugin.hooks.dispose?.()
  })
}
const told = (plugin: PluginInProcess, type: string, properties: object) =>
  plugin.hooks.event?.({ event: { type, properties } as never })

const save = (plugin: PluginInProcess, sessionID: string, given: object) =>
  plugin.hooks.tool?.["save_task_progress"]?.execute(
    given as never,
    { sessionID, agent: "general" } as never,
  )

test("a subagent that is spoken to again after its call, its task renumbered meanwhile, ticks its own", () =>
  scene(async (plugin, root) => {
    await plugin.delegate({ lead: LEAD, key: "todo:1", child: CHILD })
    await writeFile(join(root, PLAN), MOVED)
    await save(plugin, CHILD, { summary: "wrote a", status: "complete" })
    expect(await readFile(join(root, PLAN), "utf8")).not.toContain("[x] 1. New")
  }))

test("the prompt of a compaction names a renumbered task's session under its new key", () =>
  scene(async (plugin, root) => {
    await plugin.delegate({ lead: LEAD, key: "todo:1", child: CHILD })
    await writeFile(join(root, PLAN), MOVED)
    const output: { context: string[]; prompt?: string } = { context: [] }
    await plugin.hooks["experimental.session.compacting"]?.({ sessionID: LEAD }, output)
    const line = output.prompt?.split("\n").filter((one) => one.includes(CHILD)) ?? []
    expect(line.join("\n")).toContain("todo:2")
  }))

test("unblock of a renumbered task forgets its own block and no other's", () =>
  scene(async (plugin, root) => {
    const save = (task: string) =>
      plugin.hooks.tool?.["save_task_progress"]?.execute(
        { summary: "s", status: "blocked", blocked_reason: "no key", task } as never,
        { sessionID: LEAD, agent: "build" } as never,
      )
    await save("todo:1")
    await save("todo:2")
    const before = (await workIn(root)).blocked
    const text = await readFile(join(root, PLAN), "utf8")
    const moved = text
      .replace("2. Write b", "3. Write b")
      .replace("1. Write a", "2. Write a")
      .replace(/(- \[.\] 2\. Write a)/, "- [ ] 1. New\n$1")
    await writeFile(join(root, PLAN), moved)
    await runInFolder(root, "unblock todo:2 demo")
    await plugin.use(LEAD, "bash")
    const { blocked } = await workIn(root)
    expect(Object.entries(blocked)).toEqual([["todo:3", before["todo:2"] ?? ""]])
  }))

test("a host's wait of a former lead is none of the work's that another leads", () =>
  scene(async (plugin, root) => {
    await plugin.startWork(OTHER, PLAN)
    await told(plugin, "session.status", {
      sessionID: LEAD,
      status: { type: "retry", attempt: 1, message: "limit", next: Date.now() + 3_600_000 },
    })
    expect((await workIn(root)).limited).toBeNull()
  }))

test("behind a write that has happened nothing is refused", () =>
  scene(
    async (plugin, root) => {
      await runInFolder(root, "stop demo")
      const call = { tool: "write", sessionID: LEAD, callID: "call_w" }
      const args = { filePath: "src/a.ts", content: "a" }
      await plugin.hooks["tool.execute.before"]?.(call, { args })
      await runInFolder(root, "resume demo")
      const result = { title: "", output: "Wrote file successfully.", metadata: {} }
      const thrown = await plugin.hooks["tool.execute.after"]?.({ ...call, args }, result).then(
        () => null,
        (error: unknown) => String(error),
      )
      expect(thrown ?? null).toBeNull()
    },
    { orchestrator_writes: "block" },
  ))
