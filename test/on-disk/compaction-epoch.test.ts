import { expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Boulder } from "../../src/boulder/boulder.ts"
import { OWN_PART } from "../../src/boulder/own-part.ts"
import type { Shell } from "../../src/opencode/host/shell.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { LEAD } from "../support/builders.ts"
import { planOf } from "../support/plans.ts"
import { openPlugin, type PluginInProcess } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const compacted = ({ hooks }: PluginInProcess) => {
  const event = { type: "session.compacted" as const, properties: { sessionID: LEAD } }
  return hooks.event?.({ event })
}
const workIn = async (root: string) => {
  const { boulder } = await openFileBoulderStore({ root }).read()
  return Object.values((boulder as Boulder).works)[0]
}

function withPlugin(
  shell: (plugin: () => PluginInProcess) => Partial<Shell>,
  run: (plugin: PluginInProcess, root: string) => Promise<void>,
): Promise<void> {
  return withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, "plans/demo.md"), planOf("Write a", "Write b"))
    const plugin: PluginInProcess = openPlugin(
      root,
      shell(() => plugin),
    )
    await plugin.startWork(LEAD, "plans/demo.md")
    await run(plugin, root)
  })
}

test("a continuation decided on before a compaction does not fire after it; the idle behind it does, once", () => {
  let isFirst = true
  const compactsMeanwhile = (plugin: () => PluginInProcess) => ({
    tree: async () => {
      if (isFirst) {
        isFirst = false
        await compacted(plugin())
      }
      return null
    },
  })
  return withPlugin(compactsMeanwhile, async (plugin, root) => {
    await plugin.fallIdle(LEAD)
    expect(plugin.prompts).toEqual([])
    expect((await workIn(root))?.continuation).toMatchObject({ count: 0, last_at: null })
    await plugin.fallIdle(LEAD)
    expect(plugin.prompts).toHaveLength(1)
    expect((await workIn(root))?.compactions).toMatchObject({ epoch: 1, in_a_row: 1 })
  })
})

test("a reservation from before a compaction does not suppress what comes after it", () =>
  withPlugin(
    () => ({}),
    async (plugin, root) => {
      await plugin.fallIdle(LEAD)
      expect(plugin.prompts).toHaveLength(1)
      await compacted(plugin)
      const later = openPlugin(root, { now: () => Date.now() + 6_000 })
      await later.fallIdle(LEAD)
      expect(later.prompts).toHaveLength(1)
    },
  ))

test("an idle that comes while a compaction is counted waits for it", () =>
  withPlugin(
    () => ({}),
    async (plugin, root) => {
      await Promise.all([compacted(plugin), plugin.fallIdle(LEAD)])
      expect(plugin.prompts).toHaveLength(1)
      expect((await workIn(root))?.compactions.epoch).toBe(1)
    },
  ))

test("a subagent's compaction, and one of another session, count for no work", () =>
  withPlugin(
    () => ({}),
    async (plugin, root) => {
      await plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_child" })
      for (const sessionID of ["ses_child", "ses_other"]) {
        const event = { type: "session.compacted" as const, properties: { sessionID } }
        await plugin.hooks.event?.({ event })
      }
      expect((await workIn(root))?.compactions.epoch).toBe(0)
    },
  ))

test("a compaction in a turn of the user's own is no circle of the work; one in a turn of ours is", () =>
  withPlugin(
    () => ({}),
    async (plugin, root) => {
      await plugin.say(LEAD, "the text that /start-work has made")
      await plugin.say(LEAD, "What is in the config?")
      await compacted(plugin)
      expect((await workIn(root))?.compactions).toMatchObject({ epoch: 1, in_a_row: 0 })
      const parts = [
        { type: "text", text: "go on", synthetic: true, metadata: { [OWN_PART]: "x" } },
      ]
      const message = { id: "msg_o", sessionID: LEAD, role: "user", agent: "build" }
      await plugin.hooks["chat.message"]?.({ sessionID: LEAD }, { message, parts } as never)
      await compacted(plugin)
      expect((await workIn(root))?.compactions).toMatchObject({ epoch: 2, in_a_row: 1 })
    },
  ))
