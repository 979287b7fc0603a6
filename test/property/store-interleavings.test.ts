import { expect, test } from "bun:test"
import fc from "fast-check"
import type { FilePort } from "../../src/store/disk/file-port.ts"
import type { BoulderStore } from "../../src/store/revisions/boulder-store.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { countOf, countUp, sumOf } from "../support/store-boulders.ts"
import { noteFigure } from "../support/store-figures.ts"
import { memoryFiles } from "../support/store-memory-files.ts"
import { hookedPort } from "../support/store-port-hooks.ts"

const ROOT = "/project"
/** A property that spawns no process: more runs with STORE_RUNS. */
const RUNS = Number(process.env["STORE_RUNS"] ?? 200)

/** Puts writers' operations one after the other in an order that the generated numbers choose. */
function turnstile(choices: readonly number[]) {
  const waiting: { writer: number; go: () => void }[] = []
  let next = 0
  const ask = (writer: number) =>
    new Promise<void>((go) => {
      waiting.push({ writer, go })
    })
  const run = async (isDone: () => boolean) => {
    for (let lastMs = performance.now(); performance.now() - lastMs < 2_000; ) {
      await new Promise((resolve) => setImmediate(resolve))
      if (isDone()) return
      if (waiting.length > 0) lastMs = performance.now()
      const index = (choices[next++ % choices.length] ?? 0) % Math.max(1, waiting.length)
      waiting.splice(index, 1)[0]?.go()
    }
  }
  return { ask, run }
}

interface Writer {
  readonly name: string
  acknowledged: number
  /** Updates begun; one of them may be lost or not when the writer stops for good. */
  begun: number
  isDone: boolean
}

function startWriter(
  files: FilePort,
  options: {
    name: string
    updates: number
    stopsAt: number
    failures: unknown[]
    ask: () => Promise<void>
  },
): Writer {
  const { name, updates, stopsAt, failures, ask } = options
  const writer: Writer = { name, acknowledged: 0, begun: 0, isDone: false }
  const before = async ({ index }: { index: number }) => {
    if (index === stopsAt) {
      writer.isDone = true
      await new Promise(() => undefined)
    }
    await ask()
  }
  const store = openFileBoulderStore({
    root: ROOT,
    files: hookedPort(files, { before }),
    pause: ask,
  })
  const work = async () => {
    for (let count = 0; count < updates; count++) {
      writer.begun += 1
      await store.update(countUp(name))
      writer.acknowledged += 1
    }
    writer.isDone = true
  }
  work().catch((error: unknown) => {
    // One that stopped for good runs into its time limit, long after its run.
    if (writer.isDone) return
    writer.isDone = true
    failures.push(error)
  })
  return writer
}

async function expectAllThere(store: BoulderStore, writers: readonly Writer[]): Promise<void> {
  const { boulder, notices } = await store.update(countUp("last"))
  for (const { name, acknowledged, begun } of writers) {
    expect(countOf(boulder, name)).toBeGreaterThanOrEqual(acknowledged)
    expect(countOf(boulder, name)).toBeLessThanOrEqual(begun)
  }
  // A power cut in the very first write may leave only its copy; restoring that is a revision without a count.
  expect(sumOf(boulder)).toBe(boulder.revision - notices.length)
}

const order = fc.array(fc.nat(7), { minLength: 50, maxLength: 400 })
const stops = fc.array(fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.nat(60)), {
  minLength: 2,
  maxLength: 4,
})

test("any order of the operations of several writers, some stopping for good, loses nothing", async () => {
  await fc.assert(
    fc.asyncProperty(order, stops, fc.integer({ min: 1, max: 4 }), async (choices, at, updates) => {
      const failures: unknown[] = []
      const files = memoryFiles(ROOT)
      const { ask, run } = turnstile(choices)
      const writers = at.map((stopsAt, index) =>
        startWriter(files, {
          name: `w${index}`,
          updates,
          stopsAt,
          failures,
          ask: () => ask(index),
        }),
      )
      await run(() => writers.every(({ isDone }) => isDone))
      expect(failures).toEqual([])
      expect(writers.every(({ isDone }) => isDone)).toBe(true)
      await expectAllThere(openFileBoulderStore({ root: ROOT, files }), writers)
    }),
    { numRuns: RUNS },
  )
  noteFigure(
    "2 to 4 writers, their operations in random orders, some stopping for good (model of a file system)",
    `${RUNS} orders, 0 acknowledged updates lost`,
  )
}, 600_000)

test("of several that find the file damaged one restores it, in any order of their operations", async () => {
  await fc.assert(
    fc.asyncProperty(order, stops, fc.integer({ min: 1, max: 3 }), async (choices, at, updates) => {
      const failures: unknown[] = []
      const files = memoryFiles(ROOT)
      const before = openFileBoulderStore({ root: ROOT, files })
      for (let count = 0; count < 3; count++) await before.update(countUp("before"))
      files.damage(`${ROOT}/.boulder/boulder.json`, "{")
      const { ask, run } = turnstile(choices)
      const writers = at.map((stopsAt, index) =>
        startWriter(files, {
          name: `w${index}`,
          updates,
          stopsAt,
          failures,
          ask: () => ask(index),
        }),
      )
      await run(() => writers.every(({ isDone }) => isDone))
      expect(failures).toEqual([])
      const store = openFileBoulderStore({ root: ROOT, files })
      await store.read()
      const { boulder } = await store.update(countUp("last"))
      expect(countOf(boulder, "before")).toBe(3)
      expect(sumOf(boulder)).toBe(boulder.revision - 1)
      for (const { name, acknowledged, begun } of writers) {
        expect(countOf(boulder, name)).toBeGreaterThanOrEqual(acknowledged)
        expect(countOf(boulder, name)).toBeLessThanOrEqual(begun)
      }
    }),
    { numRuns: RUNS },
  )
  noteFigure(
    "2 to 4 writers that find the file damaged, some stopping for good (model of a file system)",
    `${RUNS} orders, restored once each time, 0 acknowledged updates lost`,
  )
}, 600_000)

test("a power cut after any operation keeps every acknowledged update", async () => {
  await fc.assert(
    fc.asyncProperty(order, fc.nat(120), fc.nat(3), async (choices, cutAt, others) => {
      const files = memoryFiles(ROOT)
      const { ask, run } = turnstile(choices)
      let steps = 0
      const isCut = () => steps > cutAt
      const cutting = async () => {
        await ask(0)
        steps += 1
        if (isCut()) await new Promise(() => undefined)
      }
      const writers = Array.from({ length: others + 1 }, (_, index) =>
        startWriter(files, {
          name: `w${index}`,
          updates: 6,
          stopsAt: Number.POSITIVE_INFINITY,
          failures: [],
          ask: cutting,
        }),
      )
      await run(() => writers.every(({ isDone }) => isDone) || isCut())
      let picks = 0
      files.cutPower((count) => (choices[picks++ % choices.length] ?? 0) % count)
      await expectAllThere(openFileBoulderStore({ root: ROOT, files }), writers)
    }),
    { numRuns: RUNS },
  )
  noteFigure(
    "a power cut at a random operation of 1 to 4 writers (model of a file system)",
    `${RUNS} cuts, 0 acknowledged updates lost`,
  )
}, 600_000)
