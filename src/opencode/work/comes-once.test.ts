import { describe, expect, test } from "bun:test"
import { mkdir, readdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { LEAD } from "../../../test/support/builders.ts"
import { planOf } from "../../../test/support/plans.ts"
import { openPlugin, type PluginInProcess } from "../../../test/support/plugin-in-process.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import type { Change, Work } from "../../boulder/boulder.ts"
import { WAVE_HEADER } from "../../decide/final-wave.ts"
import { openJournal } from "../../store/records/journal.ts"
import { openFileBoulderStore } from "../../store/revisions/file-boulder-store.ts"
import { readOptions } from "../host/options.ts"

const PLAN = "plans/demo.md"
const TWO = planOf("Write a", "Write b")
const WAVE = "# D\n\n## TODOs\n\n- [x] 1. Write\n\n## Final Verification Wave\n\n- [ ] F1. Audit\n"

interface Scene {
  readonly plugin: PluginInProcess
  readonly root: string
  /** The next read or the next write of the store fails once. */
  readonly fail: (what: "read" | "update") => void
  readonly work: () => Promise<Work | undefined>
  readonly tell: (type: string, properties: object) => Promise<void>
}

function started(run: (scene: Scene) => Promise<void>, plan = TWO): Promise<void> {
  return withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, PLAN), plan)
    const store = openFileBoulderStore({ root })
    const failing = new Set<string>()
    const unless = (what: string): void => {
      if (failing.delete(what)) throw new Error("the disk is busy once")
    }
    const plugin = openPlugin(root, {
      ...readOptions({ continuation: { cooldown_seconds: 0 } }),
      store: {
        ...store,
        read: async () => {
          unless("read")
          return store.read()
        },
        update: async (change: Change) => {
          unless("update")
          return store.update(change)
        },
      },
    })
    await plugin.startWork(LEAD, PLAN)
    await run({
      plugin,
      root,
      fail: (what) => failing.add(what),
      work: async () => Object.values((await store.read()).boulder?.works ?? {})[0],
      tell: async (type, properties) => {
        await plugin.hooks.event?.({ event: { type, properties } as never })
      },
    })
    expect(failing.size).toBe(0)
    await plugin.hooks.dispose?.()
  })
}

describe.each(["read", "update"] as const)(
  "a store that fails to %s once loses nothing",
  (what) => {
    test("of what a task call has brought", () =>
      started(async ({ plugin, fail, work }) => {
        const during = async () => fail(what)
        await plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_child", during })
        expect(Object.keys((await work())?.task_sessions ?? {})).toEqual(["todo:1"])
      }))
    test("of the user's Approve", () =>
      started(async ({ plugin, fail, work, tell }) => {
        const output = "VERDICT: APPROVE"
        await plugin.delegate({ lead: LEAD, key: "final-wave:f1", child: "ses_f1", output })
        const options = ["Approve", "Not yet"].map((label) => ({ label, description: "" }))
        const questions = [{ question: "Is it done?", header: WAVE_HEADER, options }]
        await tell("question.asked", { id: "que_1", sessionID: LEAD, questions })
        fail(what)
        const answer = { sessionID: LEAD, requestID: "que_1", answers: [["Approve"]] }
        await tell("question.replied", answer)
        expect((await work())?.approved_wave).toBeString()
      }, WAVE))
    test("of the user's message, which resumes what waits for it", () =>
      started(async ({ plugin, fail, work, tell }) => {
        const error = { name: "MessageAbortedError", data: {} }
        await tell("session.error", { sessionID: LEAD, error })
        await plugin.fallIdle(LEAD)
        expect((await work())?.status).toBe("paused")
        fail(what)
        await plugin.say(LEAD, "go on")
        expect((await work())?.status).toBe("active")
      }))
    test("of a compaction's count", () =>
      started(async ({ fail, work, tell }) => {
        fail(what)
        await tell("session.compacted", { sessionID: LEAD })
        expect((await work())?.compactions.epoch).toBe(1)
      }))
  },
)

test("a checkpoint that cannot be written loses no child, and is written by the next look", () =>
  started(async ({ plugin, root, work }) => {
    await plugin.tellTokens(LEAD, 85_000)
    const works = join(root, ".boulder/works")
    const [id = ""] = await readdir(works)
    const during = async () => {
      await rm(join(works, id), { recursive: true })
      await writeFile(join(works, id), "")
    }
    await plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_child", during })
    expect(Object.keys((await work())?.task_sessions ?? {})).toEqual(["todo:1"])
    expect((await work())?.round.ended).toBeNull()
    const { entries } = await openJournal({ root }).readLast(
      9,
      ({ reason }) => reason === "checkpoint-failed",
    )
    expect(entries).toHaveLength(1)
    await rm(join(works, id))
    expect(await plugin.use(LEAD, "bash")).toContain("boulder")
    expect((await work())?.round.ended).toBe("soft-limit")
    expect((await work())?.checkpoint_seq).toBe(1)
  }))
