// A claim of what was listed a moment ago: one statement, and never by this machine's clock.
import { afterEach, expect, test } from "bun:test"
import { claimHandoff } from "../../src/boulder/handoff-changes.ts"
import { msOf } from "../../src/boulder/iso-time.ts"
import { type Database, openDatabase } from "../../src/store/fleet/database.ts"
import { openPostgresHandoffStore } from "../../src/store/fleet/postgres-handoff-store.ts"
import { sharedPostgres } from "../support/fleet-machines.ts"
import { aHandoff, anActor, idOf } from "../support/handoff-builders.ts"

const { machine, url } = sharedPostgres()
const opened: Database[] = []
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close()
})

/** A machine whose clock is set by the test, and how many statements it has asked. */
function aMachine() {
  const database = openDatabase({ url: async () => url(), root: "/" })
  opened.push(database)
  const is = { skewMs: 0, asked: 0 }
  const counted: Database = {
    ...database,
    ask: (text, values) => {
      is.asked += 1
      return database.ask(text, values)
    },
  }
  const now = () => Date.now() + is.skewMs
  return { is, store: openPostgresHandoffStore({ database: counted, scope: "team", now }) }
}

const inTeam = (number: number) => () =>
  aHandoff({ id: idOf(number), scope: { project: "team", agent: "build" } })
const claiming = (session: string, leaseMs = 60_000) => claimHandoff(anActor(session, { leaseMs }))

test("a claim of what was listed is one statement, as is one of what was read", async () => {
  const { is, store } = aMachine()
  for (const number of [1, 2]) await store.create(inTeam(number))
  await store.open()
  is.asked = 0
  expect((await store.update(idOf(1), claiming("ses_a"))).kind).toBe("changed")
  expect(is.asked).toBe(1)
  await store.read(idOf(1))
  is.asked = 0
  expect((await store.update(idOf(1), claiming("ses_a"))).kind).toBe("changed")
  expect(is.asked).toBe(1)
})

test("what another has claimed since the list is refused, and so is nothing else", async () => {
  const { store } = aMachine()
  for (const number of [1, 2]) await store.create(inTeam(number))
  await store.open()
  await machine()(Date.now).update(idOf(1), claiming("ses_b"))
  expect(await store.update(idOf(1), claiming("ses_a"))).toMatchObject({
    kind: "refused",
    reason: "held-by-other",
  })
  expect((await store.update(idOf(2), claiming("ses_a"))).kind).toBe("changed")
})

test.each([{ skewMs: 600_000 }, { skewMs: -600_000 }, { skewMs: 4_000 }])(
  "a clock that jumps by $skewMs ms behind the list takes no lease that runs, and gives none of another length",
  async ({ skewMs }) => {
    const { is, store } = aMachine()
    for (const number of [1, 2]) await store.create(inTeam(number))
    await machine()(Date.now).update(idOf(1), claiming("ses_b", 2_000))
    await store.open()
    is.skewMs = skewMs
    const taken = await store.update(idOf(1), claiming("ses_a"))
    expect(taken).toMatchObject({ kind: "refused", reason: "held-by-other" })
    await store.open()
    is.skewMs += skewMs
    const before = Date.now()
    const mine = await store.update(idOf(2), claiming("ses_a"))
    const until = msOf((mine.kind === "changed" && mine.handoff.claim?.lease_until) || "")
    expect(until - 60_000).toBeGreaterThan(before - 5_500)
    expect(until - 60_000).toBeLessThanOrEqual(Date.now() + 50)
  },
)
