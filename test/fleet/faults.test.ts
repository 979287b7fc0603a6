import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test"
import { createServer, type Socket } from "node:net"
import { Client } from "pg"
import { claimHandoff } from "../../src/boulder/handoff-changes.ts"
import { type Database, openDatabase } from "../../src/store/fleet/database.ts"
import { scopeOfRemote } from "../../src/store/fleet/fleet-scope.ts"
import { openPostgresHandoffStore } from "../../src/store/fleet/postgres-handoff-store.ts"
import { aHandoff, anActor, idOf } from "../support/handoff-builders.ts"
import { openPostgres, type PostgresServer } from "../support/postgres-server.ts"

let server: PostgresServer
beforeAll(async () => {
  server = await openPostgres()
}, 60_000)
afterAll(() => server.close())

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const scope = "team"
const inTeam = () => aHandoff({ scope: { project: scope, agent: "build" } })

function storeAt(url: string) {
  const database: Database = openDatabase({ url: async () => url, root: "/" })
  ends.push(() => database.close())
  return openPostgresHandoffStore({ database, scope, now: Date.now })
}

async function sqlAt(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

/** A port of loopback that takes connections and does this with them. */
async function listener(does: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const listening = createServer((socket) => {
    sockets.add(socket)
    socket.on("error", () => undefined)
    does(socket)
  })
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve))
  ends.push(async () => {
    for (const socket of sockets) socket.destroy()
    listening.close()
  })
  const address = listening.address()
  return `127.0.0.1:${typeof address === "object" ? address?.port : 0}`
}

describe("a database that cannot be used says what was expected, what was found, and what to do", () => {
  const rows: readonly {
    what: string
    url: (good: string) => Promise<string> | string
    says: string
  }[] = [
    { what: "no url", url: () => "nonsense", says: "no such host" },
    {
      what: "a wrong host",
      url: (good) => good.replace("127.0.0.1", "no-such-host.invalid"),
      says: "no such host",
    },
    {
      what: "a wrong port",
      url: (good) => good.replace(/:\d+\//, ":1/"),
      says: "nothing that listens there",
    },
    {
      what: "a wrong password",
      url: (good) => good.replace(/boulder:[^@]+@/, "boulder:hunter2hunter2@"),
      says: "it refuses the password",
    },
    {
      what: "no such database",
      url: (good) => good.replace(/[^/]+$/, "nowhere"),
      says: "no database of that name",
    },
    { what: "no TLS", url: (good) => `${good}?sslmode=require`, says: "TLS" },
    {
      what: "a server that says nothing",
      url: async (good) => good.replace(/127\.0\.0\.1:\d+/, await listener(() => undefined)),
      says: "no answer within its time",
    },
    {
      what: "a server that hangs up",
      url: async (good) =>
        good.replace(/127\.0\.0\.1:\d+/, await listener((socket) => socket.destroy())),
      says: "the connection",
    },
  ]
  test.each(rows)("$what", async ({ url, says }) => {
    const wrong = await url(await server.newDatabase())
    const store = storeAt(wrong)
    const error = await store.update(idOf(1), claimHandoff(anActor("ses_a"))).catch(String)
    expect(error).toContain("Expected the database of the handoffs to answer; found ")
    expect(error).toContain(says)
    const password = /boulder:([^@]+)@/.exec(wrong)?.[1] ?? "no password"
    for (const secret of [wrong, password]) expect(error).not.toContain(secret)
    const { handoffs, old } = await store.open()
    expect({ handoffs, old: old !== undefined }).toEqual({ handoffs: [], old: true })
  })

  test("tables of a newer version are refused, and not touched", async () => {
    const url = await server.newDatabase()
    await sqlAt(
      url,
      "create table boulder_schema (version integer primary key, made_at timestamptz default now()); insert into boulder_schema values (99)",
    )
    await expect(storeAt(url).create(inTeam)).rejects.toThrow(
      "Expected handoff tables of version 1 in the database; found version 99.",
    )
    await expect(sqlAt(url, "select * from boulder_handoffs")).rejects.toThrow("does not exist")
  })

  test("a table that is gone", async () => {
    const url = await server.newDatabase()
    await storeAt(url).create(inTeam)
    await sqlAt(url, "drop table boulder_handoffs")
    await expect(storeAt(url).create(inTeam)).rejects.toThrow("one of our tables missing")
  })

  test("a statement that waits for somebody's lock", async () => {
    const url = await server.newDatabase()
    const store = storeAt(url)
    await store.create(inTeam)
    const client = new Client({ connectionString: url })
    await client.connect()
    ends.push(() => client.end())
    await client.query("begin")
    await client.query("select * from boulder_handoffs for update")
    const claim = store.update(idOf(1), claimHandoff(anActor("ses_a")))
    await expect(claim).rejects.toThrow("no answer within its time")
    await client.query("rollback")
    expect((await storeAt(url).read(idOf(1)))?.claim).toBeNull()
  })
})

test("a connection that is cut in the middle of a claim leaves it whole or not at all, and may be asked again", async () => {
  const url = await server.newDatabase()
  await storeAt(url).create(inTeam)
  for (let cut = 0; cut < 12; cut++) {
    const store = storeAt(url)
    await store.open()
    const claim = store.update(idOf(1), claimHandoff(anActor("ses_a"))).catch(() => null)
    await sqlAt(
      url,
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'opencode-boulder'",
    )
    await claim
    const again = storeAt(url)
    await again.update(idOf(1), claimHandoff(anActor("ses_a")))
    expect((await again.read(idOf(1)))?.claim?.session_id).toBe("ses_a")
    await again.update(idOf(1), (handoff) => ({ ...handoff, claim: null }))
  }
})

test("two machines whose clocks are ten minutes apart hold no task twice, and wait for no lease too long", async () => {
  const url = await server.newDatabase()
  const real = Date.now
  const [early, late] = [storeAt(url), storeAt(url)]
  await early.create(inTeam)
  const short = { leaseMs: 1_000 }
  try {
    Date.now = () => real() - 600_000
    expect((await early.update(idOf(1), claimHandoff(anActor("ses_a", short)))).kind).toBe(
      "changed",
    )
    Date.now = () => real() + 600_000
    const taken = await late.update(idOf(1), claimHandoff(anActor("ses_b", short)))
    expect(taken).toMatchObject({ kind: "refused", reason: "held-by-other" })
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    expect((await late.update(idOf(1), claimHandoff(anActor("ses_b", short)))).kind).toBe("changed")
    Date.now = () => real() - 600_000
    const back = await early.update(idOf(1), claimHandoff(anActor("ses_a", short)))
    expect(back).toMatchObject({ kind: "refused", reason: "held-by-other" })
  } finally {
    Date.now = real
  }
})

test("many processes that begin at once make the tables once", async () => {
  const url = await server.newDatabase()
  const stores = Array.from({ length: 16 }, () => storeAt(url))
  const made = await Promise.all(stores.map((store) => store.create(inTeam)))
  expect(made.filter((handoff) => handoff !== null)).toHaveLength(1)
})

test.each([
  ["https://github.com/owner/name.git", "github.com/owner/name"],
  ["https://token:x-oauth@GitHub.com/owner/name", "github.com/owner/name"],
  ["git@github.com:owner/name.git", "github.com/owner/name"],
  ["ssh://git@github.com:22/owner/name/", "github.com/owner/name"],
  ["/srv/git/name.git", "/srv/git/name"],
])("the remote %s is the scope %s", (url, name) => expect(scopeOfRemote(url)).toBe(name))
