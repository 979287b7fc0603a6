// The connection to PostgreSQL: time limits, the tables made on first use, and failures in words.
import { createRequire } from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { Pool, PoolClient } from "pg"
import { StoreError } from "../disk/store-error.ts"
import { AlreadySaved } from "../handoffs/handoff-store.ts"
import { away, failureOf, isAway } from "./away.ts"
import {
  FORGET_KEYS,
  MAKE_VERSION_TABLE,
  MIGRATIONS,
  NOTE_VERSION,
  READ_VERSION,
  SCHEMA_LOCK,
  SCHEMA_VERSION,
} from "./postgres-sql.ts"

const CONNECT_MS = 1_000
const STATEMENT_MS = 1_500
/** For so long after a failure nothing is asked: one wait of a second in this time is all that an outage costs. */
const REST_MS = 5_000

/** A row by its columns; nobody has looked at their values yet. */
export type Row = Readonly<Record<string, unknown>>

/** Runs a statement with its values. */
type Ask = (
  sql: string,
  values?: readonly unknown[],
) => Promise<{ readonly rows: readonly Row[]; readonly count: number }>

/** A database with its tables. Every failure is a `StoreError` that names neither address nor password. */
export interface Database {
  ask: Ask
  /** Runs in one transaction; a throw of `run` takes everything back. */
  transact<Value>(run: (ask: Ask) => Promise<Value>): Promise<Value>
  close(): Promise<void>
}

/** Opens nothing before the first call. `url` may read a file; `root` is where the driver is looked for too. */
export function openDatabase({
  url,
  root,
  clock = () => performance.now(),
}: {
  url: () => Promise<string>
  root: string
  clock?: () => number
}): Database {
  /** The pool with its tables made; thrown away by a failure to open, so that the next call tries anew. */
  let opening: Promise<Pool> | null = null
  let failed: { at: number; error: StoreError } | null = null
  let secret = ""
  const open = async (): Promise<Pool> => {
    secret = await url()
    const { Pool } = await driverOf(root)
    const pool = new Pool({
      connectionString: secret,
      max: 4,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: STATEMENT_MS,
      statement_timeout: STATEMENT_MS,
      idleTimeoutMillis: 10_000,
      allowExitOnIdle: true,
      keepAlive: true,
      application_name: "opencode-boulder",
    })
    // Without a listener a connection that breaks ends the process; whoever uses it hears of it by its query.
    pool.on("error", () => undefined)
    pool.on("connect", (client) => client.on("error", () => undefined))
    try {
      await onClient(pool, makeTables)
    } catch (error) {
      await pool.end().catch(() => undefined)
      throw error
    }
    return pool
  }
  const guarded = async <Value>(run: (pool: Pool) => Promise<Value>): Promise<Value> => {
    if (failed !== null && clock() - failed.at < REST_MS) throw failed.error
    try {
      opening ??= open()
      const value = await run(await opening)
      failed = null
      return value
    } catch (error) {
      const inWords = isOurs(error) ? error : failureOf(error, secret)
      if (!isAway(inWords)) throw inWords
      failed = { at: clock(), error: inWords }
      const pool = opening
      opening = null
      void pool?.then((broken) => broken.end()).catch(() => undefined)
      throw inWords
    }
  }
  return {
    ask: (sql, values) => guarded((pool) => asking(pool)(sql, values)),
    transact: (run) => guarded((pool) => onClient(pool, (client) => inTransaction(client, run))),
    close: async () => {
      const pool = opening
      opening = null
      await pool?.then((one) => one.end()).catch(() => undefined)
    },
  }
}

function asking(client: Pool | PoolClient): Ask {
  return async (sql, values = []) => {
    const { rows, rowCount } = await client.query<Row>(sql, [...values])
    return { rows, count: rowCount ?? 0 }
  }
}

async function onClient<Value>(
  pool: Pool,
  run: (client: PoolClient) => Promise<Value>,
): Promise<Value> {
  const client = await pool.connect()
  let isBroken = true
  try {
    const value = await run(client)
    isBroken = false
    return value
  } finally {
    client.release(isBroken)
  }
}

async function inTransaction<Value>(
  client: PoolClient,
  run: (ask: Ask) => Promise<Value>,
): Promise<Value> {
  await client.query("begin")
  const value = await run(asking(client))
  await client.query("commit")
  return value
}

/** The tables as this version knows them; those of a newer version are left as they are. */
function makeTables(client: PoolClient): Promise<void> {
  return inTransaction(client, async (ask) => {
    await ask(SCHEMA_LOCK)
    await ask(MAKE_VERSION_TABLE)
    const found = Number((await ask(READ_VERSION)).rows[0]?.["version"])
    if (found > SCHEMA_VERSION)
      throw new StoreError({
        code: "newer-schema",
        expected: `handoff tables of version ${SCHEMA_VERSION} in the database`,
        found: `version ${found}`,
        todo: "Nothing was touched. Update opencode-boulder on this machine.",
      })
    for (const [index, migration] of MIGRATIONS.entries())
      if (index >= found) {
        await ask(migration)
        await ask(NOTE_VERSION, [index + 1])
      }
    await ask(FORGET_KEYS)
  })
}

/** The driver: beside this package, or in the project's own `node_modules`. */
async function driverOf(root: string): Promise<Pick<typeof import("pg"), "Pool">> {
  try {
    return (await import("pg")).default
  } catch {
    try {
      const path = createRequire(join(root, "package.json")).resolve("pg")
      const loaded: { default: Pick<typeof import("pg"), "Pool"> } = await import(
        pathToFileURL(path).href
      )
      return loaded.default
    } catch {
      throw away("the npm package `pg`", "none", "Install it in the project: npm install pg.")
    }
  }
}

/** What we have said ourselves, in the place of what the driver throws. */
function isOurs(error: unknown): boolean {
  return error instanceof StoreError || error instanceof AlreadySaved
}
