// The connection, at a server that answers as no real one does at will.
import { expect, test } from "bun:test"
import { type FakeAnswer, startFakePostgres } from "../../../test/support/fake-postgres.ts"
import { type Database, openDatabase } from "./database.ts"
import { IS_MADE, READ_VERSION } from "./postgres-sql.ts"

async function withTables(
  {
    version,
    others,
    ms,
  }: { version: () => string; others: (sql: string) => FakeAnswer; ms?: number },
  run: (database: Database) => Promise<void>,
): Promise<void> {
  const answer = (sql: string): FakeAnswer => {
    if (sql === IS_MADE) return [{ made: "t" }]
    return sql === READ_VERSION ? [{ version: version() }] : others(sql)
  }
  const { url, end } = await startFakePostgres(answer, () => ms ?? 0)
  const database = openDatabase({ url: async () => url, root: "/" })
  try {
    await run(database)
  } finally {
    await database.close()
    end()
  }
}

const ASKED = "select record from boulder_handoffs"

test.each([
  ["42P01", 'relation "boulder_handoffs" does not exist'],
  ["42703", 'column "record" does not exist'],
  ["0A000", "cached plan must not change result type"],
])(
  "what a newer version has changed (%s) is told as its version, and nothing is advised to be dropped",
  (code, message) => {
    let version = "1"
    const others = (sql: string) => (version === "2" && sql === ASKED ? { code, message } : [])
    return withTables({ version: () => version, others }, async (database) => {
      await database.ask(ASKED)
      version = "2"
      const error = await database.ask(ASKED).then(String, String)
      expect(error).toContain("found version 2")
      expect(error).not.toContain("drop")
    })
  },
)

test("a table that is gone is told where the version is ours", () => {
  const gone = { code: "42P01", message: 'relation "boulder_handoffs" does not exist' }
  const others = (sql: string) => (sql === ASKED ? gone : [])
  return withTables({ version: () => "1", others }, async (database) => {
    await expect(database.ask(ASKED)).rejects.toThrow("one of our tables missing")
  })
})

test("where one connection breaks, who waits for a connection still gets its answer", () => {
  const others = (sql: string): FakeAnswer => (sql === "select die" ? "breaks" : [])
  return withTables({ version: () => "1", others, ms: 20 }, async (database) => {
    await database.ask("select 0")
    const broken = database.ask("select die").then(String, String)
    const waiting = Array.from({ length: 7 }, (_, n) => database.ask(`select ${n}`))
    const ends = await Promise.allSettled(waiting)
    expect(await broken).toContain("StoreError")
    expect(ends.map(({ status }) => status)).toEqual(ends.map(() => "fulfilled"))
  })
})

test("a database that is closed leaves no connection behind", async () => {
  const made = [{ made: "t" }]
  const answer = (sql: string): FakeAnswer =>
    sql === IS_MADE ? made : sql === READ_VERSION ? [{ version: "1" }] : []
  const { url, connections, end } = await startFakePostgres(answer)
  const database = openDatabase({ url: async () => url, root: "/" })
  await database.ask("select 1")
  expect(await connections()).toBeGreaterThan(0)
  await database.close()
  // One that is left idle ends by itself behind 10 s.
  for (let tries = 0; tries < 200 && (await connections()) > 0; tries++) await Bun.sleep(5)
  expect(await connections()).toBe(0)
  end()
})
