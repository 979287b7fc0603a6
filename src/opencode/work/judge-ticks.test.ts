import { expect, test } from "bun:test"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { LEAD } from "../../../test/support/builders.ts"
import { planOf, ticked } from "../../../test/support/plans.ts"
import { openPlugin, type PluginInProcess } from "../../../test/support/plugin-in-process.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import type { Change } from "../../boulder/boulder.ts"
import { openFileBoulderStore } from "../../store/revisions/file-boulder-store.ts"
import { readOptions } from "../host/options.ts"
import { HostCallError } from "../host/session-api.ts"

const PLAN = "plans/demo.md"
const checkedBy = (check: string) => planOf(`Do 1\n  Verify: \`${check}\``, "Do 2", "Do 3")
const WORD = "todo:1 is ticked"

interface Scene {
  readonly root: string
  readonly plugin: PluginInProcess
  readonly tick: () => Promise<void>
  /** The next write of the store, and the next prompt, fail once. */
  readonly idle: () => Promise<void>
  readonly failing: { write: boolean; prompt: boolean }
}

function started(run: (scene: Scene) => Promise<void>, check = "npm test -- one"): Promise<void> {
  return withFolder(async (root) => {
    for (const folder of ["plans", "test"]) await mkdir(join(root, folder))
    await writeFile(join(root, PLAN), checkedBy(check))
    const failing = { write: false, prompt: false }
    const store = openFileBoulderStore({ root })
    const prompts: string[] = []
    let ahead = 0
    const given = {
      ...readOptions({ continuation: { cooldown_seconds: 0 } }),
      now: () => Date.now() + ahead,
      store: {
        ...store,
        update: async (change: Change) => {
          if (failing.write) {
            failing.write = false
            throw new Error("the disk is busy once")
          }
          return store.update(change)
        },
      },
    }
    const plugin = openPlugin(root, given, {
      prompt: async (_, text) => {
        if (failing.prompt) {
          failing.prompt = false
          throw new HostCallError("the prompt was refused")
        }
        prompts.push(text)
      },
    })
    await plugin.startWork(LEAD, PLAN)
    const tick = async () => {
      await writeFile(join(root, PLAN), ticked(await readFile(join(root, PLAN), "utf8"), "1"))
      await Bun.sleep(150)
    }
    const idle = async () => {
      await plugin.fallIdle(LEAD)
      // After any back-off.
      ahead += 120_000
    }
    await run({ plugin: { ...plugin, prompts }, tick, idle, failing, root })
    await plugin.hooks.dispose?.()
  })
}

test("an unproven tick is told behind a tool once, and in no prompt again", () =>
  started(async ({ plugin, tick }) => {
    await tick()
    expect(await plugin.use(LEAD, "bash")).toContain(WORD)
    await plugin.bash(LEAD, "npm test -- two")
    await plugin.fallIdle(LEAD)
    expect(plugin.prompts.join()).toContain("todo:2")
    expect(plugin.prompts.join()).not.toContain("npm test")
  }))

test("one whose word was lost with a write behind a tool is told behind the next", () =>
  started(async ({ plugin, tick, failing }) => {
    await tick()
    failing.write = true
    expect(await plugin.use(LEAD, "bash")).not.toContain(WORD)
    expect(await plugin.use(LEAD, "bash")).toContain(WORD)
  }))

test("the same where it is renumbered in between, and told of once", () =>
  started(async ({ plugin, tick, failing, root }) => {
    await tick()
    failing.write = true
    await plugin.use(LEAD, "bash")
    const text = await readFile(join(root, PLAN), "utf8")
    await writeFile(join(root, PLAN), text.replace("1. Do 1", "4. Do 1"))
    await Bun.sleep(150)
    expect(await plugin.use(LEAD, "bash")).toContain("todo:4 is ticked")
    await writeFile(join(root, PLAN), text.replace("1. Do 1", "5. Do 1"))
    await Bun.sleep(150)
    expect(await plugin.use(LEAD, "bash")).not.toContain("is ticked")
  }))

test("the same with a write behind a task call that is tried again", () =>
  started(async ({ plugin, tick, failing }) => {
    const during = async () => {
      await tick()
      failing.write = true
    }
    const child = { lead: LEAD, key: "todo:2", child: "ses_child", during }
    expect(await plugin.delegate(child)).toContain(WORD)
  }))

test.each(["write", "prompt"] as const)(
  "one whose word was lost with the %s of an idle is in the next prompt, and in that alone",
  (what) =>
    started(async ({ plugin, tick, idle, failing }) => {
      await tick()
      failing[what] = true
      await idle()
      expect(plugin.prompts).toEqual([])
      await idle()
      await idle()
      expect(plugin.prompts.map((text) => text.includes("npm test -- one"))).toEqual([true, false])
    }),
)

const JUDGE = "todo:1 has changed what its own check goes by: test/one.test.ts."
test.each([
  { where: "a tool", first: "tool", failing: false },
  { where: "an idle", first: "idle", failing: false },
  { where: "a tool whose write is lost", first: "tool", failing: true },
])("who has edited its own judge is told of, once, where the tick is seen first at $where", (at) =>
  started(async ({ plugin, tick, idle, failing, root }) => {
    const read: string[] = []
    const during = async () => {
      const info = { id: "ses_child", parentID: LEAD }
      await plugin.hooks.event?.({
        event: { type: "session.created", properties: { info } } as never,
      })
      const filePath = join(root, "test/one.test.ts")
      await plugin.use("ses_child", "write", { filePath, content: "x" })
    }
    read.push(await plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_child", during }))
    await tick()
    failing.write = at.failing
    if (at.first === "tool") read.push(await plugin.use(LEAD, "bash"))
    await idle()
    await idle()
    for (const tool of ["bash", "read"]) read.push(await plugin.use(LEAD, tool))
    const told = [...read, ...plugin.prompts].filter((text) => text.includes(JUDGE))
    expect(told).toHaveLength(1)
    expect(told.join()).toContain(WORD)
  }, "npm test -- test/one.test.ts"),
)
