import { expect, test } from "bun:test"
import { away } from "../../src/store/fleet/away.ts"
import type { HandoffDesk } from "../../src/store/handoffs/handoff-desk.ts"
import type { HandoffStore, StoreCall } from "../../src/store/handoffs/handoff-store.ts"
import { keptIn, lead, other, saying, sharedPostgres, until } from "../support/fleet-machines.ts"
import { withDesk } from "../support/handoff-scene.ts"

const server = sharedPostgres()
const { machine, seen } = server

test("what one machine saves another lists, claims and completes", () =>
  withDesk(
    async ({ desk: here }) => {
      await here.save(lead, saying("blocked", "todo:1"))
      await withDesk(
        async ({ desk: there, plan }) => {
          const [handoff] = (await there.open("build")).handoffs
          expect(handoff).toMatchObject({ work_id: "demo", task_key: "todo:1" })
          const id = handoff?.id ?? ""
          expect(await there.get(other("ses_b"), id, true)).toMatchObject({ claimed: true })
          expect(await here.get(other("ses_c"), id, true)).toMatchObject({
            reason: "held-by-other",
          })
          expect(await there.save(other("ses_b"), saying("complete", id))).toMatchObject({
            mark: { kind: "marked", key: "todo:1", state: "done" },
          })
          expect(await plan()).toContain("- [x] 1. Add the login form")
        },
        { handoffs: machine() },
      )
    },
    { handoffs: machine() },
  ))

test("while the database is away a save is kept, the plan is marked, and the list says that it may be old", () =>
  withDesk(
    async ({ desk, plan, root }) => {
      await desk.save(lead, saying("blocked", "todo:2", "before"))
      await server.kill()
      const outcome = await desk.save(lead, saying("complete", "todo:1", "meanwhile"))
      expect(outcome).toMatchObject({
        kind: "saved",
        mark: { kind: "marked", state: "done" },
        kept: expect.stringContaining("found nothing listening there"),
      })
      expect(await plan()).toContain("- [x] 1. Add the login form")
      expect(await keptIn(root)).toHaveLength(1)
      const { handoffs, old } = await desk.open("build")
      expect(handoffs.map(({ summary }) => summary)).toEqual(["before"])
      expect(old).toContain("the database of the handoffs")
    },
    { handoffs: machine() },
  ))

test("what was kept is brought over by itself when the database is back, once and in order", () =>
  withDesk(
    async ({ desk, root }) => {
      await server.kill()
      for (const summary of ["one", "two", "three"])
        await desk.save(lead, saying("blocked", "todo:1", summary))
      await desk.save(other("ses_b"), saying("blocked", "the importer", "four"))
      expect(await keptIn(root)).toHaveLength(4)
      await server.start()
      await until(async () => (await keptIn(root)).length === 0)
      expect(await seen()).toEqual(["four", "three"])
      const [handoff] = (await machine()(Date.now).open()).handoffs.filter(
        ({ task_key }) => task_key === "todo:1",
      )
      expect(handoff?.history.map(({ summary }) => summary)).toEqual(["one", "two"])
    },
    { handoffs: machine() },
  ))

test("a save that the database took and never answered is not written twice", () =>
  withDesk(
    async ({ desk, root }) => {
      const outcome = await desk.save(lead, saying("blocked", "todo:1", "once"))
      expect(outcome).toMatchObject({ kind: "saved", kept: expect.anything() })
      await until(async () => (await keptIn(root)).length === 0)
      await desk.save(lead, saying("blocked", "todo:1", "twice"))
      const [handoff] = (await machine()(Date.now).open()).handoffs
      expect(handoff?.history.map(({ summary }) => summary)).toEqual(["once"])
    },
    { handoffs: (now) => deafAfterCommit(machine()(now)) },
  ))

test("words about a record that another has settled meanwhile are kept as a record of their own", () =>
  withDesk(
    async ({ desk: here, root }) => {
      const saved = await here.save(other("ses_a"), saying("blocked", "the importer", "stuck"))
      const id = saved.kind === "saved" ? saved.handoff.id : ""
      const elsewhere = machine()(Date.now)
      await elsewhere.update(id, (handoff, now) => ({
        ...handoff,
        settled_at: new Date(now).toISOString(),
      }))
      await server.kill()
      await here.save(other("ses_a"), saying("blocked", id, "stuck again"))
      await server.start()
      await until(async () => (await keptIn(root)).length === 0)
      expect(await seen()).toEqual(["stuck again"])
    },
    { handoffs: machine() },
  ))

test("what is kept while earlier saves are being sent is sent too", () => {
  const gate = Promise.withResolvers<void>()
  return withDesk(
    async ({ desk, root }) => {
      const saves = ["one", "two"].map((task) =>
        desk.save(other(`ses_${task}`), saying("blocked", task, task)),
      )
      await until(async () => (await keptIn(root)).length === 2)
      gate.resolve()
      await Promise.all(saves)
      await until(async () => (await keptIn(root)).length === 0)
      expect(await seen()).toEqual(["one", "two"])
    },
    { handoffs: (now) => slowlyBack(machine()(now), gate.promise) },
  )
})

test("nobody's lease is lost while nobody can be asked", () =>
  withDesk(
    async ({ desk }) => {
      const { handoff } = await taken(desk)
      await server.kill()
      expect(await desk.renew("ses_a", handoff.id)).toBe(true)
    },
    { handoffs: machine() },
  ))

async function taken(desk: HandoffDesk) {
  const outcome = await desk.save(other("ses_a"), saying("in_progress", "the importer"))
  if (outcome.kind !== "saved") throw new Error("Expected a record; found none.")
  return outcome
}

/** The connection breaks behind the first write that is committed: nobody hears that it was. */
function deafAfterCommit(store: HandoffStore) {
  let isDeaf = true
  const forCall = (call: StoreCall) => {
    const inner = store.forCall?.(call) ?? store
    return {
      ...inner,
      create: async (make: Parameters<typeof inner.create>[0]) => {
        const made = await inner.create(make)
        if (!isDeaf) return made
        isDeaf = false
        throw away("the database of the handoffs to answer", "the connection reset", "")
      },
    }
  }
  return { ...store, forCall }
}

/**
 * Away for the first write of each save, and the second of these fails only once the first is being sent anew; what is
 * sent waits for `gate`.
 */
function slowlyBack(store: HandoffStore, gate: Promise<void>) {
  const sent = Promise.withResolvers<void>()
  const keys = new Set<string>()
  const forCall = (call: StoreCall) => {
    const inner = store.forCall?.(call) ?? store
    return {
      ...inner,
      create: async (make: Parameters<typeof inner.create>[0]) => {
        const { key = "" } = call
        if (keys.has(key)) {
          sent.resolve()
          await gate
          return inner.create(make)
        }
        keys.add(key)
        if (keys.size > 1) await sent.promise
        throw away("the database of the handoffs to answer", "the connection reset", "")
      },
    }
  }
  return { ...store, forCall }
}
