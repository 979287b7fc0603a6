import { describe, expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { LEAD } from "../../../test/support/builders.ts"
import { planOf } from "../../../test/support/plans.ts"
import { openPlugin, type PluginInProcess } from "../../../test/support/plugin-in-process.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import type { Work } from "../../boulder/boulder.ts"
import { storeErrorFrom } from "../../store/disk/store-error.ts"
import { openFileBoulderStore } from "../../store/revisions/file-boulder-store.ts"
import { openSessions } from "../host/sessions.ts"

const PLAN = "plans/demo.md"

interface Scene {
  readonly plugin: PluginInProcess
  readonly deleted: (sessionId: string) => Promise<void>
  readonly work: () => Promise<Work | undefined>
  readonly isKnown: (sessionId: string) => boolean
  /** How many writes of the store fail. */
  readonly fail: (times: number) => void
}

/** A work whose child `ses_child` has used 50,000 tokens that nobody has booked, and that child's own child 7,000. */
function withSpent(run: (scene: Scene) => Promise<void>): Promise<void> {
  return withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, PLAN), planOf("Write a", "Write b"))
    const sessions = openSessions()
    const store = openFileBoulderStore({ root })
    let fails = 0
    const update: typeof store.update = async (change) => {
      if (!fails) return store.update(change)
      fails -= 1
      throw storeErrorFrom(new Error("no space"), { doing: "write", outcome: "" })
    }
    const plugin = openPlugin(root, { sessions, store: { ...store, update } })
    const tell = async (type: string, info: object) =>
      plugin.hooks.event?.({ event: { type, properties: { info } } as never })
    await plugin.startWork(LEAD, PLAN)
    await tell("session.created", { id: "ses_child", parentID: LEAD })
    await tell("session.created", { id: "ses_below", parentID: "ses_child" })
    await plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_child" })
    await plugin.tellTokens("ses_child", 50_000)
    await plugin.tellTokens("ses_below", 7_000)
    await run({
      plugin,
      deleted: async (id) => {
        await tell("session.deleted", { id })
      },
      work: async () => Object.values((await store.read()).boulder?.works ?? {})[0],
      isKnown: (id) => [...sessions.ids()].includes(id),
      fail: (times) => {
        fails = times
      },
    })
    await plugin.hooks.dispose?.()
  })
}

describe("what a session has spent", () => {
  test("is booked by the next idle of its lead", () =>
    withSpent(async ({ plugin, work }) => {
      await plugin.fallIdle(LEAD)
      expect((await work())?.tokens.spent).toBe(57_000)
    }))
  test("is booked before it is forgotten, for its task, with what ran below it", () =>
    withSpent(async ({ plugin, deleted, work, isKnown }) => {
      await deleted("ses_child")
      expect((await work())?.tokens.spent).toBe(57_000)
      expect((await work())?.task_sessions["todo:1"]?.cost).toMatchObject({
        unpriced_tokens: 57_000,
      })
      expect(isKnown("ses_child")).toBeFalse()
      await plugin.fallIdle(LEAD)
      expect((await work())?.tokens.spent).toBe(57_000)
    }))
  test("is booked once, also where the host tells of an answer again behind the deletion", () =>
    withSpent(async ({ plugin, deleted, work }) => {
      const answer = {
        ...{ id: "msg_a", sessionID: LEAD, role: "assistant", time: { created: 1 }, cost: 0 },
        tokens: { total: 900, input: 900, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
      }
      const tell = () =>
        plugin.hooks.event?.({
          event: {
            type: "message.updated",
            properties: { sessionID: LEAD, info: answer },
          } as never,
        })
      await tell()
      await deleted(LEAD)
      await tell()
      await plugin.startWork("ses_other", `${PLAN} --take-over`)
      expect((await work())?.lead_session_id).toBe("ses_other")
      expect((await work())?.tokens.spent).toBe(57_900)
    }))
  test("goes with it where it ran for no work, and is no other's", () =>
    withSpent(async ({ plugin, deleted, work, isKnown }) => {
      await plugin.tellTokens("ses_stranger", 900)
      await deleted("ses_stranger")
      expect(isKnown("ses_stranger")).toBeFalse()
      expect((await work())?.tokens.spent).toBe(0)
    }))
  test("where that cannot be written at all the session is forgotten all the same, and its lead keeps the sum", () =>
    withSpent(async ({ deleted, isKnown, fail, plugin, work }) => {
      fail(4)
      await deleted("ses_child")
      expect(isKnown("ses_child")).toBeFalse()
      await plugin.fallIdle(LEAD)
      expect((await work())?.tokens.spent).toBe(57_000)
      expect(plugin.logs.join()).toContain("no space")
    }))
})
