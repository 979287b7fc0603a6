// How long a call waits, whatever each of its statements takes.
import { expect, test } from "bun:test"
import { claimHandoff } from "../../src/boulder/handoff-changes.ts"
import { openDatabase } from "../../src/store/fleet/database.ts"
import { openPostgresHandoffStore } from "../../src/store/fleet/postgres-handoff-store.ts"
import * as sql from "../../src/store/fleet/postgres-sql.ts"
import { type FakeAnswer, startFakePostgres } from "../support/fake-postgres.ts"
import { other, saying } from "../support/fleet-machines.ts"
import { aHandoff, anActor, idOf } from "../support/handoff-builders.ts"
import { withDesk } from "../support/handoff-scene.ts"

const SLOW_MS = 1_200
/** 2.5 s, and what a busy machine adds. */
const LIMIT_MS = 3_000

/** A server that takes so long for each statement, once `is.slow`: it knows no settled record, and takes no write. */
async function withSlowServer(
  run: (given: { url: string; is: { slow: boolean } }) => Promise<void>,
): Promise<void> {
  const is = { slow: false }
  const record = JSON.stringify(aHandoff({ scope: { project: "team", agent: "build" } }))
  const row = { record, machine: "m", revision: "1", now: `${Date.now()}`, version: "1" }
  const answer = (text: string): FakeAnswer => {
    if (text === sql.IS_MADE) return [{ made: "t" }]
    if (text === sql.READ_VERSION) return [{ version: "1" }]
    if (text === sql.OPEN || text === sql.READ) return [row]
    return []
  }
  const { url, end } = await startFakePostgres(answer, () => (is.slow ? SLOW_MS : 0))
  try {
    await run({ url, is })
  } finally {
    end()
  }
}

async function timed<Value>(work: Promise<Value>): Promise<{ ms: number; came: Value | string }> {
  const begun = performance.now()
  const came = await work.catch(String)
  return { ms: performance.now() - begun, came }
}

test.each([
  { what: "opening and a list", isOpened: false },
  { what: "a claim whose write is taken by nobody", isOpened: true },
])("$what of statements that each take 1.2 s ends within 2.5 s", ({ isOpened }) =>
  withSlowServer(async ({ url, is }) => {
    const database = openDatabase({ url: async () => url, root: "/" })
    const store = openPostgresHandoffStore({ database, scope: "team", now: Date.now })
    if (isOpened) await store.open()
    is.slow = true
    const { ms, came } = await timed<unknown>(
      isOpened ? store.update(idOf(1), claimHandoff(anActor("ses_a"))) : store.open(),
    )
    expect(ms).toBeLessThan(LIMIT_MS)
    expect(JSON.stringify(came)).toContain("no answer within its time")
    await database.close()
  }),
)

test("what a tool asks of its desk ends within 2.5 s, and a save within one, each as a whole", () =>
  withSlowServer(async ({ url, is }) => {
    const database = openDatabase({ url: async () => url, root: "/" })
    await withDesk(
      async ({ desk }) => {
        await desk.open("build")
        is.slow = true
        const calls = {
          list: () => desk.open("build"),
          claim: () => desk.get(other("ses_a"), idOf(1), true),
          "claim by a session": () => desk.get(other("ses_a"), "ses_unknown", true),
        }
        for (const [what, call] of Object.entries(calls)) {
          const { ms } = await timed<unknown>(call())
          expect({ what, isInTime: ms < LIMIT_MS }).toEqual({ what, isInTime: true })
        }
        const { ms, came } = await timed(desk.save(other("ses_a"), saying("blocked", "todo:1")))
        expect(came).toMatchObject({ kind: "saved", kept: expect.anything() })
        expect(ms).toBeLessThan(1_500)
      },
      { handoffs: (now) => openPostgresHandoffStore({ database, scope: "team", now }) },
    )
    await database.close()
  }))
