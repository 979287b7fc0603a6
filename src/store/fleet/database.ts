// Connects to PostgreSQL: time limits, tables made on first use, and failures in words.
import { createRequire } from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { Pool, PoolClient } from "pg"
import { hashText } from "../../plan/model/hash-text.ts"
import { StoreError } from "../disk/store-error.ts"
import { away, failureOf, inTime, isAway } from "./away.ts"
import * as sql from "./postgres-sql.ts"

const CONNECT_MS = 1_000
const STATEMENT_MS = 1_500
/** Changing large tables takes longer than a statement may; nobody waits for it. */
const MIGRATION_MS = 600_000
/** After a failure nothing is asked for this long. */
const REST_MS = { least: 250, most: 5_000 } as const

/** A row by its columns; their values are still unchecked. */
export type Row = Readonly<Record<string, unknown>>

/** Runs a statement with its values. */
type Ask = (
  sql: string,
  values?: readonly unknown[],
) => Promise<{ readonly rows: readonly Row[]; readonly count: number }>

/** A database with its tables. Every failure is a `StoreError` that shows neither address nor password. */
export interface Database {
  ask: Ask
  /** Runs in one transaction; if `run` throws, everything is rolled back. */
  transact<Value>(run: (ask: Ask) => Promise<Value>): Promise<Value>
  close(): Promise<void>
}

/** The same database for one call: everything that the call asks ends within this many ms from now. */
export function forCallOf({ ask, transact, ...database }: Database, ms: number): Database {
  const until = performance.now() + ms
  const left = () => until - performance.now()
  const limited =
    (given: Ask): Ask =>
    (text, values) =>
      inTime(left(), () => given(text, values))
  return {
    ...database,
    ask: limited(ask),
    transact: (run) => inTime(left(), () => transact((given) => run(limited(given)))),
  }
}

/**
 * Opens nothing before the first call. `url` may read a file; `root` is another place to look for the driver. Tables with more versions
 * than there are `migrations` are refused at every reading and never changed.
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
  /** Discarded after a failure, so that the next call checks URL and tables again. */
  let opening: Promise<Pool> | null = null
  let pool: Pool | null = null
  let failed: { restsUntil: number; error: StoreError } | null = null
  let secret = ""
  const version = migrations.length
  const open = async (): Promise<Pool> => {
    const found = await url()
    // Whatever still asks an older pool gets its answer; its connections end by themselves.
    const isSame = pool !== null && found === secret
    secret = found
    const one = isSame && pool !== null ? pool : newPool(await driverOf(root), found)
    pool = one
    await onClient(one, (client) => makeTables(client, migrations))
    return one
  }
  const guarded = async <Value>(run: (pool: Pool) => Promise<Value>): Promise<Value> => {
    const begun = clock()
    if (failed !== null && begun < failed.restsUntil) throw failed.error
    opening ??= open()
    const used = opening
    let isOpen = false
    try {
      const one = await used
      isOpen = true
      const value = await run(one)
      failed = null
      return value
    } catch (thrown) {
      const cause = isOpen ? await causeOf(thrown, await used, version) : thrown
      const error = failureOf(cause, { secret, isOpen })
      // Another call may have reopened it meanwhile: a failure of the old pool says nothing about the new one.
      if (isAway(error) && opening === used) {
        failed = { restsUntil: clock() + restOf(clock() - begun), error }
        opening = null
      }
      throw error
    }
  }
  return {
    ask: (text, values) => guarded((one) => asking(one, version)(text, values)),
    transact: (run) =>
      guarded((one) => onClient(one, (client) => inTransaction(client, version, run))),
    close: async () => {
      const last = pool
      pool = null
      opening = null
      await last?.end()
    },
  }
}

function newPool({ Pool }: Driver, connectionString: string): Pool {
  const pool = new Pool({
    connectionString,
    max: 4,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: STATEMENT_MS,
    statement_timeout: STATEMENT_MS,
    idleTimeoutMillis: 10_000,
    allowExitOnIdle: true,
    keepAlive: true,
    application_name: "opencode-boulder",
  })
  // Without a listener a broken connection would end the process; whoever uses it hears of it from its query.
  pool.on("error", () => undefined)
  pool.on("connect", (client) => client.on("error", () => undefined))
  return pool
}

/** A missing table or column, or a statement of another shape. */
const OTHER_TABLES: ReadonlySet<string> = new Set(["42P01", "42703", "0A000"])

/** If the tables are not as we know them, their version is checked first: a newer version may have changed them. */
async function causeOf(thrown: unknown, pool: Pool, version: number): Promise<unknown> {
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : ""
  if (!OTHER_TABLES.has(code)) return thrown
  try {
    await asking(pool, version)(sql.READ_VERSION)
    return thrown
  } catch (error) {
    return error
  }
}

/** Somebody who asks all the time waits for a fifth of it at most, and a connection that breaks at once is soon reopened. */
function restOf(tookMs: number): number {
  return Math.min(Math.max(4 * tookMs, REST_MS.least), REST_MS.most)
}

/** Refuses if the tables have become those of a newer version. */
function asking(client: Pool | PoolClient, version: number): Ask {
  return async (text, values = []) => {
    // The server knows the statement by its name: it is parsed and planned once for each connection.
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
      await client.query(`set local statement_timeout = ${MIGRATION_MS}`)
      for (const [index, text] of migrations.entries())
        if (index >= found) {
          const migration = { text, query_timeout: MIGRATION_MS }
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

type Driver = Pick<typeof import("pg"), "Pool">

/** The driver: beside this package, or in the project's own `node_modules`. */
async function driverOf(root: string): Promise<Driver> {
  try {
    return (await import("pg")).default
  } catch {
    try {
      const path = createRequire(join(root, "package.json")).resolve("pg")
      const loaded: { default: Driver } = await import(pathToFileURL(path).href)
      return loaded.default
    } catch {
      throw away("the npm package `pg`", "none", "Install it in the project: npm install pg.")
    }
  }
}
