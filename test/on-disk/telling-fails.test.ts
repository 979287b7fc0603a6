import { expect, test } from "bun:test"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Work } from "../../src/boulder/boulder.ts"
import { readOptions } from "../../src/opencode/host/options.ts"
import type { SessionApi } from "../../src/opencode/host/session-api.ts"
import { HostCallError } from "../../src/opencode/host/session-api.ts"
import type { Shell } from "../../src/opencode/host/shell.ts"
import { StoreError } from "../../src/store/disk/store-error.ts"
import { openFileHandoffStore } from "../../src/store/handoffs/handoff-file-store.ts"
import { openPlanFiles } from "../../src/store/plans/plan-files.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { CHILD, LEAD } from "../support/builders.ts"
import { planOf, ticked } from "../support/plans.ts"
import { openPlugin, type PluginInProcess } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const PLAN = "plans/demo.md"
const FIVE = planOf("Write a", "Write b", "Write c", "Write d", "Write e")

const workIn = async (root: string): Promise<Work | null> => {
  const { boulder } = await openFileBoulderStore({ root }).read()
  return Object.values(boulder?.works ?? {})[0] ?? null
}

interface Given {
  readonly shell?: Partial<Shell>
  readonly api?: Partial<SessionApi>
  readonly start?: boolean
}
type Run = (plugin: PluginInProcess, root: string) => Promise<void>

async function inFolder(root: string, { shell = {}, api = {}, start = true }: Given, run: Run) {
  await mkdir(join(root, "plans"))
  await writeFile(join(root, PLAN), FIVE)
  const options = readOptions({ continuation: { cooldown_seconds: 0 } })
  const plugin = openPlugin(root, { ...options, ...shell }, api)
  if (start) await plugin.startWork(LEAD, PLAN)
  await run(plugin, root)
  await plugin.hooks.dispose?.()
}
const scene = (run: Run, given: Given) => withFolder((root) => inFolder(root, given, run))

const NOBODY = { agent: null, model: null, variant: null }
const aStoreError = new StoreError({
  code: "io",
  expected: "the handoffs to be read",
  found: "EIO",
  todo: "Try again.",
})
const silent = () => {
  throw new HostCallError("host")
}
const JOURNAL = {
  append: async () => {
    throw new Error("EACCES: journal.jsonl")
  },
  readLast: async () => ({ entries: [], skipped: 0 }),
} as never

test("journal last: where it cannot be written a blocked task's session and block are kept all the same", () =>
  scene(
    async (plugin, root) => {
      await plugin.delegate({ lead: LEAD, key: "todo:1", child: CHILD, output: "BLOCKED: no key" })
      const work = await workIn(root)
      expect([
        Object.keys(work?.task_sessions ?? {}),
        Object.keys(work?.blocked ?? {}),
        Object.keys(work?.dispatches ?? {}),
      ]).toEqual([["todo:1"], ["todo:1"], []])
    },
    { shell: { journal: JOURNAL } },
  ))

test("journal last: where it cannot be written the model is told that its round is over", () =>
  scene(
    async (plugin, root) => {
      await writeFile(join(root, PLAN), ["1", "2", "3"].reduce(ticked, FIVE))
      await Bun.sleep(150)
      const said = [await plugin.use(LEAD, "bash"), await plugin.use(LEAD, "bash")]
      expect((await workIn(root))?.round.ended).toBe("checkpoint-due")
      expect(said.join("\n")).toContain("End this turn")
    },
    { shell: { journal: JOURNAL } },
  ))

test("show behind write: a toast that the host does not take costs no delegation", () =>
  scene(
    async (plugin, root) => {
      const model = { limit: { context: 20_000, output: 4_000 } }
      await plugin.hooks["chat.params"]?.(
        { sessionID: LEAD, agent: "build", model } as never,
        {} as never,
      )
      await plugin.delegate({ lead: LEAD, key: "todo:1", child: CHILD })
      const work = await workIn(root)
      expect([Object.keys(work?.task_sessions ?? {}), Object.keys(work?.dispatches ?? {})]).toEqual(
        [["todo:1"], []],
      )
    },
    { api: { toast: async () => silent() } },
  ))

test("a toast that the host does not take refuses no start", () =>
  scene(
    async (plugin, root) => {
      await plugin.startWork(LEAD, PLAN)
      expect((await workIn(root))?.status).toBe("active")
    },
    {
      start: false,
      api: { toast: async () => silent(), pluginNames: async () => ["oh-my-opencode"] },
    },
  ))

test("a start that was written is not said to have failed, where the host does not tell of a session", () => {
  let fails = false
  return scene(
    async (plugin, root) => {
      await plugin.delegate({ lead: LEAD, key: "todo:1", child: CHILD })
      fails = true
      const said = await plugin.startWork("ses_other", PLAN)
      expect((await workIn(root))?.lead_session_id).toBe("ses_other")
      expect(said).toContain("Resume the plan demo")
      expect(said).toContain("todo:1")
    },
    {
      api: {
        session: async (id) =>
          fails ? silent() : { id, parentId: id === CHILD ? LEAD : null, agent: null, title: id },
      },
    },
  )
})

test("the end of a round is told where the host does not tell of a session", () => {
  let fails = false
  return scene(
    async (plugin, root) => {
      await plugin.delegate({ lead: LEAD, key: "todo:4", child: CHILD })
      await writeFile(join(root, PLAN), ["1", "2", "3"].reduce(ticked, FIVE))
      await plugin.tellTokens(LEAD, 10)
      fails = true
      const said = await plugin.delegate({
        lead: LEAD,
        key: "todo:4",
        child: CHILD,
        output: "BLOCKED: no key",
      })
      expect((await workIn(root))?.round.ended).toBe("checkpoint-due")
      expect(said).toContain("End this turn")
    },
    {
      api: {
        session: async (id) =>
          fails ? silent() : { id, parentId: id === CHILD ? LEAD : null, agent: null, title: id },
      },
    },
  )
})

test("a host that does not tell once how a child has ended costs no session", () => {
  let fails = 1
  const nothing = { lastTurn: null, failure: null, identity: NOBODY, model: null }
  return scene(
    async (plugin, root) => {
      await plugin.delegate({ lead: LEAD, key: "todo:1", child: CHILD })
      const work = await workIn(root)
      expect([Object.keys(work?.task_sessions ?? {}), Object.keys(work?.dispatches ?? {})]).toEqual(
        [["todo:1"], []],
      )
    },
    { api: { lastTurn: async (id) => (id === CHILD && fails-- > 0 ? silent() : nothing) } },
  )
})

test("a work that is finished is told, though its handoffs could not be closed at once", () => {
  const state = { fails: false, opens: 0 }
  return withFolder(async (root) => {
    const handoffs = openFileHandoffStore({ root })
    const open = async () => {
      if (state.fails && ++state.opens === 2) throw aStoreError
      return handoffs.open()
    }
    const given = { shell: { handoffs: { ...handoffs, open } } }
    await inFolder(root, given, async (plugin) => {
      await writeFile(join(root, PLAN), ["1", "2", "3", "4", "5"].reduce(ticked, FIVE))
      state.fails = true
      await plugin.fallIdle(LEAD)
      const journal = await readFile(join(root, ".boulder/journal.jsonl"), "utf8")
      expect([(await workIn(root))?.status, plugin.toasts.length, plugin.logs.length]).toEqual([
        "completed",
        1,
        1,
      ])
      expect(journal).toContain('"plan-complete"')
    })
  })
})

test("what came back is told where the host does not tell of a session", () => {
  let fails = false
  return scene(
    async (plugin) => {
      await plugin.delegate({ lead: LEAD, key: "todo:1", child: CHILD })
      fails = true
      const said = await plugin.delegate({ lead: LEAD, key: "todo:1", child: CHILD })
      expect(said).toContain("Result for todo:1")
    },
    {
      api: {
        session: async (id) =>
          fails ? silent() : { id, parentId: id === CHILD ? LEAD : null, agent: null, title: id },
      },
    },
  )
})

test("a mark that the disk does not take is told to the user too, whoever wanted it", () =>
  withFolder(async (root) => {
    const plans = {
      ...openPlanFiles({ root, now: Date.now }),
      mark: async () => {
        throw aStoreError
      },
    }
    await inFolder(root, { shell: { plans } }, async ({ hooks, toasts, delegate }) => {
      const args = { summary: "did it", status: "complete", task: "todo:1" }
      const context = { sessionID: LEAD, agent: "build" }
      const said = hooks.tool?.["save_task_progress"]?.execute(args as never, context as never)
      expect(await said).toContain("save_task_progress failed: Expected the handoffs to be read")
      expect(toasts).toEqual([aStoreError.message])
      await delegate({ lead: LEAD, key: "todo:2", child: CHILD, output: "BLOCKED: no key" })
      expect(toasts).toEqual([aStoreError.message, aStoreError.message])
    })
  }))
