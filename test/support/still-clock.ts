import { Client } from "pg"
import type { Database } from "../../src/store/fleet/database.ts"

/** Gives a new, empty database a clock that stands still until it is set: its own is looked for behind ours. */
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
