import { join } from "node:path"
import { Client } from "pg"
import type { Handoff } from "../src/boulder/handoff.ts"
import { saveHandoff } from "../src/boulder/handoff-changes.ts"
import { openDatabase } from "../src/store/fleet/database.ts"
import { openPostgresHandoffStore } from "../src/store/fleet/postgres-handoff-store.ts"
import { openFileHandoffStore } from "../src/store/handoffs/handoff-file-store.ts"
import type { HandoffStore } from "../src/store/handoffs/handoff-store.ts"
import { aHandoff, anActor, idOf, someProgress } from "../test/support/handoff-builders.ts"
import type { HandoffTask } from "../test/support/handoff-process.ts"
import { playLeases } from "../test/support/lease-hour.ts"
import { openPostgres } from "../test/support/postgres-server.ts"
import { machinesOn } from "../test/support/still-clock.ts"
import { startPrograms } from "../test/support/store-processes.ts"
import { temporaryFolder } from "../test/support/temporary-folder.ts"

const PROCESSES = 8
const TASKS = 1_000
const ROUNDS = 5
const RUNS = 101
const PROGRAM = join(import.meta.dir, "../test/support/handoff-process.ts")

const server = await openPostgres()
const start = await startPrograms<HandoffTask>(PROGRAM)
const folder = temporaryFolder("bench")
try {
  const parts = { claims, saves, lists, hour }
  for (const [name, part] of Object.entries(parts))
    if ([undefined, name].includes(process.argv[2])) await part()
} finally {
  await server.close()
}

function print(what: string, figure: string): void {
  process.stdout.write(`${what}: ${figure}\n`)
}

function median(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0
}

async function sqlAt(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(text)
  await client.end()
}

async function withStore<Value>(
  url: string,
  run: (store: HandoffStore) => Promise<Value>,
): Promise<Value> {
  const database = openDatabase({ url: async () => url, root: "/" })
  try {
    return await run(openPostgresHandoffStore({ database, scope: "team", now: Date.now }))
  } finally {
    await database.close()
  }
}

function inTeam(number: number): Handoff {
  return aHandoff({ id: idOf(number), scope: { project: "team", agent: null } })
}

/** Claims a second of all processes together, each of which tries every task; throws unless each is given once. */
async function claimsASecond(kind: "claim-each" | "claim-bare", url: string): Promise<number> {
  const runs = Array.from({ length: PROCESSES }, (_, index) => {
    const from = (index * TASKS) / PROCESSES
    const task = { kind, root: folder, session: `ses_racer${index}`, leaseMs: 3_600_000, url }
    return start("node", { ...task, count: TASKS, from })
  })
  await Promise.all(
    runs.map(({ child }) => new Promise((resolve) => child.stdout?.once("data", resolve))),
  )
  for (const { child } of runs) child.stdin?.write("go\n")
  const told = await Promise.all(
    runs.map(async ({ ended }): Promise<{ begun: number; ended: number; given: string[] }> => {
      const { out, err } = await ended
      if (err !== "") throw new Error(err)
      return JSON.parse(out.replace("ready\n", ""))
    }),
  )
  const given = told.flatMap((one) => one.given)
  if (given.length !== TASKS || new Set(given).size !== TASKS)
    throw new Error(
      `Expected ${TASKS} tasks to be claimed once each; found ${given.length} claims.`,
    )
  const begun = Math.min(...told.map((one) => one.begun))
  return (TASKS * 1_000) / (Math.max(...told.map((one) => one.ended)) - begun)
}

async function claims(): Promise<void> {
  const ours: number[] = []
  const bare: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const url = await server.newDatabase()
    await withStore(url, async (store) => {
      for (let number = 1; number <= TASKS; number++) await store.create(() => inTeam(number))
    })
    await sqlAt(
      url,
      "create table bare as select id, owner, record from boulder_handoffs; alter table bare add primary key (id); analyze",
    )
    bare.push(await claimsASecond("claim-bare", url))
    ours.push(await claimsASecond("claim-each", url))
  }
  const [one, other] = [median(ours), median(bare)]
  print(
    `${PROCESSES} processes claim ${TASKS} tasks, each once, in ${ROUNDS} rounds`,
    `${one.toFixed(0)} a second, bare updates ${other.toFixed(0)}; ratio ${(one / other).toFixed(2)} (goal 0.5)`,
  )
}

async function timesOf(runs: number, work: (run: number) => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let run = 0; run < runs; run++) {
    const begun = performance.now()
    await work(run)
    times.push(performance.now() - begun)
  }
  return median(times)
}

async function saves(): Promise<void> {
  const save = saveHandoff(anActor("ses_a"), someProgress({ status: "in_progress" }))
  const files = openFileHandoffStore({ root: folder })
  await files.create(() => aHandoff({ scope: { project: files.scope, agent: null } }))
  await withStore(await server.newDatabase(), async (store) => {
    await store.create(() => inTeam(1))
    const inFiles = await timesOf(RUNS, () => files.update(idOf(1), save))
    const inDatabase = await timesOf(RUNS, () => store.update(idOf(1), save))
    print(
      "a save",
      `${inDatabase.toFixed(1)} ms, in files ${inFiles.toFixed(1)} ms; ratio ${(inDatabase / inFiles).toFixed(2)}`,
    )
  })
}

/** Fills the tables with copies of a record, as a store of years holds them. */
async function filled(url: string, open: number, settled: number): Promise<void> {
  const record = JSON.stringify(inTeam(1)).replaceAll("'", "''")
  const at = JSON.stringify(new Date().toISOString())
  const id = "'hnd_' || lpad(n::text, 16, '0')"
  await withStore(url, (store) => store.open())
  await sqlAt(
    url,
    `insert into boulder_handoffs (scope, id, status, updated_at, machine, record)
       select 'team', ${id}, 'blocked', now(), 'm', jsonb_set('${record}', '{id}', to_jsonb(${id}))
       from generate_series(1, ${open}) n;
     insert into boulder_settled (scope, id, sessions, updated_at, machine, record)
       select 'team', ${id}, array['ses_' || n % 500], now(), 'm',
         jsonb_set(jsonb_set('${record}', '{id}', to_jsonb(${id})), '{settled_at}', '${at}')
       from generate_series(${open + 1}, ${open + settled}) n`,
  )
  await sqlAt(url, "vacuum analyze")
}

async function lists(): Promise<void> {
  const rows = [
    { open: 1_000, settled: 10 },
    { open: 1_000, settled: 100_000 },
    { open: 10, settled: 10 },
    { open: 10, settled: 100_000 },
  ]
  for (const { open, settled } of rows) {
    const url = await server.newDatabase()
    await filled(url, open, settled)
    await withStore(url, async (store) => {
      const { handoffs } = await store.open()
      if (handoffs.length !== open) throw new Error(`Expected ${open}; found ${handoffs.length}.`)
      const list = await timesOf(RUNS, () => store.open())
      const one = await timesOf(RUNS, () => store.read(idOf(1)))
      const last = await timesOf(RUNS, () => store.lastOf("ses_7"))
      print(
        `with ${settled} settled and ${open} open records`,
        `the list takes ${list.toFixed(1)} ms, one record ${one.toFixed(1)} ms, a session's last one ${last.toFixed(1)} ms`,
      )
    })
  }
}

async function hour(): Promise<void> {
  const { machines, close } = await machinesOn(await server.newDatabase(), 8)
  const begun = performance.now()
  const given = { claimers: 64, tasks: 800, minutes: 60, seed: 21 }
  const { claims, kills, completed, twice, lost } = await playLeases(machines, given)
  await close()
  print(
    `${given.claimers} claimers for an hour of leases, ${kills} of them killed (${((performance.now() - begun) / 1_000).toFixed(0)} s)`,
    `${claims} claims, ${completed} of ${given.tasks} completed in it; held twice ${twice.length}, lost ${lost.length} (goal 0 and 0)`,
  )
}
