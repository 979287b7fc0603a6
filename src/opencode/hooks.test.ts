import { expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { LEAD } from "../../test/support/builders.ts"
import { planOf, ticked } from "../../test/support/plans.ts"
import { openPlugin, type PluginInProcess } from "../../test/support/plugin-in-process.ts"
import { withFolder } from "../../test/support/store-folder.ts"
import { openPlanFiles } from "../store/plans/plan-files.ts"
import { openFileBoulderStore } from "../store/revisions/file-boulder-store.ts"
import { readOptions } from "./host/options.ts"

const PLAN = "plans/demo.md"
const TWO = planOf("Write a", "Write b")

interface Scene {
  readonly plugin: PluginInProcess
  readonly root: string
  /** Reads of the store, writes, readings of a plan: since the last call. */
  readonly counts: () => string
  /** Answers of the model that no work has booked yet. */
  readonly spend: (tokens: number) => Promise<void>
}

/** The plugin on real files, started, with counting store and plans. */
function counted(run: (scene: Scene) => Promise<void>, start = true): Promise<void> {
  return withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, PLAN), TWO)
    const made = { reads: 0, writes: 0, plans: 0 }
    const store = openFileBoulderStore({ root })
    const plans = openPlanFiles({ root, now: Date.now })
    const plugin = openPlugin(root, {
      ...readOptions({ continuation: { cooldown_seconds: 0 } }),
      store: {
        ...store,
        read: () => {
          made.reads += 1
          return store.read()
        },
        update: (change) => {
          made.writes += 1
          return store.update(change)
        },
      },
      plans: {
        ...plans,
        read: (path) => {
          made.plans += 1
          return plans.read(path)
        },
      },
    })
    const counts = () => {
      const { reads, writes, plans: readings } = made
      Object.assign(made, { reads: 0, writes: 0, plans: 0 })
      return `${reads}/${writes}/${readings}`
    }
    const spend = (tokens: number) => plugin.tellTokens(LEAD, tokens)
    if (start) await plugin.startWork(LEAD, PLAN)
    counts()
    await run({ plugin, root, counts, spend })
    expect(plugin.logs).toEqual([])
    await plugin.hooks.dispose?.()
  })
}

test("/start-work: 1/1/1", () =>
  counted(async ({ plugin, counts }) => {
    await plugin.startWork(LEAD, PLAN)
    expect(counts()).toBe("1/1/1")
  }, false))

test("a task call, both hooks: 2/2/2", () =>
  counted(async ({ plugin, counts, spend }) => {
    await spend(10_000)
    await plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_child" })
    expect(counts()).toBe("2/2/2")
  }))

test("the same, of a child that is blocked: 2/2/3", () =>
  counted(async ({ plugin, counts, spend }) => {
    await spend(10_000)
    const output = "BLOCKED: no key for the cloud"
    const said = await plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_child", output })
    expect(said).toContain("todo:1 is blocked")
    expect(counts()).toBe("2/2/3")
  }))

test("an idle that goes on and books tokens: 1/1/1", () =>
  counted(async ({ plugin, counts, spend }) => {
    await spend(10_000)
    await plugin.fallIdle(LEAD)
    expect(plugin.prompts).toHaveLength(1)
    expect(counts()).toBe("1/1/1")
  }))

test("an idle that finishes: 2/2/1", () =>
  counted(async ({ plugin, root, counts, spend }) => {
    await plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_child" })
    await writeFile(join(root, PLAN), ["1", "2"].reduce(ticked, TWO))
    await spend(10_000)
    counts()
    await plugin.fallIdle(LEAD)
    expect(plugin.toasts).toHaveLength(1)
    expect(counts()).toBe("2/2/1")
  }))

test("a tool of a session that is none of ours: 0/0/0", () =>
  counted(async ({ plugin, counts }) => {
    await plugin.use("ses_other", "bash")
    expect(counts()).toBe("0/0/0")
  }))

test("a tool of a lead session while nothing has changed: 0/0/0", () =>
  counted(async ({ plugin, counts }) => {
    await Bun.sleep(150)
    await plugin.use(LEAD, "bash")
    counts()
    await plugin.use(LEAD, "bash")
    expect(counts()).toBe("0/0/0")
  }))
