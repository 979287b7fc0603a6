import { describe, expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { LEAD } from "../../../test/support/builders.ts"
import { planOf, ticked } from "../../../test/support/plans.ts"
import { openPlugin, type PluginInProcess } from "../../../test/support/plugin-in-process.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import { openFileBoulderStore } from "../../store/revisions/file-boulder-store.ts"
import { readOptions } from "../host/options.ts"

test("a work whose lead works on it right now is not taken over", () =>
  withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, "plans/demo.md"), planOf("Write a"))
    let busy = new Set([LEAD])
    const { startWork, hooks } = openPlugin(root, {}, { busySessions: async () => busy })
    await startWork(LEAD, "demo")
    const begun = await startWork(LEAD, "plans/demo.md")
    expect(begun).not.toContain("to be free")
    expect(await startWork("ses_other", "plans/demo.md")).toContain(
      `Expected demo to be free, found session ${LEAD} working on it right now. Stop it there first, or take it over: /start-work plans/demo.md --take-over`,
    )
    busy = new Set()
    expect(await startWork("ses_other", "plans/demo.md")).not.toContain("to be free")
    await hooks.dispose?.()
  }))

const OTHER = "ses_other"

/** The plugin with the plans `a` and `b`; `works` says how each work stands. */
function withPlans(
  run: (scene: {
    plugin: PluginInProcess
    write: (name: string, plan: string) => Promise<void>
    works: () => Promise<readonly string[]>
  }) => Promise<void>,
  options: object = {},
): Promise<void> {
  return withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    const write = (name: string, plan: string) => writeFile(join(root, `plans/${name}.md`), plan)
    for (const name of ["a", "b"]) await write(name, planOf("Write one", "Write two"))
    const plugin = openPlugin(root, readOptions(options))
    const works = async () => {
      const { boulder } = await openFileBoulderStore({ root }).read()
      const all = Object.values(boulder?.works ?? {})
      return all.map((work) => `${work.plan_name} ${work.status} ${work.lead_session_id}`).sort()
    }
    await run({ plugin, write, works })
    expect(plugin.logs).toEqual([])
    await plugin.hooks.dispose?.()
  })
}

describe("a start that is refused changes nothing", () => {
  test.each([
    { name: "of a plan without a task", plan: "# Plan\n\nWords.\n", says: "found none" },
    {
      name: "of a plan that is settled",
      plan: ["1", "2"].reduce(ticked, planOf("Write one", "Write two")),
      says: "Nothing to do",
    },
  ])("$name", ({ plan, says }) =>
    withPlans(async ({ plugin, write, works }) => {
      await write("a", plan)
      expect(await plugin.startWork(LEAD, "plans/a.md")).toContain(says)
      expect(await works()).toEqual([])
    }),
  )
})

test("a session leads only one plan: the start of another stops the first, and says so", () =>
  withPlans(async ({ plugin, works }) => {
    await plugin.startWork(LEAD, "plans/a.md")
    expect(await plugin.startWork(LEAD, "plans/b.md")).toContain("a was paused")
    expect(await works()).toEqual([`a paused ${LEAD}`, `b active ${LEAD}`])
  }))

test("a start in another session takes the work over: its former lead is prompted no more", () =>
  withPlans(async ({ plugin, works }) => {
    await plugin.startWork(LEAD, "plans/a.md")
    expect(await plugin.startWork(OTHER, "plans/a.md")).toContain(`taken over from session ${LEAD}`)
    expect(await works()).toEqual([`a active ${OTHER}`])
    await plugin.fallIdle(LEAD)
    expect(plugin.prompts).toEqual([])
  }))

test("a work whose budget was spent has it anew, and the start says what was spent", () =>
  withPlans(
    async ({ plugin, works }) => {
      await plugin.startWork(LEAD, "plans/a.md")
      for (let times = 0; times < 2; times++) await plugin.fallIdle(LEAD)
      expect(await works()).toEqual([`a paused ${LEAD}`])
      expect(await plugin.startWork(LEAD, "plans/a.md")).toContain("its budget was spent")
      await plugin.fallIdle(LEAD)
      expect(plugin.prompts).toHaveLength(2)
    },
    { continuation: { cooldown_seconds: 0, max_per_work: 1 } },
  ))

test("a finished work whose plan has a new task begins anew", () =>
  withPlans(async ({ plugin, write, works }) => {
    await plugin.startWork(LEAD, "plans/a.md")
    const all = ["1", "2"].reduce(ticked, planOf("Write one", "Write two"))
    await write("a", all)
    await plugin.fallIdle(LEAD)
    expect(await works()).toEqual([`a completed ${LEAD}`])
    await write("a", `${all}- [ ] 3. Write three\n`)
    expect(await plugin.startWork(LEAD, "plans/a.md")).toContain("todo:3")
    expect(await works()).toEqual([`a active ${LEAD}`])
  }))

test.each([
  { title: "New session - 2026-11-22T08:00:00.000Z", named: ["demo"] },
  { title: "My shop", named: [] },
])("a session called $title is called by its plan, unless somebody has named it", (given) =>
  withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, "plans/demo.md"), planOf("Write a"))
    const named: string[] = []
    const { startWork, hooks } = openPlugin(
      root,
      {},
      {
        session: async (id) => ({ id, parentId: null, agent: null, title: given.title }),
        rename: async (_, title) => void named.push(title),
      },
    )
    expect(await startWork(LEAD, "plans/demo.md")).toContain("Start the plan demo")
    expect(named).toEqual([...given.named])
    await hooks.dispose?.()
  }),
)
