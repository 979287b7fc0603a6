import { describe, expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { LEAD } from "../../test/support/builders.ts"
import { runInFolder } from "../../test/support/cli-in-process.ts"
import { planOf, ticked } from "../../test/support/plans.ts"
import { openPlugin, type PluginInProcess } from "../../test/support/plugin-in-process.ts"
import { withFolder } from "../../test/support/store-folder.ts"
import type { Boulder, Change } from "../boulder/boulder.ts"
import { openPlanFiles } from "../store/plans/plan-files.ts"
import { openFileBoulderStore } from "../store/revisions/file-boulder-store.ts"
import { readOptions } from "./host/options.ts"
import { HostCallError, type SessionApi } from "./host/session-api.ts"

const PLAN = "plans/demo.md"
const TWO = planOf("Write a", "Write b")

/** The last turn of a child that the provider has refused. */
const FAILED = {
  lastTurn: {
    messageId: "msg_1",
    createdAt: 1,
    ours: false,
    error: "APIError",
    ended: true,
    contextTokens: 0,
    isSummary: false,
    isUnanswered: false,
  },
  failure: null,
  identity: { agent: null, model: null, variant: null },
  model: null,
}

interface Scene {
  readonly plugin: PluginInProcess
  readonly root: string
  /** Reads of the store, writes, readings of a plan: since the last call; and how often the state's newness was asked. */
  readonly counts: () => string
  /** Answers of the model that no work has booked yet. */
  readonly spend: (tokens: number) => Promise<void>
  /** The plugin in another process, on the same files; the first one is at its end. */
  readonly again: () => Promise<PluginInProcess>
}

/** The plugin on real files, started, with counting store and plans. */
function counted(
  run: (scene: Scene) => Promise<void>,
  {
    start = true,
    answers = {},
    options = {},
    beforeShown = async () => undefined,
  }: {
    start?: boolean
    answers?: Partial<SessionApi>
    options?: object
    /** Happens between what an idle writes and what it shows. */
    beforeShown?: (plugin: PluginInProcess) => unknown
  } = {},
): Promise<void> {
  return withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, PLAN), TWO)
    const made = { reads: 0, writes: 0, plans: 0, newest: 0 }
    const store = openFileBoulderStore({ root })
    const plans = openPlanFiles({ root, now: Date.now })
    const given = {
      ...readOptions({ continuation: { cooldown_seconds: 0 }, ...options }),
      store: {
        ...store,
        read: () => {
          made.reads += 1; if (process.env.TR) console.log(new Error("READ").stack)
          return store.read()
        },
        isNewest: (boulder: Boulder) => {
          made.newest += 1
          beforeShown(plugin)
          return store.isNewest(boulder)
        },
        update: (change: Change) => {
          made.writes += 1
          return store.update(change)
        },
      },
      plans: {
        ...plans,
        read: (path: string) => {
          made.plans += 1; if (process.env.TR) console.log(new Error("PLAN").stack)
          return plans.read(path)
        },
      },
    }
    const plugin = openPlugin(root, given, answers)
    const counts = () => {
      const { reads, writes, plans: readings, newest } = made
      Object.assign(made, { reads: 0, writes: 0, plans: 0, newest: 0 })
      return `${reads}/${writes}/${readings}${newest === 0 ? "" : `, newest ${newest}`}`
    }
    const spend = (tokens: number) => plugin.tellTokens(LEAD, tokens)
    if (start) await plugin.startWork(LEAD, PLAN)
    counts()
    const again = async () => {
      await plugin.hooks.dispose?.()
      return openPlugin(root, given, answers)
    }
    await run({ plugin, root, counts, spend, again })
    expect(plugin.logs).toEqual([])
    await plugin.hooks.dispose?.()
  })
}

test("the lead ticks by an edit, before/after", () =>
  counted(async ({ plugin, root, counts }) => {
    await Bun.sleep(150)
    await plugin.use(LEAD, "bash")
    counts()
    await plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_child" })
    console.log("task", counts())
    const edit = async () => writeFile(join(root, PLAN), ticked(TWO, "1"))
    // before, edit, after
    const call = { tool: "edit", sessionID: LEAD, callID: "c1" }
    const args = { filePath: join(root, PLAN), oldString: "a", newString: "b" }
    await plugin.hooks["tool.execute.before"]?.(call, { args })
    console.log("edit before", counts())
    await edit()
    const result = { title: "", output: "done", metadata: {} }
    await plugin.hooks["tool.execute.after"]?.({ ...call, args }, result)
    console.log("edit after", counts())
    await Bun.sleep(150)
    await plugin.use(LEAD, "read")
    console.log("another tool", counts())
    await writeFile(join(root, PLAN), ["1", "2"].reduce(ticked, TWO))
    await Bun.sleep(150)
    process.env.TR="1"; await plugin.use(LEAD, "bash", {command: "sed -i"}); delete process.env.TR
    console.log("bash behind an edit", counts())
  }))
test("lost call", () =>
  counted(async ({ plugin, counts }) => {
    await plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_child" })
    const call = { tool: "task", sessionID: LEAD, callID: "c1" }
    await plugin.hooks["tool.execute.before"]?.(call, { args: {description: "todo:2", prompt: "x", subagent_type: "general"} })
    counts()
    const part = { type: "tool", tool: "task", sessionID: LEAD, callID: "c1", state: {status: "error", input: {}, error: "x"} }
    await plugin.hooks.event?.({ event: { type: "message.part.updated", properties: { sessionID: LEAD, part } } as never })
    console.log("task error", counts())
    await plugin.use(LEAD, "read")
    console.log("tool behind", counts())
  }))
