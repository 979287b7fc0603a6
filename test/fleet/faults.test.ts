import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test"
import { connect, createServer, type Socket } from "node:net"
import { setTimeout as wait } from "node:timers/promises"
import { createSecureContext, TLSSocket } from "node:tls"
import { Client } from "pg"
import type { Handoff } from "../../src/boulder/handoff.ts"
import { claimHandoff, type HandoffActor, saveHandoff } from "../../src/boulder/handoff-changes.ts"
import { type Database, openDatabase } from "../../src/store/fleet/database.ts"
import { openPostgresHandoffStore } from "../../src/store/fleet/postgres-handoff-store.ts"
import { MIGRATIONS } from "../../src/store/fleet/postgres-sql.ts"
import type { HandoffStore } from "../../src/store/handoffs/handoff-store.ts"
import { aHandoff, anActor, idOf, someProgress } from "../support/handoff-builders.ts"
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

function storeAt(
  url: string,
  clock: () => number = () => performance.now(),
  migrations: readonly string[] = MIGRATIONS,
) {
  const database: Database = openDatabase({ url: async () => url, root: "/", clock, migrations })
  ends.push(() => database.close())
  return openPostgresHandoffStore({ database, scope, now: Date.now })
}

/** By this clock a store asks again at once, whatever has failed. */
function restless(): () => number {
  let now = 0
  return () => {
    now += 10_000
    return now
  }
}

const completing = (actor: HandoffActor) => saveHandoff(actor, someProgress({ status: "complete" }))
const SETTLES = "delete from boulder_handoffs"
const claimedBy = (handoff: Handoff | null) => handoff?.claim?.session_id === "ses_a"
const settled = (handoff: Handoff | null) => handoff?.settled_at != null

/** The record once it is so; the server may need a moment to see that a connection is gone. */
async function until(store: HandoffStore, isSo: (handoff: Handoff | null) => boolean) {
  let found = await store.read(idOf(1))
  for (const end = Date.now() + 60_000; !isSo(found) && Date.now() < end; )
    found = await store.read(idOf(1))
  return found
}

/** The url of a way to the server that ends where the last of these has come by: before it, or before its answer. */
async function cuttingAt(
  url: string,
  [...statements]: readonly string[],
  isHeard: boolean,
): Promise<string> {
  const { port } = new URL(url)
  const address = await listener((socket) => {
    const onward = connect(Number(port), "127.0.0.1")
    const cut = () => {
      socket.destroy()
      onward.destroy()
    }
    onward.on("error", cut).on("close", cut)
    socket.on("close", cut)
    socket.on("data", (chunk: Buffer) => {
      if (chunk.includes(statements[0] ?? "")) statements.shift()
      if (statements.length === 0 && !isHeard) cut()
      else onward.write(chunk)
    })
    onward.on("data", (chunk: Buffer) => (statements.length === 0 ? cut() : socket.write(chunk)))
  })
  return url.replace(/127\.0\.0\.1:\d+/, address)
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

/** Of no worth to anybody: made for this test, and valid for a hundred years. */
const SELF_SIGNED = {
  key: "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgBgtleMPd81JPe6tXeyxDGYrw2njpYUV7BtQ6nHlMj2ihRANCAAQpeUfIsjkaKyyL2/S2DKiNWhoKj6Pt2AlXK+GTNOn65+dRZujk1Ra24RGUie4E+6YsRm1Dja+mivCSaWF1M7o/",
  cert: "MIIBfzCCASWgAwIBAgIUBsCjPGJ5lLrM9soyDYw1wPDzg5gwCgYIKoZIzj0EAwIwFDESMBAGA1UEAwwJMTI3LjAuMC4xMCAXDTI2MTEyMjIwNTEzMloYDzIxMjYxMDI5MjA1MTMyWjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQpeUfIsjkaKyyL2/S2DKiNWhoKj6Pt2AlXK+GTNOn65+dRZujk1Ra24RGUie4E+6YsRm1Dja+mivCSaWF1M7o/o1MwUTAdBgNVHQ4EFgQUv4PmzuyB0An3b1Mcy2zNVmA6aXowHwYDVR0jBBgwFoAUv4PmzuyB0An3b1Mcy2zNVmA6aXowDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiEAsK+lKniWU+YWDn9sW9EhYzbrvW7ZoEWg3Fzt/vlceewCIHzzktV6NVkvCvAwnq4SercKU2ih8DBCgrAM3+JVQlSr",
}

/** Says yes to the question for TLS, and shows that certificate. */
function speakTls(socket: Socket): void {
  const pem = (kind: string, body: string) =>
    `-----BEGIN ${kind}-----\n${body.replace(/.{64}/g, "$&\n")}\n-----END ${kind}-----\n`
  socket.once("data", () => {
    socket.write("S")
    const secureContext = createSecureContext({
      key: pem("PRIVATE KEY", SELF_SIGNED.key),
      cert: pem("CERTIFICATE", SELF_SIGNED.cert),
    })
    new TLSSocket(socket, { isServer: true, secureContext }).on("error", () => undefined)
  })
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

// First: with each database that there is, a server takes longer to come back.
test("a server that is killed and started while eight claim: what was given is held, once, and nothing is lost", async () => {
  const url = await server.newDatabase()
  const ids = Array.from({ length: 40 }, (_, index) => idOf(index + 1))
  const plain = storeAt(url, restless())
  for (const id of ids) await plain.create(() => ({ ...inTeam(), id }))
  const given = new Map<string, string>()
  const claimOne = async (store: HandoffStore, session: string, id: string) => {
    const came = await store.update(id, claimHandoff(anActor(session))).catch(() => null)
    if (came === null) {
      await wait(20)
      await claimOne(store, session, id)
    } else if (came.kind === "changed") {
      expect([session, undefined]).toContain(given.get(id))
      given.set(id, session)
    }
  }
  const claimAll = async (index: number) => {
    const store = storeAt(url, restless())
    for (const id of ids) await claimOne(store, `ses_${index}`, id)
  }
  const claiming = Array.from({ length: 8 }, (_, index) => claimAll(index))
  while (given.size < 10) await wait(1)
  await server.kill()
  await server.start()
  await Promise.all(claiming)
  const { handoffs } = await plain.open()
  expect(new Map(handoffs.map(({ id, claim }) => [id, claim?.session_id ?? ""]))).toEqual(
    new Map(ids.map((id) => [id, given.get(id) ?? "nobody"])),
  )
})

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
      says: "nothing listening there",
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
    {
      what: "a TLS certificate that nobody vouches for",
      url: async (good) =>
        `${good.replace(/127\.0\.0\.1:\d+/, await listener(speakTls))}?sslmode=require`,
      says: "its TLS certificate refused",
    },
    { what: "no TLS", url: (good) => `${good}?sslmode=require`, says: "TLS" },
    {
      what: "an option that the server refuses",
      url: (good) => `${good}?options=-c%20bad`,
      says: "requires a value",
    },
    {
      what: "a value that the server refuses",
      url: (good) => `${good}?options=-c%20work_mem%3Dnonsense`,
      says: "invalid value for parameter",
    },
    {
      what: "a certificate that is not there",
      url: (good) => `${good}?sslmode=verify-full&sslrootcert=/no/such/file`,
      says: "ENOENT",
    },
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

  test("tables that another machine makes newer meanwhile are refused from then on, and the newer version goes on", async () => {
    const url = await server.newDatabase()
    const older = storeAt(url, restless())
    await older.create(inTeam)
    const newer = storeAt(url, restless(), [
      ...MIGRATIONS,
      "alter table boulder_handoffs add column note text",
    ])
    expect((await newer.open()).handoffs).toHaveLength(1)
    const says = "Expected handoff tables of version 1 in the database; found version 2."
    await expect(older.create(() => ({ ...inTeam(), id: idOf(2) }))).rejects.toThrow(says)
    await expect(older.update(idOf(1), claimHandoff(anActor("ses_a")))).rejects.toThrow(says)
    expect((await older.open()).old).toContain(says)
    expect(await newer.read(idOf(1))).toEqual(await older.read(idOf(1)))
    expect(await newer.read(idOf(2))).toBeNull()
    const claim = await newer.update(idOf(1), claimHandoff(anActor("ses_b")))
    expect(claim.kind).toBe("changed")
  })

  test.each([
    { what: "a claim", change: claimHandoff },
    { what: "a completion", change: completing },
  ])("$what that was read before the tables became newer is not written", async ({ change }) => {
    const url = await server.newDatabase()
    const older = storeAt(url, restless())
    await older.create(inTeam)
    const client = new Client({ connectionString: url })
    await client.connect()
    ends.push(() => client.end())
    await client.query("begin")
    await client.query("lock table boulder_handoffs in share mode")
    const read = Promise.withResolvers<void>()
    const late = older.update(idOf(1), (handoff, now) => {
      read.resolve()
      return change(anActor("ses_a"))(handoff, now)
    })
    late.catch(() => undefined)
    await read.promise
    await client.query("insert into boulder_schema (version) values (2)")
    await client.query("commit")
    await expect(late).rejects.toThrow("found version 2")
    const { rows } = await client.query("select owner from boulder_handoffs")
    expect(rows).toEqual([{ owner: null }])
  })

  test("a migration that takes longer than a statement may, and an outage in its middle, is made", async () => {
    const url = await server.newDatabase()
    await storeAt(url).create(inTeam)
    const slow = "alter table boulder_handoffs add column note text; select pg_sleep(2)"
    const newer = storeAt(url, restless(), [...MIGRATIONS, slow])
    const first = newer.open()
    await wait(500)
    await server.kill()
    await server.start()
    expect((await first).old).toBeDefined()
    for (const end = Date.now() + 30_000; (await newer.open()).old !== undefined; )
      if (Date.now() > end) throw new Error("Expected the tables to be made; found them old.")
    expect((await newer.open()).handoffs).toHaveLength(1)
  })

  test("the url that a file holds is read again behind a failure", async () => {
    const good = await server.newDatabase()
    let url = good.replace(/:\d+\//, ":1/")
    const database = openDatabase({ url: async () => url, root: "/", clock: restless() })
    ends.push(() => database.close())
    const store = openPostgresHandoffStore({ database, scope, now: Date.now })
    expect((await store.open()).old).toContain("nothing listening there")
    url = good
    expect((await store.open()).old).toBeUndefined()
  })

  test("a user who may make no tables is told what its owner has to run, and that helps", async () => {
    const url = await server.newDatabase()
    const name = new URL(url).pathname.slice(1)
    await sqlAt(
      url,
      `create role ${name}_guest login password 'hunter2hunter2'; revoke create on schema public from public`,
    )
    const guest = storeAt(
      url.replace(/boulder:[^@]+@/, `${name}_guest:hunter2hunter2@`),
      restless(),
    )
    const error = await guest.create(inTeam).catch(String)
    expect(error).toContain("found no right to create or use its tables")
    const [, grants = ""] = /run once, for the url's user: (.*)$/.exec(String(error)) ?? []
    await storeAt(url).open()
    await expect(guest.create(inTeam)).rejects.toThrow("no right to create or use its tables")
    await sqlAt(url, grants.replaceAll("the_user", `${name}_guest`))
    expect(await guest.create(inTeam)).toMatchObject({ id: idOf(1) })
    const claim = await guest.update(idOf(1), claimHandoff(anActor("ses_a")))
    expect(claim.kind).toBe("changed")
    await guest.update(idOf(1), completing(anActor("ses_a")))
    expect((await guest.open()).handoffs).toEqual([])
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

describe("a connection that is cut in the middle leaves the record whole, as it was or as it was to be", () => {
  const rows = [
    { what: "a claim", change: claimHandoff, at: ["update boulder_handoffs"], isDone: claimedBy },
    { what: "a completion", change: completing, at: [SETTLES], isDone: settled },
    {
      what: "the end of a completion",
      change: completing,
      at: [SETTLES, "commit"],
      isDone: settled,
    },
  ]
  const moments = [
    { when: "before the server has heard of it", isHeard: false },
    { when: "before the answer has come", isHeard: true },
  ]
  const cases = rows.flatMap((row) => moments.map((moment) => ({ ...row, ...moment })))
  test.each(cases)("$what, $when", async ({ change, at, isDone, isHeard }) => {
    const url = await server.newDatabase()
    const plain = storeAt(url)
    await plain.create(inTeam)
    const store = storeAt(await cuttingAt(url, at, isHeard))
    await store.open()
    const cut = store.update(idOf(1), change(anActor("ses_a")))
    await expect(cut).rejects.toThrow("the connection")
    // What a transaction has done, and not yet committed, goes with its connection.
    const isWritten = isHeard && at.at(-1) !== SETTLES
    const found = await until(plain, (handoff) => isDone(handoff) === isWritten)
    expect(isDone(found)).toBe(isWritten)
    const other = await plain.update(idOf(1), claimHandoff(anActor("ses_b")))
    expect(other.kind).toBe(isWritten ? "refused" : "changed")
    const again = await storeAt(url).update(idOf(1), change(anActor("ses_a")))
    const reason = isWritten ? "settled" : "held-by-other"
    const mayGoOn = isWritten && change === claimHandoff
    expect(again).toMatchObject(mayGoOn ? { kind: "changed" } : { kind: "refused", reason })
  })
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

test("what failed soon is asked again soon; what took long rests four times as long, five seconds at most", async () => {
  let now = 0
  let took = 0
  let asked = 0
  const url = async () => {
    asked += 1
    now += took
    throw new Error("terminated")
  }
  const database = openDatabase({ url, root: "/", clock: () => now })
  const askedAt = async (ms: number) => {
    now = ms
    await database.ask("select 1").catch(() => undefined)
    return asked
  }
  expect(await askedAt(0)).toBe(1)
  expect(await askedAt(249)).toBe(1)
  took = 500
  expect(await askedAt(250)).toBe(2)
  expect(await askedAt(2_749)).toBe(2)
  took = 2_500
  expect(await askedAt(2_750)).toBe(3)
  expect(await askedAt(10_249)).toBe(3)
  expect(await askedAt(10_250)).toBe(4)
})

test("many processes that begin at once make the tables once", async () => {
  const url = await server.newDatabase()
  const stores = Array.from({ length: 16 }, () => storeAt(url))
  const made = await Promise.all(stores.map((store) => store.create(inTeam)))
  expect(made.filter((handoff) => handoff !== null)).toHaveLength(1)
})
