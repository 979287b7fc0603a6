import { expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import type { Handoff } from "../../src/boulder/handoff.ts"
import { claimHandoff } from "../../src/boulder/handoff-changes.ts"
import { msOf } from "../../src/boulder/iso-time.ts"
import { offersOf } from "../../src/decide/handoff-offers.ts"
import { openFileHandoffStore } from "../../src/store/handoffs/handoff-file-store.ts"
import { projectScope } from "../../src/store/handoffs/handoff-scope.ts"
import { aHandoff, anActor, FIRST, idOf, SECOND } from "../support/handoff-builders.ts"
import type { HandoffTask } from "../support/handoff-process.ts"
import { noteFigure } from "../support/store-figures.ts"
import { withFolder } from "../support/store-folder.ts"
import { type Runtime, startPrograms } from "../support/store-processes.ts"

const PROGRAM = join(import.meta.dir, "..", "support", "handoff-process.ts")
const start = await startPrograms<HandoffTask>(PROGRAM)
const RUNTIMES: readonly Runtime[] = ["bun", "node"]
const PROCESSES = 8
const TASKS = 200
const SUBJECTS = 50
const LONG_MS = 3_600_000

async function withHandoffs(count: number, run: (root: string) => Promise<void>): Promise<void> {
  await withFolder(async (root) => {
    const store = openFileHandoffStore({ root })
    const scope = { project: projectScope(root), agent: null }
    for (let number = 1; number <= count; number++)
      await store.create(() => aHandoff({ id: idOf(number), scope }))
    await run(root)
  })
}

/** Lets every process do the same at once; gives the ids that each has noted. */
async function all(root: string, kind: "claim-all" | "complete-all") {
  const noted = await Promise.all(
    Array.from({ length: PROCESSES }, async (_, index) => {
      const acks = join(root, `${kind}-${index}`)
      const session = `ses_racer${index}`
      const runtime = RUNTIMES[index % 2] ?? "bun"
      const { ended } = start(runtime, { kind, root, session, leaseMs: LONG_MS, acks })
      expect(await ended).toMatchObject({ code: 0, err: "" })
      return existsSync(acks) ? readFileSync(acks, "utf8").split("\n").filter(Boolean) : []
    }),
  )
  return new Map(noted.flatMap((ids, index) => ids.map((id) => [id, `ses_racer${index}`])))
}

const everyId = Array.from({ length: TASKS }, (_, index) => idOf(index + 1))

test(
  `${PROCESSES} processes of Bun and Node claim ${TASKS} tasks: each is claimed exactly once`,
  () =>
    withHandoffs(TASKS, async (root) => {
      const store = openFileHandoffStore({ root })
      const startedMs = performance.now()
      const claimed = await all(root, "claim-all")
      const tookMs = performance.now() - startedMs
      expect([...claimed.keys()].sort()).toEqual(everyId)
      const { handoffs, unreadable } = await store.open()
      expect(unreadable).toEqual([])
      expect(new Map(handoffs.map(({ id, claim }) => [id, claim?.session_id ?? ""]))).toEqual(
        claimed,
      )
      const lines = await Promise.all(
        Array.from({ length: PROCESSES }, async (_, index) => {
          const acks = join(root, `claim-all-${index}`)
          return existsSync(acks)
            ? readFileSync(acks, "utf8").split("\n").filter(Boolean).length
            : 0
        }),
      )
      expect(lines.reduce((sum, count) => sum + count, 0)).toBe(TASKS)
      expect(lines.filter((count) => count > 0).length).toBeGreaterThan(1)
      const files = await readdir(join(root, ".boulder", "handoffs"))
      expect(files.filter((name) => name.endsWith(".json"))).toHaveLength(TASKS)
      expect(files.filter((name) => name.endsWith(".tmp"))).toEqual([])
      noteFigure(
        `${PROCESSES} processes (Bun and Node 20) claim ${TASKS} handoffs, all in the same order`,
        `each claimed exactly once (${lines.join(", ")} a process), ${(tookMs / 1_000).toFixed(1)} s`,
      )

      expect(await all(root, "complete-all")).toEqual(claimed)
      expect((await store.open()).handoffs).toEqual([])
      const settled = await readdir(join(root, ".boulder", "handoffs", "settled"))
      expect(settled.sort()).toEqual(everyId.map((id) => `${id}.json`))
      expect(await readdir(join(root, ".boulder", "handoffs"))).toEqual(["settled"])
    }),
  400_000,
)

test(
  `${PROCESSES} processes of Bun and Node save on ${SUBJECTS} subjects: one record a subject, every save in it`,
  () =>
    withFolder(async (root) => {
      const noted = await Promise.all(
        Array.from({ length: PROCESSES }, async (_, index) => {
          const acks = join(root, `save-all-${index}`)
          const session = `ses_racer${index}`
          const runtime = RUNTIMES[index % 2] ?? "bun"
          const task = { kind: "save-all", root, session, leaseMs: LONG_MS, acks } as const
          const { ended } = start(runtime, { ...task, subjects: SUBJECTS })
          expect(await ended).toMatchObject({ code: 0, err: "" })
          return readFileSync(acks, "utf8").split("\n").filter(Boolean)
        }),
      )
      const saves = noted.flat()
      expect(saves).toHaveLength(PROCESSES * SUBJECTS * 2)
      const { handoffs, unreadable } = await openFileHandoffStore({ root }).open()
      expect(unreadable).toEqual([])
      expect(handoffs.map(({ id }) => id).sort()).toEqual([...new Set(saves)].sort())
      expect(new Set(handoffs.map(({ task_text }) => task_text)).size).toBe(SUBJECTS)
      expect(handoffs).toHaveLength(SUBJECTS)
      // What was said before goes to the history: with what stands now each save is there.
      for (const { history } of handoffs) expect(history).toHaveLength(PROCESSES * 2 - 1)
      noteFigure(
        `${PROCESSES} processes (Bun and Node 20) save twice on ${SUBJECTS} subjects, all in the same order`,
        `${saves.length} saves, ${handoffs.length} records, no save lost`,
      )
    }),
  600_000,
)

test.each(RUNTIMES)(
  "a claimer in %s that is killed: offered again once its lease is over, not before",
  (runtime) =>
    withHandoffs(1, async (root) => {
      const store = openFileHandoffStore({ root })
      const holder = { kind: "hold", root, id: idOf(1), session: SECOND, leaseMs: 1_000 } as const
      const { child, ended } = start(runtime, holder)
      const isOffered = async (now: number) => {
        const { handoffs } = await store.open()
        return offersOf(handoffs, { sessionId: FIRST, now }).offers.length > 0
      }
      const first = await leaseBehind(0)
      // It works on: what it does makes the lease last.
      await leaseBehind(first)
      expect(await isOffered(first)).toBe(false)
      child.kill("SIGKILL")
      await ended
      const until = await leaseBehind(first)
      expect(await isOffered(until - 1)).toBe(false)
      expect(await isOffered(until)).toBe(true)
      const next = claimHandoff(anActor("ses_next"))
      const claim = await store.update(idOf(1), (handoff) => next(handoff, until))
      expect(claim).toMatchObject({
        kind: "changed",
        handoff: { attempts: 2, claim: { session_id: "ses_next" } },
      })
      const silence = claim.kind === "changed" ? claim.handoff.history.at(-1) : null
      expect(silence).toMatchObject({ session_id: SECOND, status: "silent" })

      /** The end of the lease, once it is later than this. */
      async function leaseBehind(ms: number): Promise<number> {
        for (;;) {
          const claim = (await store.read(idOf(1)))?.claim ?? null
          const end = claim === null ? 0 : msOf(claim.lease_until)
          if (end > ms) return end
          await wait(5)
        }
      }
    }),
  240_000,
)

const CHANGES = [
  { doing: "claim", runtime: "node" },
  { doing: "complete", runtime: "bun" },
] as const

test.each(CHANGES)(
  "SIGKILL before and after every operation of $doing in $runtime",
  async ({ doing, runtime }) => {
    const counts = { kills: 0, old: 0, new: 0 }
    const dieAt = async (at: number, when: "before" | "after") => {
      let wasKilled = false
      await withHandoffs(1, async (root) => {
        const store = openFileHandoffStore({ root })
        const before = await store.read(idOf(1))
        const common = { root, session: SECOND, leaseMs: 1_000 }
        const { ended } = start(runtime, { ...common, kind: "die", id: idOf(1), doing, at, when })
        const { signal, err } = await ended
        expect(err).toBe("")
        wasKilled = signal === "SIGKILL"
        const after = await store.read(idOf(1))
        const isNew = isChanged(doing, after)
        counts[isNew ? "new" : "old"] += 1
        if (!isNew) expect(after).toEqual(before)
        await expectGoesOn(root, after?.settled_at === null ? 1 : 0)
      })
      return wasKilled
    }
    for (let at = 0; at < 200; at++) {
      const [before, after] = await Promise.all([dieAt(at, "before"), dieAt(at, "after")])
      if (!before && !after) break
      counts.kills += 2
    }
    expect(counts.kills).toBeGreaterThan(20)
    expect(counts.old).toBeGreaterThan(0)
    expect(counts.new).toBeGreaterThan(0)
    noteFigure(
      `SIGKILL before and after every operation of a handoff's ${doing}, in ${runtime}`,
      `${counts.kills} of ${counts.kills} survived: the old record or the new one, and the next change worked`,
    )
  },
  600_000,
)

function isChanged(doing: "claim" | "complete", handoff: Handoff | null): boolean {
  return doing === "claim" ? handoff?.claim !== null : handoff?.settled_at !== null
}

/** A record that is not settled can be claimed after the lease; a settled one is out of the way. */
async function expectGoesOn(root: string, open: number): Promise<void> {
  const store = openFileHandoffStore({ root })
  const next = claimHandoff(anActor("ses_next"))
  const claim = await store.update(idOf(1), (handoff) => next(handoff, Date.now() + 2_000))
  expect(claim.kind).toBe(open === 0 ? "refused" : "changed")
  expect((await store.open()).handoffs).toHaveLength(open)
  const files = await readdir(join(root, ".boulder", "handoffs"))
  expect(files.filter((name) => name.endsWith(".json"))).toHaveLength(open)
}
