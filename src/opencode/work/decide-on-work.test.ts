import { expect, test } from "bun:test"
import { at, aWork, LEAD, NOW } from "../../../test/support/builders.ts"
import { openMemoryBoulderStore } from "../../../test/support/memory-boulder-store.ts"
import { type Boulder, emptyBoulder, type Work } from "../../boulder/boulder.ts"
import { putWork } from "../../boulder/change-work.ts"
import { StoreError } from "../../store/disk/store-error.ts"
import type { BoulderStore } from "../../store/revisions/boulder-store.ts"
import { openSessions } from "../host/sessions.ts"
import { decideOnWork } from "./decide-on-work.ts"

const work = aWork({ updated_at: at(-60) })
const stateOf = (given: Work) => putWork(emptyBoulder(), given)

function shellOn(store: BoulderStore, tokens: number) {
  const sessions = openSessions()
  const spent = { messageId: "msg_1", tokens, output: 1, usd: null, isFinal: true }
  sessions.note({ kind: "assistant-started", sessionId: LEAD, createdAt: NOW, at: NOW, spent })
  const process = { id: "p", isElsewhere: async () => false }
  return { store, sessions, process, now: () => NOW }
}

/** A store that loses its first attempt to another process, which has put `newer` there by the second. */
function contended(newer: Work): BoulderStore {
  const store = openMemoryBoulderStore(stateOf(newer))
  return {
    ...store,
    update: (change) => {
      change(stateOf(work))
      return store.update(change)
    },
  }
}

const paused = (newest: Work) => ({
  work: { ...newest, status: "paused" as const },
  seen: newest.completed_count,
})

test("where the store asks twice, the second state decides, and its tokens are booked once", async () => {
  const shell = shellOn(contended({ ...work, completed_count: 7 }), 500)
  const decided = await decideOnWork(shell, work, paused)
  expect(decided?.made.seen).toBe(7)
  expect(decided?.work.completed_count).toBe(7)
  expect(decided?.work.updated_at).toBe(at(0))
  expect(decided?.work.tokens.spent).toBe(work.tokens.spent + 500)
  expect(shell.sessions.of(LEAD).spent.tokens).toBe(0)
})

test("a store that throws gives the tokens back, and the error on", async () => {
  const store = openMemoryBoulderStore(stateOf(work))
  const update = async (): Promise<never> => {
    throw new Error("disk full")
  }
  const shell = shellOn({ ...store, update }, 500)
  await expect(decideOnWork(shell, work, paused)).rejects.toThrow("disk full")
  expect(shell.sessions.of(LEAD).spent.tokens).toBe(500)
})

test("of a revision that is in place, though no disk holds it yet, the tokens are booked once", async () => {
  const store = openMemoryBoulderStore(stateOf(work))
  const update: BoulderStore["update"] = async (change) => {
    await store.update(change)
    const words = { expected: "the disk", found: "EIO", todo: "Check it." }
    throw new StoreError({ code: "not-durable", ...words })
  }
  const shell = shellOn({ ...store, update }, 500)
  await expect(decideOnWork(shell, work, paused)).rejects.toThrow("EIO")
  expect((await store.read()).boulder?.works[work.work_id]?.tokens.spent).toBe(
    work.tokens.spent + 500,
  )
  expect(shell.sessions.of(LEAD).spent.tokens).toBe(0)
})

test.each([
  { name: "nothing is written without tokens", tokens: 0, changed: false },
  { name: "tokens are booked without a stamp", tokens: 500, changed: true },
])("the very same work: $name", async ({ tokens, changed }) => {
  const store = openMemoryBoulderStore(stateOf(work))
  const written: boolean[] = []
  const update: BoulderStore["update"] = async (change) => {
    const done = await store.update(change)
    written.push(done.changed)
    return done
  }
  const before: Boulder | null = (await store.read()).boulder
  const decided = await decideOnWork(shellOn({ ...store, update }, tokens), work, (newest) => ({
    work: newest,
  }))
  expect(written).toEqual([changed])
  expect(decided?.work.updated_at).toBe(work.updated_at)
  expect(decided?.boulder === before).toBe(!changed)
})
