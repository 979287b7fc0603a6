import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import {
  claimHandoff,
  type HandoffActor,
  type HandoffChange,
  renewHandoff,
  saveHandoff,
} from "../../src/boulder/handoff-changes.ts"
import { msOf } from "../../src/boulder/iso-time.ts"
import { openDatabase } from "../../src/store/fleet/database.ts"
import { openPostgresHandoffStore } from "../../src/store/fleet/postgres-handoff-store.ts"
import * as sql from "../../src/store/fleet/postgres-sql.ts"
import { openFileHandoffStore } from "../../src/store/handoffs/handoff-file-store.ts"
import { projectScope } from "../../src/store/handoffs/handoff-scope.ts"
import type { HandoffStore } from "../../src/store/handoffs/handoff-store.ts"
import { openRecordFiles } from "../../src/store/records/record-files.ts"
import { NOW } from "../support/builders.ts"
import { aHandoff, anActor, idOf, someProgress } from "../support/handoff-builders.ts"
import { parseTrace, TRACES, type Trace } from "../support/lease-traces.ts"
import { openPostgres, type PostgresServer } from "../support/postgres-server.ts"
import { setClock, stillClock } from "../support/still-clock.ts"
import { withFolder } from "../support/store-folder.ts"

const MINUTE_MS = 60_000
/** As in the model. */
const LEASE_MS = 4 * MINUTE_MS
const SESSIONS = ["ses_a", "ses_b", "ses_c"]
const traces = readFileSync(TRACES, "utf8").trim().split("\n").map(parseTrace)

/** Holds a session between what it has read and what it writes. */
class Gate {
  #come: () => void = () => undefined
  #go: (isAlive: boolean) => void = () => undefined
  /** Resolves when the session stands before a write. */
  come = this.#next()

  #next(): Promise<void> {
    return new Promise((resolve) => {
      this.#come = resolve
    })
  }

  pass(): Promise<void> {
    this.#come()
    return new Promise((resolve, reject) => {
      this.#go = (isAlive) => (isAlive ? resolve() : reject(new Error("dead")))
    })
  }

  go(isAlive: boolean): void {
    this.come = this.#next()
    this.#go(isAlive)
  }
}

/** The same handoffs, as each session sees them from its own machine, and what nobody holds up. */
interface Machines {
  readonly plain: HandoffStore
  readonly stores: ReadonlyMap<string, { readonly store: HandoffStore; readonly gate: Gate }>
  setMinute(minute: number): Promise<void>
  revisionOf(id: string): Promise<number>
}

const CHANGES: Readonly<Record<string, (actor: HandoffActor) => HandoffChange>> = {
  claim: claimHandoff,
  renew: renewHandoff,
  block: (actor) => saveHandoff(actor, someProgress()),
  complete: (actor) => saveHandoff(actor, someProgress({ status: "complete" })),
}

async function replay(machines: Machines, id: string, { states }: Trace): Promise<void> {
  const { plain, stores } = machines
  const under = new Map<string, Promise<string>>()
  await plain.create(() =>
    aHandoff({ id, work_id: "demo", scope: { project: plain.scope, agent: null } }),
  )
  const begin = (session: string, wants: string) => {
    const actor = anActor(session, { leaseMs: LEASE_MS })
    const change = CHANGES[wants]?.(actor)
    const { store } = stores.get(session) ?? {}
    if (store === undefined || change === undefined) throw new Error("Expected a session.")
    const came = store
      .update(id, change)
      .then((update) => (update.kind === "refused" ? update.reason : update.kind))
    under.set(
      session,
      came.catch(() => "dead"),
    )
  }
  const step = async ({ now, did: { step: what, session, wants } }: Trace["states"][number]) => {
    if (what === "init" || what === "passes") {
      await machines.setMinute(now)
      return ""
    }
    const gate = stores.get(session)?.gate
    if (what === "begins") begin(session, wants)
    else gate?.go(what === "writes")
    return Promise.race([under.get(session), gate?.come.then(() => "about to write")])
  }
  const asItIs = async () => {
    const found = await plain.read(id)
    const settled = found?.settled_at != null
    const claimed = found?.claim == null ? 0 : (msOf(found.claim.claimed_at) - NOW) / MINUTE_MS
    const revision = settled ? null : await machines.revisionOf(id)
    return { revision, holder: found?.claim?.session_id ?? "", claimed, settled }
  }
  for (const [at, state] of states.entries()) {
    const came = await step(state)
    const { record, did } = state
    const expected = { ...record, revision: record.settled ? null : record.revision }
    expect({ at, did: { ...did, came }, ...(await asItIs()) }).toEqual({ at, did, ...expected })
  }
  for (const { gate } of stores.values()) gate.go(false)
  await Promise.all(under.values())
}

describe("what the model of lease and revision does, the stores do", () => {
  test("the traces show what can happen to a claim, and to whoever holds one", () => {
    const kinds = traces.flatMap(({ states }) =>
      states.map(({ did }) => `${did.step} ${did.wants} ${did.came}`.trim()),
    )
    const of = (step: string, wants: string, came: readonly string[]) =>
      came.map((one) => `${step} ${wants} ${one}`)
    const asked = ["about to write", "settled"]
    expect(kinds).toEqual(
      expect.arrayContaining([
        ...of("begins", "claim", [...asked, "held-by-other"]),
        ...of("begins", "renew", [...asked, "not-held", "still-fresh"]),
        ...of("begins", "block", [...asked, "held-by-other", "unclaimed"]),
        ...of("begins", "complete", [...asked, "held-by-other", "unclaimed"]),
        ...of("writes", "claim", [...asked, "changed", "held-by-other"]),
        ...of("writes", "renew", ["changed", "not-held"]),
        ...of("writes", "block", ["changed"]),
        ...of("writes", "complete", ["changed", "held-by-other"]),
        ...["claim", "renew", "block", "complete"].map((wants) => `dies ${wants} dead`),
      ]),
    )
  })

  test(`in files: ${traces.length} traces`, () =>
    withFolder(async (root) => {
      await mkdir(join(root, ".boulder"))
      let minute = 0
      const records = openRecordFiles({ root })
      const storeOn = (given: typeof records) =>
        openFileHandoffStore({
          root,
          records: given,
          pause: async () => undefined,
          now: () => NOW + minute * MINUTE_MS,
        })
      const gated = (gate: Gate) =>
        storeOn({
          ...records,
          async createOnce(path, text) {
            if (/^handoffs\/hnd_\w+\.\d+\.json$/.test(path)) await gate.pass()
            return records.createOnce(path, text)
          },
        })
      for (const [index, trace] of traces.entries())
        await replay(
          {
            plain: storeOn(records),
            stores: onMachines(gated),
            setMinute: async (next) => {
              minute = next
            },
            revisionOf: async (id) => {
              const names = await records.list("handoffs")
              const own = names.filter((name) => name.startsWith(id))
              return Math.max(...own.map((name) => Number(name.split(".")[1])))
            },
          },
          idOf(index + 1),
          trace,
        )
      expect(storeOn(records).scope).toBe(projectScope(root))
    }))

  describe("in PostgreSQL", () => {
    let server: PostgresServer
    beforeAll(async () => {
      server = await openPostgres()
    }, 60_000)
    afterAll(() => server.close())

    test(`${traces.length} traces`, async () => {
      const url = await server.newDatabase()
      await stillClock(url)
      const database = openDatabase({ url: async () => url, root: "/" })
      const storeOn = (given: typeof database) =>
        openPostgresHandoffStore({
          ...{ database: given, scope: "team", now: Date.now },
          // A session may stand before a write for long.
          callMs: 60_000,
        })
      const gated = (gate: Gate) =>
        storeOn({
          ...database,
          async ask(text, values) {
            if (text === sql.UPDATE) await gate.pass()
            return database.ask(text, values)
          },
          async transact(run) {
            await gate.pass()
            return database.transact(run)
          },
        })
      for (const [index, trace] of traces.entries())
        await replay(
          {
            plain: storeOn(database),
            stores: onMachines(gated),
            setMinute: (minute) => setClock(database, NOW + minute * MINUTE_MS),
            revisionOf: async (id) => {
              const { rows } = await database.ask(sql.READ, ["team", id])
              return Number(JSON.parse(JSON.stringify(rows[0])).revision)
            },
          },
          idOf(index + 1),
          trace,
        )
      await database.close()
    }, 120_000)
  })
})

function onMachines(open: (gate: Gate) => HandoffStore): Machines["stores"] {
  return new Map(
    SESSIONS.map((session) => {
      const gate = new Gate()
      return [session, { store: open(gate), gate }]
    }),
  )
}
