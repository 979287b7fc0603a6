import { describe, expect, test } from "bun:test"
import { mkdir, readdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { at, LEAD } from "../../../test/support/builders.ts"
import { planOf, ticked } from "../../../test/support/plans.ts"
import { openPlugin, shellIn } from "../../../test/support/plugin-in-process.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import type { Work } from "../../boulder/boulder.ts"
import { putWork, takeLead } from "../../boulder/change-work.ts"
import { endRound } from "../../boulder/round-record.ts"
import { openFileBoulderStore } from "../../store/revisions/file-boulder-store.ts"
import { readOptions } from "../host/options.ts"
import type { Shell } from "../host/shell.ts"
import { type Looked, lookBehind } from "./look-behind.ts"
import { toolTextBehind } from "./tool-facts.ts"

const PLAN = "plans/demo.md"
const FIVE = planOf("Write a", "Write b", "Write c", "Write d", "Write e")
const THREE_DONE = ["1", "2", "3"].reduce(ticked, FIVE)

interface Scene {
  readonly shell: Shell
  readonly stored: () => Promise<{ revision: number; work: Work }>
  /** A look after a tool, on the work as it was at the start or after the previous look. */
  readonly look: (change?: (work: Work) => Work) => Promise<Looked | null>
  readonly edit: (plan: string) => Promise<void>
  /** Another process changes the work. */
  readonly meanwhile: (change: (work: Work) => Work) => Promise<void>
  readonly checkpoints: () => Promise<readonly string[]>
  readonly failOnce: () => void
  readonly toasts: readonly string[]
}

/** A started work that is looked at by hand. */
function started(run: (scene: Scene) => Promise<void>): Promise<void> {
  return withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    const edit = (plan: string) => writeFile(join(root, PLAN), plan)
    await edit(FIVE)
    const plugin = openPlugin(root)
    await plugin.startWork(LEAD, PLAN)
    await plugin.hooks.dispose?.()
    const store = openFileBoulderStore({ root })
    const toasts: string[] = []
    const disk = { fails: false }
    const base = shellIn(root)
    const update: Shell["store"]["update"] = async (change) => {
      if (!disk.fails) return store.update(change)
      disk.fails = false
      throw new Error("no space")
    }
    const shell: Shell = {
      ...base,
      ...readOptions({ long_run: { checkpoint_every: 3 } }),
      api: { ...base.api, toast: async (words) => void toasts.push(words) },
      store: { ...store, update },
    }
    const stored = async () => {
      const { boulder } = await store.read()
      const [work] = Object.values(boulder?.works ?? {})
      if (boulder === null || work === undefined) throw new Error("Expected a work, found none.")
      return { revision: boulder.revision, work }
    }
    let { work: gathered } = await stored()
    await run({
      ...{ shell, stored, edit, toasts },
      async look(change) {
        const reading = await shell.plans.read(PLAN)
        if (reading.kind !== "read") throw new Error(reading.message)
        const looked = await lookBehind(shell, { sessionId: LEAD, work: gathered, reading }, change)
        gathered = looked?.work ?? gathered
        return looked
      },
      async meanwhile(change) {
        const { work } = await stored()
        await store.update((before) => putWork(before, change(work)))
      },
      checkpoints: () =>
        readdir(join(root, ".boulder/works", gathered.work_id, "checkpoints")).catch(() => []),
      failOnce: () => {
        disk.fails = true
      },
    })
  })
}

/** The user writes to the lead session. */
function say({ sessions }: Shell): void {
  const message = { messageId: "msg_1", at: Date.now(), agent: "build", isUsers: true } as const
  sessions.note({ kind: "message-received", sessionId: LEAD, ...message })
}

describe("a look behind a tool", () => {
  test("that sees nothing new writes nothing", () =>
    started(async ({ look, stored }) => {
      const before = await stored()
      expect(await look()).toMatchObject({ ended: null, settledAlone: null })
      expect(await stored()).toEqual(before)
    }))
  test("counts what was settled, and says what was settled without a delegation", () =>
    started(async ({ look, edit, stored }) => {
      await edit(ticked(FIVE, "1"))
      expect(await look()).toMatchObject({ ended: null, settledAlone: "todo:1" })
      expect((await stored()).work.completed_count).toBe(1)
    }))
  test("writes what a call has changed with what it has seen, as one", () =>
    started(async ({ look, edit, stored }) => {
      const { revision } = await stored()
      await edit(ticked(FIVE, "1"))
      await look((work) => ({ ...work, agent: "plan" }))
      expect(await stored()).toMatchObject({
        revision: revision + 1,
        work: { agent: "plan", completed_count: 1 },
      })
    }))
  test("ends the round where it is due, once, with a checkpoint and a line in the journal", () =>
    started(async ({ shell, look, edit, stored, checkpoints }) => {
      await edit(THREE_DONE)
      expect((await look())?.ended).toEqual({ reason: "checkpoint-due", seq: 1 })
      const { work } = await stored()
      expect(work).toMatchObject({ checkpoint_seq: 1, round: { ended: "checkpoint-due" } })
      const [last] = (await shell.journal.readLast(1)).entries
      expect(last).toMatchObject({ decision: "end-round", facts: { checkpoint: 1, settled: 3 } })
      expect((await look())?.ended).toBeNull()
      expect(await checkpoints()).toHaveLength(1)
    }))
  test("13l: ends no round in a turn that the user has begun by the time of the write", () =>
    started(async ({ shell, look, edit, stored }) => {
      await edit(THREE_DONE)
      let looks = 0
      const looked = await look((work) => {
        looks += 1
        if (looks > 1) say(shell)
        return work
      })
      expect(looked?.ended).toBeNull()
      expect((await stored()).work.round.ended).toBeNull()
    }))
  test("13l: tells no end of a round once the user has written", () =>
    started(async ({ shell, look, edit }) => {
      await edit(THREE_DONE)
      const looked = await look()
      if (looked === null) throw new Error("Expected a look, found none.")
      expect((await toolTextBehind(shell, looked))?.next.kind).toBe("end")
      say(shell)
      expect((await toolTextBehind(shell, looked))?.next.kind).toBe("go-on")
    }))
  test("decides on the newest state: a round that another has ended meanwhile is not ended twice", () =>
    started(async ({ look, edit, meanwhile, stored }) => {
      await edit(THREE_DONE)
      await meanwhile((work) => ({ ...endRound("checkpoint-due", 1, 3)(work), completed_count: 3 }))
      expect((await look())?.ended).toBeNull()
      expect((await stored()).work.checkpoint_seq).toBe(1)
    }))
  test("changes nothing of a work that another session leads by now", () =>
    started(async ({ look, edit, meanwhile, stored }) => {
      await edit(THREE_DONE)
      await meanwhile(takeLead("ses_other", at(0), []))
      const before = await stored()
      expect(await look()).toBeNull()
      expect(await stored()).toEqual(before)
    }))
  test("whose write fails leaves a checkpoint that nobody misses: the next one takes its number", () =>
    started(async ({ look, edit, failOnce, checkpoints, stored }) => {
      await edit(THREE_DONE)
      failOnce()
      await expect(look()).rejects.toThrow("no space")
      expect((await stored()).work).toMatchObject({ checkpoint_seq: 0, round: { ended: null } })
      expect((await look())?.ended?.seq).toBe(1)
      expect(await checkpoints()).toHaveLength(1)
    }))
  test("says once that the limits do not fit the model", () =>
    started(async ({ shell, look, toasts }) => {
      const model = { contextLimit: 30_000, compactsAt: 25_000 }
      shell.sessions.note({ kind: "model-told", sessionId: LEAD, ...model })
      for (let times = 0; times < 2; times++) await look()
      expect(toasts).toHaveLength(1)
      expect(toasts[0]).toContain("30")
    }))
})
