import { expect, test } from "bun:test"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { LEAD } from "../../../test/support/builders.ts"
import { ticked } from "../../../test/support/plans.ts"
import { openPlugin, type PluginInProcess } from "../../../test/support/plugin-in-process.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import { StoreError } from "../../store/disk/store-error.ts"
import { openFileBoulderStore } from "../../store/revisions/file-boulder-store.ts"
import { readOptions } from "../host/options.ts"
import { HostCallError } from "../host/session-api.ts"

const PLAN = "plans/demo.md"
const busy = {
  type: "session.status",
  properties: { sessionID: LEAD, status: { type: "busy" } },
}

/** The session becomes busy between the reservation and the prompt, as by a compaction; or the host refuses the prompt. */
async function scene(root: string, rows: string, options: object, refusals = 0) {
  let left = refusals
  const store = openFileBoulderStore({ root })
  const race: { of: PluginInProcess | null; isLost?: boolean; isUnread?: boolean } = { of: null }
  const isNewest: typeof store.isNewest = async (boulder) => {
    if (!race.isUnread) return store.isNewest(boulder)
    race.isUnread = false
    throw new StoreError({ code: "io", expected: "the state", found: "EIO", todo: "Check it." })
  }
  const update: typeof store.update = async (change) => {
    const before = (await store.read()).boulder
    const done = await store.update(change)
    const count = (b: typeof before) =>
      Object.values(b?.works ?? {}).reduce((sum, w) => sum + w.continuation.count, 0)
    if (race.isLost && count(done.boulder) > count(before)) {
      race.isLost = false
      const words = { expected: "the disk", found: "EIO", todo: "Check it." }
      throw new StoreError({ code: "not-durable", ...words })
    }
    if (race.of !== null && count(done.boulder) > count(before)) {
      const { of } = race
      race.of = null
      void of.hooks.event?.({ event: busy as never })
    }
    return done
  }
  await mkdir(join(root, "plans"))
  await writeFile(join(root, PLAN), `# Plan\n\n## TODOs\n\n${rows}`)
  const plugin = openPlugin(
    root,
    { store: { ...store, update, isNewest }, ...readOptions(options) },
    {
      prompt: async (_, text) => {
        left -= 1
        if (left >= 0) throw new HostCallError("session.promptAsync: 503")
        plugin.prompts.push(text)
      },
    },
  )
  await plugin.startWork(LEAD, PLAN)
  const work = async () => {
    const [only] = Object.values((await store.read()).boulder?.works ?? {})
    if (only === undefined) throw new Error("no work")
    return only
  }
  return { plugin, race, work }
}

const HELD_ROWS = "- [ ] 1. Do 1\n  Verify: `check 1`\n- [ ] 2. Do 2\n  Verify: `check 2`\n"
const NO_WAIT = { cooldown_seconds: 0, backoff_seconds: 0 }
const REQUIRE = { ticks: "require", orchestrator_writes: "allow", continuation: NO_WAIT }

test("a held task is not held once more by a continuation that was never sent (ticks: require)", () =>
  withFolder(async (root) => {
    const { plugin, race, work } = await scene(root, HELD_ROWS, REQUIRE)
    await writeFile(join(root, PLAN), ticked(await readFile(join(root, PLAN), "utf8"), "1"))
    await plugin.use(LEAD, "edit", { filePath: join(root, PLAN) })
    const times = async () => (await work()).held?.["todo:1"]?.times
    expect(await times()).toBe(1)
    for (const _ of [1, 2]) {
      race.of = plugin
      await plugin.fallIdle(LEAD)
      expect(race.of).toBeNull()
    }
    expect(plugin.prompts).toEqual([])
    expect((await work()).continuation.count).toBe(0)
    expect(await times()).toBe(1)
    await plugin.fallIdle(LEAD)
    expect(plugin.prompts[0]).toContain("todo:1")
    expect(plugin.prompts[0]).not.toContain("blocked")
    await plugin.hooks.dispose?.()
  }))

test("a held task is not held once more by prompts that the host refuses (ticks: require)", () =>
  withFolder(async (root) => {
    const { plugin, work } = await scene(root, HELD_ROWS, REQUIRE, 2)
    await writeFile(join(root, PLAN), ticked(await readFile(join(root, PLAN), "utf8"), "1"))
    await plugin.use(LEAD, "edit", { filePath: join(root, PLAN) })
    const { round } = await work()
    for (const failures of [1, 2]) {
      await plugin.fallIdle(LEAD)
      const after = await work()
      expect(after.held?.["todo:1"]).toMatchObject({ times: 1 })
      expect(after.held?.["todo:1"]?.asked).toBeUndefined()
      expect(after.round).toEqual(round)
      expect(after.continuation).toMatchObject({ count: 0, last_at: null, recent: [], failures })
    }
    await plugin.fallIdle(LEAD)
    expect(plugin.prompts[0]).toContain("todo:1")
    expect((await work()).held?.["todo:1"]).toMatchObject({ times: 1, asked: true })
    await plugin.hooks.dispose?.()
  }))

test.each([
  { of: "that no disk may hold", isLost: true },
  { of: "behind which the state cannot be read", isUnread: true },
])(
  "nothing stays reserved by a decision $of: the next look continues at once (ticks: require)",
  ({ of: _, ...how }) =>
    withFolder(async (root) => {
      const continuation = { ...NO_WAIT, cooldown_seconds: 600 }
      const { plugin, race, work } = await scene(root, HELD_ROWS, { ...REQUIRE, continuation })
      await writeFile(join(root, PLAN), ticked(await readFile(join(root, PLAN), "utf8"), "1"))
      await plugin.use(LEAD, "edit", { filePath: join(root, PLAN) })
      Object.assign(race, how)
      await plugin.fallIdle(LEAD)
      expect(race.isLost || race.isUnread).toBeFalsy()
      expect(plugin.prompts).toEqual([])
      const after = await work()
      expect(after.continuation).toMatchObject({ count: 0, last_at: null, recent: [] })
      expect(after.held?.["todo:1"]?.asked).toBeUndefined()
      await plugin.fallIdle(LEAD)
      expect(plugin.prompts).toHaveLength(1)
      await plugin.hooks.dispose?.()
    }),
)

const FIVE_ROWS = [1, 2, 3, 4, 5].map((n) => `- [ ] ${n}. Do ${n}\n`).join("")
const ROUNDS_OF_ONE = {
  orchestrator_writes: "allow",
  continuation: NO_WAIT,
  long_run: { checkpoint_every: 1 },
}

test("a round that was begun for a continuation that was never sent is given back", () =>
  withFolder(async (root) => {
    const { plugin, race, work } = await scene(root, FIVE_ROWS, ROUNDS_OF_ONE)
    await writeFile(join(root, PLAN), ticked(await readFile(join(root, PLAN), "utf8"), "1"))
    const said = await plugin.use(LEAD, "edit", { filePath: join(root, PLAN) })
    expect(said).toContain("the round is over")
    const before = (await work()).round
    race.of = plugin
    await plugin.fallIdle(LEAD)
    expect(race.of).toBeNull()
    expect(plugin.prompts).toEqual([])
    expect((await work()).round).toEqual(before)
    await plugin.hooks.dispose?.()
  }))

test("and so is one that was begun for a prompt that the host refuses", () =>
  withFolder(async (root) => {
    const { plugin, work } = await scene(root, FIVE_ROWS, ROUNDS_OF_ONE, 1)
    await writeFile(join(root, PLAN), ticked(await readFile(join(root, PLAN), "utf8"), "1"))
    await plugin.use(LEAD, "edit", { filePath: join(root, PLAN) })
    const before = (await work()).round
    await plugin.fallIdle(LEAD)
    expect((await work()).round).toEqual(before)
    await plugin.hooks.dispose?.()
  }))
