// What is kept while the store is away, sent to a store in memory that can be away and lose its answers.
import { expect, test } from "bun:test"
import { readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { keptIn, lead, other, saying, until } from "../../../test/support/fleet-machines.ts"
import { withDesk } from "../../../test/support/handoff-scene.ts"
import { openMemoryHandoffStore } from "../../../test/support/memory-handoff-store.ts"
import { AlreadySaved, type HandoffStore } from "../handoffs/handoff-store.ts"
import { away } from "./away.ts"

/** `isDown` refuses all; `isDeaf` writes the next save and loses its answer. */
function aStoreThatCanBeAway() {
  const is = { down: false, deaf: false }
  const keys = new Set<string>()
  let inner: HandoffStore | undefined
  const gone = () => away("the database of the handoffs to answer", "nothing", "")
  const up = <Value>(run: () => Promise<Value>) => (is.down ? Promise.reject(gone()) : run())
  const keyed = (key: string, store: HandoffStore): HandoffStore => {
    const write = async <Value>(
      isWritten: (value: Value) => boolean,
      run: () => Promise<Value>,
    ) => {
      if (keys.has(key) && !is.down) throw new AlreadySaved()
      const value = await up(run)
      if (!isWritten(value)) return value
      keys.add(key)
      if (!is.deaf) return value
      is.deaf = false
      throw gone()
    }
    return {
      ...store,
      create: (make) =>
        write(
          (made) => made !== null,
          () => store.create(make),
        ),
      update: (id, change) =>
        write(
          ({ kind }) => kind === "changed",
          () => store.update(id, change),
        ),
    }
  }
  const handoffs = (now: () => number): HandoffStore => {
    inner ??= openMemoryHandoffStore({ project: "team" })
    const memory = inner
    const store: HandoffStore = {
      ...memory,
      open: async () =>
        is.down ? { handoffs: [], unreadable: [], now: now(), old: "away" } : memory.open(),
      read: (id) => up(() => memory.read(id)),
      lastOf: (id) => up(() => memory.lastOf(id)),
      create: (make) => up(() => memory.create(make)),
      update: (id, change) => up(() => memory.update(id, change)),
    }
    return { ...store, forCall: ({ key }) => (key === undefined ? store : keyed(key, store)) }
  }
  return { is, handoffs }
}

test("a save by an id that its process does not know marks the plan, though the answer to its sending is lost", () => {
  const { is, handoffs } = aStoreThatCanBeAway()
  return withDesk(
    async ({ desk, another, plan, root }) => {
      const first = await desk.save(lead, saying("blocked", "todo:1"))
      const id = first.kind === "saved" ? first.handoff.id : ""
      is.down = true
      await expect(desk.save(lead, saying("complete", id))).rejects.toThrow("do not save it again")
      expect(await plan()).toContain("- [~] 1. Add the login form")
      is.down = false
      is.deaf = true
      await another().open("build")
      await until(async () => !is.deaf)
      expect(await plan()).toContain("- [~] 1. Add the login form")
      await another().open("build")
      await until(async () => (await keptIn(root)).length === 0)
      expect(await plan()).toContain("- [x] 1. Add the login form")
    },
    { handoffs },
  )
})

test("what is kept waits while boulder.json is damaged, and is sent once it is repaired", () => {
  const { is, handoffs } = aStoreThatCanBeAway()
  return withDesk(
    async ({ desk, another, root }) => {
      is.down = true
      await desk.save(lead, saying("blocked", "todo:1", "kept"))
      const folder = join(root, ".boulder")
      const states = (await readdir(folder)).filter((name) => /boulder.*json/.test(name))
      const texts = await Promise.all(states.map((name) => readFile(join(folder, name), "utf8")))
      for (const name of states) await writeFile(join(folder, name), "{")
      is.down = false
      const waiting = await keptIn(root)
      // It sends what is kept first, and fails by itself.
      await expect(another().save(lead, saying("blocked", "todo:2"))).rejects.toThrow("boulder")
      expect(await keptIn(root)).toEqual(waiting)
      for (const [index, name] of states.entries())
        await writeFile(join(folder, name), texts[index] ?? "")
      await another().open("build")
      await until(async () => (await keptIn(root)).length === 0)
      expect((await desk.open("build")).handoffs.map(({ summary }) => summary)).toEqual(["kept"])
    },
    { handoffs },
  )
})

test("what cannot be read is told of once, and what else was kept is sent", () => {
  const { is, handoffs } = aStoreThatCanBeAway()
  const told: string[] = []
  return withDesk(
    async ({ desk, root }) => {
      is.down = true
      await desk.save(other("ses_b"), saying("blocked", "the importer", "kept words"))
      await desk.save(other("ses_c"), saying("blocked", "the exporter", "lost words"))
      const [, second = ""] = (await keptIn(root)).sort()
      const there = join(root, ".boulder/handoffs/away")
      await writeFile(join(there, second), "{")
      is.down = false
      await desk.open("build")
      await until(async () => (await keptIn(root)).length === 1)
      await desk.save(other("ses_d"), saying("blocked", "the printer", "later"))
      const { handoffs: seen } = await desk.open("build")
      expect(seen.map(({ summary }) => summary).sort()).toEqual(["kept words", "later"])
      expect(told).toEqual([expect.stringContaining(`.boulder/handoffs/away/${second}`)])
    },
    { handoffs, tell: (line) => void told.push(line) },
  )
})

test("while the store is away a save without a name is about what its session has saved before", () => {
  const { is, handoffs } = aStoreThatCanBeAway()
  return withDesk(
    async ({ desk }) => {
      is.down = true
      await desk.save(other("ses_b"), saying("in_progress", "the importer"))
      const next = { ...saying("complete", ""), task: null }
      expect(await desk.save(other("ses_b"), next)).toMatchObject({
        kind: "saved",
        handoff: { task_text: "the importer", status: "complete" },
      })
    },
    { handoffs },
  )
})
