// The connection to PostgreSQL: time limits, the tables made on first use, and failures in words.
import { createRequire } from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { Pool, PoolClient } from "pg"
import { cleanLine } from "../../plan/model/foreign-text.ts"
import { StoreError } from "../disk/store-error.ts"
import { AlreadySaved } from "../handoffs/handoff-store.ts"
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

/** Values of a statement, and the rows that it gives, which nobody has looked at yet. */
type Ask = (sql: string, values?: readonly unknown[]) => Promise<{ rows: unknown[]; count: number }>

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
      if (!isOfDatabase(error)) throw error
      const inWords = error instanceof StoreError ? error : failureOf(error, secret)
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
    const { rows, rowCount } = await client.query(sql, [...values])
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
    const found = versionIn((await ask(READ_VERSION)).rows[0])
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

function versionIn(row: unknown): number {
  const version = typeof row === "object" && row !== null && "version" in row ? row.version : 0
  return typeof version === "number" ? version : 0
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

/** A database that cannot be used now: what was to be saved is kept on this machine. */
export function away(expected: string, found: string, todo: string): StoreError {
  return new StoreError({ code: "away", expected, found, todo })
}

function isOfDatabase(error: unknown): boolean {
  if (error instanceof AlreadySaved) return false
  if (error instanceof StoreError) return error.code === "away" || error.code === "newer-schema"
  return error instanceof Error
}

const TRY = "It is tried again by itself."

/** By SQLSTATE or errno: what was found, and what to do. */
const FAILURES: Readonly<Record<string, readonly [found: string, todo: string]>> = {
  "28P01": ["it refuses the password", "Mend the url that handoffs.url names."],
  "28000": ["it refuses the user", "Mend the url that handoffs.url names, or the server's rules."],
  "3D000": ["no database of that name", "Create it, or mend the url that handoffs.url names."],
  "42501": ["no right to use the tables", "Give the user the right to create and change them."],
  "42P01": [
    "a table of ours gone",
    "Restore it from a backup, or drop all tables boulder_* to begin anew.",
  ],
  "53300": ["too many connections", "Raise max_connections, or put a pooler before it."],
  "57014": ["no answer within its time", TRY],
  "57P01": ["it shuts down", TRY],
  "57P03": ["it starts up", TRY],
  ECONNREFUSED: [
    "nothing that listens there",
    "Start it, or mend the url that handoffs.url names.",
  ],
  ENOTFOUND: ["no such host", "Mend the url that handoffs.url names."],
  EAI_AGAIN: ["no such host for now", TRY],
  ECONNRESET: ["the connection reset", TRY],
  EPIPE: ["the connection broken", TRY],
  ETIMEDOUT: ["no answer within its time", TRY],
}

/** Words that the driver gives without a code. */
const TOLD: readonly (readonly [RegExp, readonly [found: string, todo: string]])[] = [
  [/timeout/i, ["no answer within its time", TRY]],
  [/terminated|closed|ended/i, ["the connection broken", TRY]],
  [/does not support SSL/i, ["no TLS", "Turn TLS on there, or take sslmode out of the url."]],
  [
    /certificate|self.signed|SSL|TLS/i,
    ["its TLS certificate refused", "Mend the certificate, or sslmode in the url."],
  ],
  [
    /invalid url|protocol|cannot be parsed/i,
    ["a url that cannot be read", "Write it as postgres://user:password@host:5432/database."],
  ],
  [
    /password must be a string/i,
    ["a url without a password", "Mend the url that handoffs.url names."],
  ],
]

function failureOf(error: unknown, secret: string): StoreError {
  const message = error instanceof Error ? error.message : String(error)
  const code = error instanceof Error && "code" in error ? String(error.code) : ""
  const [found, todo] = (Object.hasOwn(FAILURES, code) ? FAILURES[code] : undefined) ??
    TOLD.find(([words]) => words.test(message))?.[1] ?? [withoutSecret(message, secret), TRY]
  return away("the database of the handoffs to answer", found, todo)
}

/** Whatever of the url stands in a message is taken out of it. */
function withoutSecret(message: string, secret: string): string {
  const parts = [secret, ...secret.split(/[/:@?&=]+/)].filter((part) => part.length > 2)
  const clean = parts.reduce((text, part) => text.replaceAll(part, "…"), message)
  return cleanLine(clean).slice(0, 200)
}
