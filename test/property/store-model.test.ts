import { expect, test } from "bun:test"
import { readdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import fc from "fast-check"
import type { BoulderStore } from "../../src/store/revisions/boulder-store.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { openMemoryBoulderStore } from "../support/memory-boulder-store.ts"
import { countOf, countUp } from "../support/store-boulders.ts"
import { withFolder } from "../support/store-folder.ts"

/** The plain object: what any store has to hold after the same commands. */
interface Model {
  revision: number
  counts: Record<string, number>
}

interface Real {
  stores: BoulderStore[]
  open(): BoulderStore
  /** Null for a store that has no file to damage. */
  root: string | null
}

type Command = fc.AsyncCommand<Model, Real>

const always = () => true

async function expectSame(model: Model, store: BoulderStore): Promise<void> {
  const { boulder } = await store.read()
  expect(boulder?.revision ?? 0).toBe(model.revision)
  const counts = Object.keys(model.counts).map((name) => [name, countOf(boulder, name)])
  expect(Object.fromEntries(counts)).toEqual(model.counts)
}

const pick = (real: Real, index: number): BoulderStore =>
  real.stores[index % real.stores.length] ?? real.open()

function update(index: number, name: string): Command {
  return {
    check: always,
    run: async (model, real) => {
      model.revision += 1
      model.counts[name] = (model.counts[name] ?? 0) + 1
      const { boulder, changed } = await pick(real, index).update(countUp(name))
      expect([changed, boulder.revision]).toEqual([true, model.revision])
    },
    toString: () => `update(${index}, ${name})`,
  }
}

function updateManyAtOnce(updates: readonly (readonly [number, string])[]): Command {
  return {
    check: always,
    run: async (model, real) => {
      await Promise.all(updates.map(([index, name]) => pick(real, index).update(countUp(name))))
      model.revision += updates.length
      for (const [, name] of updates) model.counts[name] = (model.counts[name] ?? 0) + 1
    },
    toString: () => `updateManyAtOnce(${JSON.stringify(updates)})`,
  }
}

function changeNothing(index: number): Command {
  return {
    check: always,
    run: async (_, real) => {
      expect((await pick(real, index).update((boulder) => boulder)).changed).toBe(false)
    },
    toString: () => `changeNothing(${index})`,
  }
}

function breakTheSchema(index: number): Command {
  return {
    check: always,
    run: async (_, real) => {
      const works = { bad: {} } as never
      const broken = pick(real, index).update((boulder) => ({ ...boulder, works }))
      await expect(broken).rejects.toMatchObject({ code: "invalid-change" })
    },
    toString: () => `breakTheSchema(${index})`,
  }
}

function openAnother(): Command {
  return {
    check: always,
    run: async (_, real) => {
      real.stores.push(real.open())
    },
    toString: () => "openAnother()",
  }
}

/** Damages or removes the file in place; the copy beside it brings everything back, as one revision more. */
function damage(text: string | null): Command {
  return {
    check: (model) => model.revision > 1,
    run: async (model, real) => {
      if (real.root === null) return
      const file = join(real.root, ".boulder", "boulder.json")
      if (text === null) await rm(file)
      else await writeFile(file, text)
      model.revision += 1
      await expectSame(model, pick(real, 0))
    },
    toString: () => `damage(${text})`,
  }
}

function readAll(): Command {
  return {
    check: always,
    run: async (model, real) => {
      for (const store of real.stores) await expectSame(model, store)
      if (real.root !== null && model.revision > 0) {
        const names = await readdir(join(real.root, ".boulder"))
        expect(names.filter((name) => /\.(tmp|copy)$/.test(name))).toEqual([])
      }
    },
    toString: () => "readAll()",
  }
}

const index = fc.nat(3)
const name = fc.constantFrom("a", "b", "c")
const commands = fc.commands(
  [
    fc.tuple(index, name).map(([at, of]) => update(at, of)),
    fc.array(fc.tuple(index, name), { minLength: 2, maxLength: 6 }).map(updateManyAtOnce),
    index.map(changeNothing),
    index.map(breakTheSchema),
    fc.constant(openAnother()),
    fc.constantFrom(null, "", "{", '{"schema_version":3}').map(damage),
    fc.constant(readAll()),
  ],
  { maxCommands: 30 },
)

test("the file store holds what a plain object holds, whatever the commands", async () => {
  const run = fc.asyncProperty(commands, (cmds) =>
    withFolder(async (root) => {
      const open = () => openFileBoulderStore({ root, pause: async () => undefined })
      const model: Model = { revision: 0, counts: {} }
      await fc.asyncModelRun(() => ({ model, real: { stores: [open()], open, root } }), cmds)
      await expectSame(model, open())
    }),
  )
  await fc.assert(run, { numRuns: 60 })
}, 60_000)

test("the memory store holds what a plain object holds, whatever the commands", async () => {
  const undamaged = fc.asyncProperty(commands, async (cmds) => {
    const store = openMemoryBoulderStore()
    const model: Model = { revision: 0, counts: {} }
    const real: Real = { stores: [store], open: () => store, root: null }
    const kept = [...cmds].filter((command) => !command.toString().startsWith("damage"))
    await fc.asyncModelRun(() => ({ model, real }), kept)
    await expectSame(model, store)
  })
  await fc.assert(undamaged, { numRuns: 100 })
})
