import { Client } from "pg"
import { type Database, openDatabase } from "../../src/store/fleet/database.ts"
import { openPostgresHandoffStore } from "../../src/store/fleet/postgres-handoff-store.ts"

/** Gives a new, empty database a clock that stands still until it is set: our function is found before its own. */
export async function stillClock(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const name = new URL(url).pathname.slice(1)
  await client.query(
    `create sequence still_ms;
     create function clock_timestamp() returns timestamptz language sql as
       'select to_timestamp((select last_value from public.still_ms) / 1000.0)';
     alter database ${name} set search_path = public, pg_catalog`,
  )
  await client.end()
}

/** Sets that clock, in ms since 1970. */
export async function setClock({ ask }: Database, ms: number): Promise<void> {
  await ask("select setval('public.still_ms', $1)", [ms])
}

/** This many machines on a new, empty database whose clock stands still. A failure makes none of them rest. */
export async function machinesOn(url: string, count: number) {
  await stillClock(url)
  let restless = 0
  const clock = () => {
    restless += 10_000
    return restless
  }
  const databases = Array.from({ length: count }, () =>
    openDatabase({ url: async () => url, root: "/", clock }),
  )
  const [first] = databases
  if (first === undefined) throw new Error("Expected a machine.")
  const stores = databases.map((database) =>
    openPostgresHandoffStore({ database, scope: "team", now: Date.now }),
  )
  return {
    machines: { stores, setNow: (ms: number) => setClock(first, ms) },
    close: () => Promise.all(databases.map((database) => database.close())),
  }
}
