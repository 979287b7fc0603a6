import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import type { Handoff } from "../../src/boulder/handoff.ts"
import { claimHandoff, saveHandoff, settleHandoff } from "../../src/boulder/handoff-changes.ts"
import type { FilePort } from "../../src/store/disk/file-port.ts"
import { createHandoff } from "../../src/store/handoffs/create-handoff.ts"
import { openFileHandoffStore } from "../../src/store/handoffs/handoff-file-store.ts"
import { projectScope } from "../../src/store/handoffs/handoff-scope.ts"
import type { HandoffStore } from "../../src/store/handoffs/handoff-store.ts"
import { openRecordFiles } from "../../src/store/records/record-files.ts"
import { aHandoff, anActor, idOf, someProgress, timed } from "../support/handoff-builders.ts"
import { noteFigure } from "../support/store-figures.ts"
import { memoryFiles } from "../support/store-memory-files.ts"
import { hookedPort, type PortStep } from "../support/store-port-hooks.ts"

const ROOT = "/project"
const RUNS = Number(process.env["STORE_RUNS"] ?? 200)
const ID = idOf(1)
const record = () => aHandoff({ scope: { project: projectScope(ROOT), agent: null }, summary: "" })

function storeOn(files: FilePort, pause: () => Promise<void>): HandoffStore {
  return openFileHandoffStore({
    root: ROOT,
    records: openRecordFiles({ root: ROOT, files }),
    pause,
  })
}

/** Adds a letter; an update lost or done twice shows in how often it stands there. */
const sayLetter = (letter: string) => (handoff: Handoff) => ({
  ...handoff,
  summary: handoff.summary + letter,
})

/** Lets one writer go on at a time, in an order that the generated numbers choose. */
function turnstile(choices: readonly number[]) {
  const waiting: (() => void)[] = []
  let next = 0
  const ask = () => new Promise<void>((go) => waiting.push(go))
  const run = async (isDone: () => boolean): Promise<void> => {
    while (!isDone()) {
      await new Promise((resolve) => setImmediate(resolve))
      const index = (choices[next++ % choices.length] ?? 0) % Math.max(1, waiting.length)
      waiting.splice(index, 1)[0]?.()
    }
  }
  return { ask, run }
}

/** Runs the jobs, each on a store of its own, in the chosen order of their single file operations. */
async function interleaved<Result>(
  files: FilePort,
  choices: readonly number[],
  jobs: readonly ((store: HandoffStore) => Promise<Result>)[],
): Promise<readonly Result[]> {
  const { ask, run } = turnstile(choices)
  let open = jobs.length
  const all = jobs.map((job) =>
    job(storeOn(hookedPort(files, { before: ask }), ask)).finally(() => {
      open -= 1
    }),
  )
  await run(() => open === 0)
  return Promise.all(all)
}

const choices = fc.oneof(
  fc.array(fc.nat(7), { minLength: 1, maxLength: 40 }),
  // One writer runs far ahead of the others: they sleep through several revisions.
  fc.array(fc.constantFrom(0, 6, 6, 6, 7), { minLength: 8, maxLength: 60 }),
)

describe("whatever the order of the single file operations", () => {
  test("exactly one of several claims is given", async () => {
    await fc.assert(
      fc.asyncProperty(choices, fc.integer({ min: 2, max: 4 }), async (order, count) => {
        const files = memoryFiles(ROOT)
        await storeOn(files, async () => undefined).create(() => record())
        const jobs = Array.from(
          { length: count },
          (_, index) => (store: HandoffStore) =>
            store.update(ID, timed(0, claimHandoff(anActor(`ses_${index}`)))),
        )
        const claims = await interleaved(files, order, jobs)
        expect(claims.filter(({ kind }) => kind === "changed")).toHaveLength(1)
        expect(claims.filter(({ kind }) => kind === "refused")).toHaveLength(count - 1)
      }),
      { numRuns: RUNS },
    )
  }, 120_000)

  test("no acknowledged change is lost, none is done twice, and a reader sees only what counts", async () => {
    await fc.assert(
      fc.asyncProperty(choices, async (order) => {
        const files = memoryFiles(ROOT)
        const plain = storeOn(files, async () => undefined)
        await plain.create(() => record())
        const writers = ["a", "b", "c"].map((letter) => async (store: HandoffStore) => {
          for (let time = 0; time < 4; time++) await store.update(ID, sayLetter(letter))
        })
        const seen: string[] = []
        const reader = async (store: HandoffStore) => {
          for (let time = 0; time < 4; time++) {
            seen.push((await store.open()).handoffs[0]?.summary ?? "none")
            seen.push((await store.read(ID))?.summary ?? "none")
          }
        }
        await interleaved(files, order, [...writers, reader])
        const summary = (await plain.read(ID))?.summary ?? ""
        expect([...summary].sort().join("")).toBe("aaaabbbbcccc")
        expect(files.names().filter((name) => name.startsWith(ID))).toHaveLength(1)
        let last = ""
        for (const one of seen) {
          expect(summary.startsWith(one) && one.startsWith(last)).toBe(true)
          last = one
        }
      }),
      { numRuns: RUNS },
    )
    noteFigure(
      "3 writers and a reader of one handoff, their operations in random orders (model of a file system)",
      `${RUNS} orders, no change lost, none done twice, nothing else read`,
    )
  }, 120_000)

  test("all who open a subject's record meet in one; each that is settled is followed by one", async () => {
    await fc.assert(
      fc.asyncProperty(choices, fc.integer({ min: 2, max: 4 }), async (order, count) => {
        const files = memoryFiles(ROOT)
        const say = async (store: HandoffStore, letter: string): Promise<void> => {
          const make = (id: string) => ({ ...record(), id, summary: letter })
          const isPast = (one: Handoff) => one.settled_at !== null
          const { handoff, isNew } = await createHandoff(store, { subject: "s", make, isPast })
          const update = isNew ? null : await store.update(handoff.id, sayLetter(letter))
          if (update !== null && update.kind !== "changed") await say(store, letter)
        }
        const settle = async (store: HandoffStore) => {
          for (let time = 0; time < 3; time++)
            for (const { id } of (await store.open()).handoffs)
              await store.update(id, settleHandoff(true))
        }
        const letters = [..."abcdefgh"].slice(0, 2 * count)
        const writers = Array.from({ length: count }, (_, index) => async (store: HandoffStore) => {
          for (const letter of letters.slice(2 * index, 2 * index + 2)) await say(store, letter)
        })
        await interleaved(files, order, [...writers, settle])
        const plain = storeOn(files, async () => undefined)
        expect((await plain.open()).handoffs.length).toBeLessThanOrEqual(1)
        const ids = new Set(files.names().map((name) => name.slice(0, ID.length)))
        const records = await Promise.all([...ids].map((id) => plain.read(id)))
        const said = records.flatMap((one) => [...(one?.summary ?? "")])
        expect(said.sort()).toEqual(letters)
      }),
      { numRuns: RUNS },
    )
  }, 120_000)

  test("complete settles once, and nothing comes back", async () => {
    await fc.assert(
      fc.asyncProperty(choices, async (order) => {
        const files = memoryFiles(ROOT)
        const plain = storeOn(files, async () => undefined)
        await plain.create(() => record())
        const complete = timed(
          1,
          saveHandoff(anActor("ses_done"), someProgress({ status: "complete" })),
        )
        const jobs = [
          (store: HandoffStore) => store.update(ID, complete),
          (store: HandoffStore) => store.update(ID, complete),
          (store: HandoffStore) => store.update(ID, sayLetter("a")),
          async (store: HandoffStore) => {
            await store.update(ID, sayLetter("b"))
            await store.update(ID, sayLetter("c"))
            return store.update(ID, sayLetter("d"))
          },
        ]
        const done = await interleaved(files, order, jobs)
        expect(done.slice(0, 2).filter(({ kind }) => kind === "changed")).toHaveLength(1)
        expect((await plain.open()).handoffs).toEqual([])
        expect((await plain.read(ID))?.settled_at).not.toBeNull()
        expect(files.names().filter((name) => name.startsWith(ID))).toEqual([`${ID}.json`])
      }),
      { numRuns: RUNS },
    )
  }, 120_000)
})

describe("a writer that sleeps before any one operation while others write", () => {
  test.each([1, 2, 3, 4, 8, 40])("%i times", async (times) => {
    for (let at = 0; at < 100; at++) {
      const files = memoryFiles(ROOT)
      const plain = storeOn(files, async () => undefined)
      await plain.create(() => record())
      let slept = false
      const sleeper = hookedPort(files, {
        before: async ({ index }) => {
          if (index !== at) return
          slept = true
          for (let time = 0; time < times; time++) await plain.update(ID, sayLetter("b"))
        },
      })
      const update = await storeOn(sleeper, async () => undefined).update(ID, sayLetter("a"))
      expect(update.kind).toBe("changed")
      const summary = (await plain.read(ID))?.summary ?? ""
      expect([...summary].sort().join("")).toBe(`a${slept ? "b".repeat(times) : ""}`)
      if (!slept) break
      expect(at).toBeLessThan(99)
    }
  })
})

/** A writer that stops once before the operation that `isHere` points at, until it is told to go on. */
function stopping(files: FilePort, isHere: (step: PortStep) => boolean) {
  const stopped = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  let count = 0
  const before = async (step: PortStep) => {
    if (count > 0 || !isHere(step)) return
    count += 1
    stopped.resolve()
    await goOn.promise
  }
  return { files: hookedPort(files, { before }), stopped: stopped.promise, goOn: goOn.resolve }
}

test("a second sleeper in a name that is free again does not deceive the first", async () => {
  const pause = async () => undefined
  for (let at = 0; at < 100; at++) {
    const files = memoryFiles(ROOT)
    const plain = storeOn(files, pause)
    await plain.create(() => record())
    const afterLink = stopping(files, ({ operation }) => operation === "syncFolder")
    const beforeLink = stopping(afterLink.files, ({ operation }) => operation === "link")
    const taking = storeOn(beforeLink.files, pause).update(ID, sayLetter("t"))
    await beforeLink.stopped
    const first = stopping(files, ({ index }) => index === at)
    const asking = storeOn(first.files, pause).update(ID, sayLetter("a"))
    const isOver = await Promise.race([first.stopped.then(() => false), asking.then(() => true)])
    for (let time = 0; time < 4; time++) await plain.update(ID, sayLetter("b"))
    beforeLink.goOn()
    await afterLink.stopped
    first.goOn()
    expect((await asking).kind).toBe("changed")
    afterLink.goOn()
    await taking
    expect([...((await plain.read(ID))?.summary ?? "")].sort().join("")).toBe("abbbbt")
    if (isOver) return
  }
})
