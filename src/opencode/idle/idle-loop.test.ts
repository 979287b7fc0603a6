import { expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { LEAD } from "../../../test/support/builders.ts"
import { waitUntil } from "../../../test/support/host-wait.ts"
import { planOf } from "../../../test/support/plans.ts"
import { openPlugin, type PluginInProcess } from "../../../test/support/plugin-in-process.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import type { Boulder } from "../../boulder/boulder.ts"
import { stop } from "../../boulder/change-work.ts"
import { storeErrorFrom } from "../../store/disk/store-error.ts"
import { openJournal } from "../../store/records/journal.ts"
import { openFileBoulderStore } from "../../store/revisions/file-boulder-store.ts"

const OTHER = "ses_other"

const turn = {
  messageId: "msg_1",
  createdAt: 1_790_000_000_000,
  ours: false,
  error: null as string | null,
  ended: false,
  contextTokens: 0,
  isSummary: true,
  isUnanswered: false,
}
const failuresIn = async (root: string) => {
  const { boulder } = await openFileBoulderStore({ root }).read()
  return Object.values((boulder as Boulder).works)[0]?.continuation.failures
}

/** A work whose lead's last turn is half written when the host reports its idle. */
function withHalfWritten(
  run: (scene: {
    plugin: PluginInProcess
    root: string
    write: (given: Partial<typeof turn>) => void
  }) => Promise<void>,
): Promise<void> {
  return withFolder(async (root) => {
    let lastTurn = turn
    await mkdir(join(root, "plans"))
    await writeFile(join(root, "plans/demo.md"), planOf("Write a", "Write b"))
    const identity = { agent: null, model: null, variant: null }
    const plugin = openPlugin(
      root,
      {},
      { lastTurn: async () => ({ lastTurn, failure: null, identity, model: null }) },
    )
    await plugin.startWork(LEAD, "plans/demo.md")
    await plugin.fallIdle(LEAD)
    const write = (given: Partial<typeof turn>) => {
      lastTurn = { ...turn, ...given }
    }
    await run({ plugin, root, write })
    await plugin.hooks.dispose?.()
  })
}

test("a turn that is half written at its idle is no success: its failure is counted when it is there", () =>
  withHalfWritten(async ({ plugin, root, write }) => {
    expect(plugin.prompts).toEqual([])
    write({ error: "APIError" })
    await plugin.fallIdle(LEAD)
    expect(plugin.prompts).toEqual([])
    expect(await failuresIn(root)).toBe(1)
  }))

test("one that went well goes on with the idle behind it", () =>
  withHalfWritten(async ({ plugin, root, write }) => {
    write({ ended: true })
    await plugin.fallIdle(LEAD)
    expect(plugin.prompts).toHaveLength(1)
    expect(await failuresIn(root)).toBe(0)
  }))

test("one that stays so has died with its host, and holds nothing up: it is looked at again", () =>
  withHalfWritten(async ({ plugin, root }) => {
    await plugin.fallIdle(LEAD)
    expect(plugin.prompts).toEqual([])
    await waitUntil(
      () => plugin.prompts.length > 0,
      () => "nothing was prompted",
    )
    expect(plugin.prompts).toHaveLength(1)
    expect(await failuresIn(root)).toBe(0)
  }))

test("what was gathered says stop, and the newest state says go on: superseded, and nothing is reserved", () =>
  withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, "plans/demo.md"), planOf("Write a", "Write b"))
    const store = openFileBoulderStore({ root })
    let isBehind = false
    const behind = async () => {
      const { boulder, notices } = await store.read()
      const works = Object.entries(boulder?.works ?? {}).map(([id, work]) => [id, stop(work)])
      const stopped = boulder && {
        ...boulder,
        works: Object.fromEntries(works) as Boulder["works"],
      }
      return { boulder: isBehind ? stopped : boulder, notices }
    }
    const plugin = openPlugin(root, { store: { ...store, read: behind } })
    await plugin.startWork(LEAD, "plans/demo.md")
    const continuationNow = async () =>
      Object.values((await store.read()).boulder?.works ?? {}).map((work) => work.continuation)
    const before = await continuationNow()
    isBehind = true
    await plugin.fallIdle(LEAD)
    isBehind = false
    expect(plugin.prompts).toEqual([])
    expect(await continuationNow()).toEqual(before)
    const { entries } = await openJournal({ root }).readLast(1)
    expect(entries).toMatchObject([{ decision: "retry", reason: "superseded" }])
    await plugin.hooks.dispose?.()
  }))

test("the looks at a session come one behind the other, also one that is asked for while another waits", () =>
  withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, "plans/demo.md"), planOf("Write a", "Write b"))
    const identity = { agent: null, model: null, variant: null }
    const looks = { now: 0, most: 0, all: 0 }
    const lastTurn = async () => {
      looks.now += 1
      looks.all += 1
      looks.most = Math.max(looks.most, looks.now)
      await Bun.sleep(50)
      looks.now -= 1
      return { lastTurn: turn, failure: null, identity, model: null }
    }
    const plugin = openPlugin(root, {}, { lastTurn })
    await plugin.startWork(LEAD, "plans/demo.md")
    const first = plugin.fallIdle(LEAD)
    const second = plugin.fallIdle(LEAD)
    await first
    await Promise.all([second, plugin.fallIdle(LEAD)])
    expect({ ...looks, all: looks.all > 2 }).toEqual({ now: 0, most: 1, all: true })
    await plugin.hooks.dispose?.()
  }))

test("a look behind a compaction waits for the look that was under way before it", () =>
  withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, "plans/demo.md"), planOf("Write a", "Write b"))
    const identity = { agent: null, model: null, variant: null }
    const looks = { now: 0, most: 0 }
    const lastTurn = async () => {
      looks.now += 1
      looks.most = Math.max(looks.most, looks.now)
      await Bun.sleep(200)
      looks.now -= 1
      return { lastTurn: turn, failure: null, identity, model: null }
    }
    const plugin = openPlugin(root, {}, { lastTurn })
    await plugin.startWork(LEAD, "plans/demo.md")
    const first = plugin.fallIdle(LEAD)
    await waitUntil(
      () => looks.now === 1,
      () => "the first look has not begun",
    )
    const properties = { sessionID: LEAD }
    await plugin.hooks.event?.({ event: { type: "session.compacted", properties } as never })
    await Promise.all([first, plugin.fallIdle(LEAD)])
    expect(looks).toEqual({ now: 0, most: 1 })
    await plugin.hooks.dispose?.()
  }))

test("a disk that takes no write is told to the user once, until a look is made again", () =>
  withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, "plans/demo.md"), planOf("Write a", "Write b"))
    const disk = { isFull: false }
    const store = openFileBoulderStore({ root })
    const full = storeErrorFrom(Object.assign(new Error("no space left"), { code: "ENOSPC" }), {
      doing: "write boulder.json",
      outcome: "Nothing was written.",
    })
    const plugin = openPlugin(
      root,
      {
        store: {
          ...store,
          update: async (change) => {
            if (disk.isFull) throw full
            return store.update(change)
          },
        },
      },
      {},
    )
    await plugin.startWork(LEAD, "plans/demo.md")
    await writeFile(join(root, "plans/other.md"), planOf("Write c"))
    await plugin.startWork(OTHER, "plans/other.md")
    const said = () => plugin.toasts.filter((text) => text.includes("not continued"))
    disk.isFull = true
    for (let times = 0; times < 2; times++) await plugin.fallIdle(LEAD)
    expect(said()).toEqual([
      "The plan is not continued: Expected to write boulder.json; found no space left. Nothing was written. Free some space on this disk and try again. The plugin tries again by itself.",
    ])
    // The same failure for another work is reported for that one too.
    for (let times = 0; times < 2; times++) await plugin.fallIdle(OTHER)
    const errors = await openJournal({ root }).readLast(9, ({ decision }) => decision === "error")
    expect(errors.entries.map(({ session }) => session)).toEqual([LEAD, OTHER])
    disk.isFull = false
    await plugin.fallIdle(LEAD)
    expect(plugin.prompts).toHaveLength(1)
    disk.isFull = true
    await plugin.fallIdle(LEAD)
    expect(said()).toHaveLength(3)
    await plugin.hooks.dispose?.()
  }))
