import { describe, expect, test } from "bun:test"
import { mkdir, readdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { LEAD } from "../../../test/support/builders.ts"
import { planOf, ticked } from "../../../test/support/plans.ts"
import { openPlugin, type PluginInProcess } from "../../../test/support/plugin-in-process.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import type { Change, Work } from "../../boulder/boulder.ts"
import { WAVE_HEADER } from "../../decide/final-wave.ts"
import { openJournal } from "../../store/records/journal.ts"
import type { BoulderStore } from "../../store/revisions/boulder-store.ts"
import { openFileBoulderStore } from "../../store/revisions/file-boulder-store.ts"
import { readOptions } from "../host/options.ts"

const PLAN = "plans/demo.md"
const TWO = planOf("Write a", "Write b")
const CHECKED = "# D\n\n## TODOs\n\n- [ ] 1. Log in\n  Verify: `npm test`\n- [ ] 2. Log out\n"
const WAVE = "# D\n\n## TODOs\n\n- [x] 1. Write\n\n## Final Verification Wave\n\n- [ ] F1. Audit\n"

interface Scene {
  readonly plugin: PluginInProcess
  readonly store: BoulderStore
  readonly root: string
  /** The next read or the next write of the store fails once. */
  readonly fail: (what: "read" | "update") => void
  /** How often an act asks the store to write while none of its writes succeeds. */
  readonly triesOf: (act: () => Promise<unknown>) => Promise<number>
  readonly work: () => Promise<Work | undefined>
  readonly tell: (type: string, properties: object) => Promise<void>
}

function started(run: (scene: Scene) => Promise<void>, plan = TWO): Promise<void> {
  return withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, PLAN), plan)
    const store = openFileBoulderStore({ root })
    const failing = new Set<string>()
    const down = { is: false, tries: 0 }
    const unless = (what: string): void => {
      if (down.is && what === "update") {
        down.tries += 1
        throw new Error("the disk is full")
      }
      if (failing.delete(what)) throw new Error("the disk is busy once")
    }
    const given: BoulderStore = {
      ...store,
      read: async () => {
        unless("read")
        return store.read()
      },
      update: async (change: Change) => {
        unless("update")
        return store.update(change)
      },
    }
    const options = readOptions({ continuation: { cooldown_seconds: 0 } })
    const plugin = openPlugin(root, { ...options, store: given })
    await plugin.startWork(LEAD, PLAN)
    await run({
      plugin,
      store: given,
      root,
      fail: (what) => failing.add(what),
      triesOf: async (act) => {
        down.is = true
        await act()
        down.is = false
        return down.tries
      },
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
    test("of what a lead has spent whose session is deleted", () =>
      started(async ({ plugin, fail, work, tell }) => {
        await plugin.tellTokens(LEAD, 50_000)
        fail(what)
        await tell("session.deleted", { info: { id: LEAD } })
        expect((await work())?.cost.unpriced_tokens).toBe(50_000)
      }))
    test("of a wait of the host's for the provider, of the lead or of a subagent", () =>
      started(async ({ plugin, fail, work, tell }) => {
        const next = Date.now() + 3_600_000
        const status = { type: "retry", attempt: 1, message: "limit", next }
        const during = async () => {
          fail(what)
          await tell("session.status", { sessionID: "ses_child", status })
          expect((await work())?.task_sessions["todo:1"]?.interrupted).toBeDefined()
        }
        await plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_child", during })
        fail(what)
        await tell("session.status", { sessionID: LEAD, status })
        expect((await work())?.limited).not.toBeNull()
      }))
    test("of a compaction's count", () =>
      started(async ({ fail, work, tell }) => {
        fail(what)
        await tell("session.compacted", { sessionID: LEAD })
        expect((await work())?.compactions.epoch).toBe(1)
      }))
  },
)

test("a check as the first tool behind a restart is seen, though the store cannot be read once", () =>
  started(async ({ plugin, root, fail, store }) => {
    await plugin.hooks.dispose?.()
    const next = openPlugin(root, { ...readOptions({ orchestrator_writes: "allow" }), store })
    await next.say(LEAD, "go on")
    fail("read")
    await next.bash(LEAD, "npm test")
    await writeFile(join(root, PLAN), ticked(CHECKED, "1"))
    await Bun.sleep(150)
    expect(await next.use(LEAD, "read")).not.toContain("npm test")
    await next.hooks.dispose?.()
  }, CHECKED))

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

const REFUSED = "ses_child"
describe("while no write succeeds, what comes once is tried four times and no more: nobody waits longer than 1.5 s", () => {
  test.each<{ what: string; act: (scene: Scene) => Promise<unknown> }>([
    { what: "a word to the lead", act: ({ plugin }) => plugin.say(LEAD, "go on") },
    { what: "a word to a refused subagent", act: ({ plugin }) => plugin.say(REFUSED, "use git") },
    { what: "another refusal", act: (scene) => refuses(scene, "per_2") },
    {
      what: "the end of a refused subagent",
      act: ({ tell }) => tell("session.deleted", { info: { id: REFUSED } }),
    },
    {
      what: "the end of the lead",
      act: ({ tell }) => tell("session.deleted", { info: { id: LEAD } }),
    },
  ])("$what", ({ act }) =>
    started(async (scene) => {
      await scene.tell("session.created", { info: { id: REFUSED, parentID: LEAD } })
      await refuses(scene, "per_1")
      await Bun.sleep(5)
      expect(await scene.triesOf(() => act(scene))).toBe(4)
    }),
  )
})

async function refuses({ tell }: Scene, requestID: string): Promise<void> {
  await tell("permission.asked", { id: requestID, sessionID: REFUSED, permission: "bash" })
  await tell("permission.replied", { sessionID: REFUSED, requestID, reply: "reject" })
}
