import { expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { openRecordFiles } from "../../src/store/records/record-files.ts"
import { openTaskStateFiles } from "../../src/store/records/task-state-files.ts"
import { LEAD } from "../support/builders.ts"
import { planOf } from "../support/plans.ts"
import { openPlugin, type PluginInProcess } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"
import { aTaskState, compactionAnswer } from "../support/task-states.ts"

async function compacted({ hooks }: PluginInProcess, messageID: string, goal: string) {
  const output: { context: string[]; prompt?: string } = { context: [] }
  await hooks["experimental.session.compacting"]?.({ sessionID: LEAD }, output)
  await hooks["chat.params"]?.(
    { sessionID: LEAD, agent: "compaction", model: { limit: { context: 1 } } } as never,
    {} as never,
  )
  const part = { text: compactionAnswer(aTaskState({ goal }), `Summary of ${goal}.`) }
  await hooks["experimental.text.complete"]?.({ sessionID: LEAD, messageID, partID: "prt" }, part)
  return part.text
}

test.concurrent(
  "a save that comes through too late takes back no newer state",
  () =>
    withFolder(async (root) => {
      await mkdir(join(root, "plans"))
      await writeFile(join(root, "plans/demo.md"), planOf("Write a", "Write b"))
      const files = openTaskStateFiles(openRecordFiles({ root }))
      let release: () => void = () => undefined
      let saves = 0
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      const plugin = openPlugin(root, {
        taskStates: {
          ...files,
          save: async (stored) => {
            saves += 1
            // The disk of the first one is slow behind its file's new name, as an fsync of the folder may be.
            const aside = await files.save(stored)
            if (saves === 1) await held
            return aside
          },
        },
      })
      await plugin.startWork(LEAD, "plans/demo.md")
      // Held up on its last step: it counts, as it lies there.
      await compacted(plugin, "msg_1", "first")
      const said = await compacted(plugin, "msg_2", "second")
      expect(said).toContain("Summary of second")
      expect((await files.load(LEAD))?.task_state.goal).toBe("second")
      release()
      await Bun.sleep(300)
      expect((await files.load(LEAD))?.task_state.goal).toBe("second")
      await plugin.hooks.dispose?.()
    }),
  60_000,
)

test.concurrent(
  "nor does one that hangs before it has written anything",
  () =>
    withFolder(async (root) => {
      await mkdir(join(root, "plans"))
      await writeFile(join(root, "plans/demo.md"), planOf("Write a", "Write b"))
      const files = openTaskStateFiles(openRecordFiles({ root }))
      let release: () => void = () => undefined
      let saves = 0
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      const plugin = openPlugin(root, {
        taskStates: {
          ...files,
          save: async (stored) => {
            saves += 1
            if (saves === 1) await held
            return files.save(stored)
          },
        },
      })
      await plugin.startWork(LEAD, "plans/demo.md")
      const first = await compacted(plugin, "msg_1", "first")
      expect(first).not.toContain("Summary of first")
      const said = await compacted(plugin, "msg_2", "second")
      expect(said).toContain("Summary of second")
      release()
      await Bun.sleep(300)
      expect((await files.load(LEAD))?.task_state.goal).toBe("second")
      await plugin.hooks.dispose?.()
    }),
  60_000,
)
