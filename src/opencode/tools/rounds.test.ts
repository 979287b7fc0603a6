import { expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { LEAD } from "../../../test/support/builders.ts"
import { planOf, ticked } from "../../../test/support/plans.ts"
import { openPlugin, type PluginInProcess } from "../../../test/support/plugin-in-process.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import { openJournal } from "../../store/records/journal.ts"
import { readOptions } from "../host/options.ts"

const PLAN = "plans/demo.md"
const FIVE = planOf("Write a", "Write b", "Write c", "Write d", "Write e")
const FULL = 150_000

interface Scene {
  readonly plugin: PluginInProcess
  readonly write: (plan: string) => Promise<void>
  /** How often the journal says that a round has ended. */
  readonly ends: () => Promise<number>
}

function withLead(run: (scene: Scene) => Promise<void>, options: object = {}): Promise<void> {
  return withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    const write = (plan: string) => writeFile(join(root, PLAN), plan)
    await write(FIVE)
    const plugin = openPlugin(root, readOptions(options))
    await plugin.say(LEAD, await plugin.startWork(LEAD, PLAN))
    const ends = async () => {
      const { entries } = await openJournal({ root }).readLast(99)
      return entries.filter(({ decision }) => decision === "end-round").length
    }
    await run({ plugin, write, ends })
    expect(plugin.logs).toEqual([])
    await plugin.hooks.dispose?.()
  })
}

test.each([
  { tool: "bash", args: { command: "ls" }, is: "hard limit" },
  { tool: "task", args: { description: "todo:2", prompt: "do it" }, is: "hard limit" },
  { tool: "save_task_progress", args: {}, is: "done" },
  { tool: "question", args: {}, is: "done" },
  {
    tool: "edit",
    args: { filePath: PLAN, oldString: "- [ ] 1. Write a", newString: "- [x] 1. Write a" },
    is: "done",
  },
])("$tool beyond the hard limit: $is", ({ tool, args, is }) =>
  withLead(async ({ plugin }) => {
    await plugin.tellTokens(LEAD, FULL)
    expect(await plugin.use(LEAD, tool, args)).toContain(is)
  }),
)

test("a refusal at the hard limit has ended the round, with its checkpoint", () =>
  withLead(async ({ plugin, ends }) => {
    await plugin.tellTokens(LEAD, FULL)
    await plugin.use(LEAD, "bash")
    expect(await ends()).toBe(1)
  }))

test.each([
  {
    name: "a turn that the user has begun",
    before: (plugin: PluginInProcess) => plugin.say(LEAD, "hm"),
  },
  {
    name: "another session",
    before: (plugin: PluginInProcess) => plugin.tellTokens("ses_other", FULL),
    sessionId: "ses_other",
  },
  {
    name: "long_run off",
    before: async () => undefined,
    options: { long_run: { enabled: false } },
  },
])("$name has no hard limit", ({ before, sessionId = LEAD, options = {} }) =>
  withLead(async ({ plugin, ends }) => {
    await before(plugin)
    await plugin.tellTokens(LEAD, FULL)
    expect(await plugin.use(sessionId, "bash")).not.toContain("hard limit")
    expect(await ends()).toBe(0)
  }, options),
)

test("tools of one message that come back at once end a round once", () =>
  withLead(async ({ plugin, write, ends }) => {
    await write(["1", "2", "3"].reduce(ticked, FIVE))
    const said = await Promise.all(["bash", "grep", "read"].map((tool) => plugin.use(LEAD, tool)))
    expect(said.filter((text) => text.includes("End this turn"))).toHaveLength(1)
    expect(await ends()).toBe(1)
  }))

test("tasks that are opened again end no round, and what is settled behind them counts anew", () =>
  withLead(async ({ plugin, write, ends }) => {
    const look = async (...labels: readonly string[]) => {
      await write(labels.reduce(ticked, FIVE))
      await Bun.sleep(120)
      await plugin.use(LEAD, "bash")
      return ends()
    }
    expect([await look("1", "2"), await look("1"), await look("1", "2")]).toEqual([0, 0, 0])
    expect(await look("1", "2", "3")).toBe(1)
  }))
