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
const CHECKED = planOf("Do 1\n  Verify: `npm test -- one`", "Do 2", "Do 3")
const WORD = "todo:1 is ticked"

interface Scene {
  readonly plugin: PluginInProcess
  readonly tick: () => Promise<void>
  /** The next write of the store, and the next prompt, fail once. */
  readonly idle: () => Promise<void>
  readonly failing: { write: boolean; prompt: boolean }
}

function started(run: (scene: Scene) => Promise<void>): Promise<void> {
  return withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, PLAN), CHECKED)
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
      // Behind any back-off.
      ahead += 120_000
    }
    await run({ plugin: { ...plugin, prompts }, tick, idle, failing })
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
