// The connection to PostgreSQL: time limits, the tables made on first use, and failures in words.
import { createRequire } from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { Pool, PoolClient } from "pg"
import { hashText } from "../../plan/model/hash-text.ts"
import { StoreError } from "../disk/store-error.ts"
import { AlreadySaved } from "../handoffs/handoff-store.ts"
import { away, failureOf, isAway } from "./away.ts"
import * as sql from "./postgres-sql.ts"

const CONNECT_MS = 1_000
const STATEMENT_MS = 1_500
/** After a failure nothing is asked for this long. */
const REST_MS = { least: 250, most: 5_000 } as const

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

/**
 * Opens nothing before the first call. `url` may read a file; `root` is where the driver is looked for too. Tables of more
 * versions than there are `migrations` are refused at every reading, and not touched.
 */
export function openDatabase({
  url,
  root,
  clock = () => performance.now(),
  migrations = sql.MIGRATIONS,
}: {
  url: () => Promise<string>
  root: string
  clock?: () => number
  migrations?: readonly string[]
}): Database {
  /** Thrown away by a failure, so that the next call tries anew. */
  let opening: Opening | null = null
  let failed: { restsUntil: number; error: StoreError } | null = null
  let secret = ""
  const version = migrations.length
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
      await onClient(pool, (client) => makeTables(client, migrations))
    } catch (error) {
      await pool.end().catch(() => undefined)
      throw error
    }
    return pool
  }
  const leave = (used: Opening, error: StoreError, tookMs: number): void => {
    // Another may have opened a new one meanwhile: what breaks in the old one says nothing of it.
    if (opening !== used) return
    failed = { restsUntil: clock() + restOf(tookMs), error }
    opening = null
  }
  const done = (used: Opening): void => {
    used.users -= 1
    // Who still waits for a connection of it gets one: an ended pool would let them wait for nothing.
    if (used.users === 0 && opening !== used) void endPool(used)
  }
  const guarded = async <Value>(run: (pool: Pool) => Promise<Value>): Promise<Value> => {
    const begun = clock()
    if (failed !== null && begun < failed.restsUntil) throw failed.error
    opening ??= { pool: open(), users: 0 }
    const used = opening
    used.users += 1
    try {
      const value = await run(await used.pool)
      failed = null
      return value
    } catch (thrown) {
      const cause = await causeOf(thrown, used.pool, version)
      const error = isOurs(cause) ? cause : failureOf(cause, secret)
      if (isAway(error)) leave(used, error, clock() - begun)
      throw error
    } finally {
      done(used)
    }
  }
  return {
    ask: (text, values) => guarded((pool) => asking(pool, version)(text, values)),
    transact: (run) =>
      guarded((pool) => onClient(pool, (client) => inTransaction(client, version, run))),
    close: async () => {
      const used = opening
      opening = null
      if (used !== null) await endPool(used)
    },
  }
}

/** A pool with its tables made, and how many calls stand on it. */
interface Opening {
  readonly pool: Promise<Pool>
  users: number
}

function endPool({ pool }: Opening): Promise<void> {
  return pool.then((one) => one.end()).catch(() => undefined)
}

/** No such table, no such column, a statement of another shape. */
const OTHER_TABLES: ReadonlySet<string> = new Set(["42P01", "42703", "0A000"])

/** Where the tables are not as we know them, what their version says goes first: a newer one may have changed them. */
async function causeOf(thrown: unknown, pool: Promise<Pool>, version: number): Promise<unknown> {
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : ""
  if (!OTHER_TABLES.has(code)) return thrown
  try {
    await asking(await pool, version)(sql.READ_VERSION)
    return thrown
  } catch (error) {
    return error
  }
}

/** Who asks all the time waits for a fifth of it at most, and a connection that breaks at once is made anew soon. */
function restOf(tookMs: number): number {
  return Math.min(Math.max(4 * tookMs, REST_MS.least), REST_MS.most)
}

/** Refuses what tells that the tables have become those of a newer version. */
function asking(client: Pool | PoolClient, version: number): Ask {
  return async (text, values = []) => {
    // By its name the server knows it: it is read and planned once a connection.
    const query = { name: hashText(text), text, values: [...values] }
    const { rows, rowCount } = await client.query<Row>(query)
    const found = Number(rows[0]?.["version"] ?? version)
    if (found > version)
      throw new StoreError({
        code: "newer-schema",
        expected: `handoff tables of version ${version} in the database`,
        found: `version ${found}`,
        todo: "Nothing was touched. Update opencode-boulder on this machine.",
      })
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
  version: number,
  run: (ask: Ask) => Promise<Value>,
): Promise<Value> {
  await client.query("begin")
  const value = await run(asking(client, version))
  await client.query("commit")
  return value
}

/** The tables as this version knows them; those of a newer version are left as they are. */
function makeTables(client: PoolClient, migrations: readonly string[]): Promise<void> {
  return inTransaction(client, migrations.length, async (ask) => {
    if ((await versionIn(ask)) < migrations.length) {
      await ask(sql.SCHEMA_LOCK)
      const found = await versionIn(ask)
      if (found > 0) await ask(sql.LOCK_TABLES)
      for (const [index, migration] of migrations.entries())
        if (index >= found) {
          await client.query(migration)
          await ask(sql.NOTE_VERSION, [index + 1])
        }
    }
    await ask(sql.FORGET_KEYS)
  })
}

async function versionIn(ask: Ask): Promise<number> {
  if ((await ask(sql.IS_MADE)).rows[0]?.["made"] !== true) return 0
  return Number((await ask(sql.READ_VERSION)).rows[0]?.["version"])
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
