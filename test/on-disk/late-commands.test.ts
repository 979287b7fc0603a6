import { expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Shell } from "../../src/opencode/host/shell.ts"
import { openPlanFiles } from "../../src/store/plans/plan-files.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { LEAD } from "../support/builders.ts"
import { planOf } from "../support/plans.ts"
import { openPlugin, type PluginInProcess } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const PLAN = "plans/demo.md"
/** Longer than a hook may take. */
const TOO_LONG_MS = 8_500

function scene(
  slow: (root: string) => Partial<Shell>,
  run: (plugin: PluginInProcess, works: () => Promise<readonly string[]>) => Promise<void>,
) {
  return withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, PLAN), planOf("Write a", "Write b"))
    const plugin = openPlugin(root, slow(root))
    await run(plugin, async () => {
      await Bun.sleep(2_000)
      const { boulder } = await openFileBoulderStore({ root }).read()
      return Object.values(boulder?.works ?? {}).map(({ status }) => status)
    })
    await plugin.hooks.dispose?.()
  })
}

test.concurrent("a start that took too long and is said to have changed nothing changes nothing", () =>
  scene(
    (root) => {
      const plans = openPlanFiles({ root, now: Date.now })
      const read: Shell["plans"]["read"] = async (path) => {
        await Bun.sleep(TOO_LONG_MS)
        return plans.read(path)
      }
      return { plans: { ...plans, read } }
    },
    async (plugin, works) => {
      expect(await plugin.startWork(LEAD, PLAN)).toContain("Nothing was changed")
      expect(await works()).toEqual([])
    },
  ))

test.concurrent("one that was being written by then says that it may be done", () =>
  scene(
    (root) => {
      const store = openFileBoulderStore({ root })
      const update: Shell["store"]["update"] = async (change) => {
        const done = await store.update(change)
        await Bun.sleep(TOO_LONG_MS)
        return done
      }
      return { store: { ...store, update } }
    },
    async (plugin, works) => {
      const said = await plugin.startWork(LEAD, PLAN)
      expect(said).toContain("/start-work took too long, but may have been done.")
      expect(said).not.toContain("Nothing was changed")
      expect(await works()).toEqual(["active"])
    },
  ))
