// Stores handoffs in PostgreSQL: one scope for agents on many machines.
import { hostname } from "node:os"
import { HANDOFF_ID, type Handoff, handoffSchema } from "../../boulder/handoff.ts"
import type { HandoffChange } from "../../boulder/handoff-changes.ts"
import { StoreError } from "../disk/store-error.ts"
import { busy, MAX_TRIES } from "../handoffs/handoff-revisions.ts"
import { checkScope } from "../handoffs/handoff-scope.ts"
import {
  AlreadySaved,
  type HandoffStore,
  type HandoffUpdate,
  lastHeard,
  type OpenHandoffs,
  type StoreCall,
} from "../handoffs/handoff-store.ts"
import { CALL_MS, isAway } from "./away.ts"
import { type Database, forCallOf, type Row } from "./database.ts"
import { openKnownHandoffs } from "./known-handoffs.ts"
import * as sql from "./postgres-sql.ts"

/**
 * Handoffs in PostgreSQL. A claim is one statement that compares and swaps by revision; leases are measured by the database's clock. `open`
 * answers even if the database is away: with what was last known, and `old` says so.
 */
export function openPostgresHandoffStore(given: {
  readonly database: Database
  readonly scope: string
  readonly alone?: string | null
  /** ms since 1970; used only for a list while the database is away. */
  readonly now: () => number
  readonly callMs?: number
}): HandoffStore & Required<Pick<HandoffStore, "forCall" | "atOnce">> {
  const { database, scope, alone = null, callMs = CALL_MS } = given
  const known = openKnownHandoffs(scope, given.now)
  const storeFor = (inCall: () => Database, key: string | null): HandoffStore => {
    const call = () => ({ database: inCall(), scope, key })
    return {
      scope,
      alone,
      async open() {
        const before = known.writes()
        try {
          const open = await readOpen(call())
          if (before === known.writes()) known.hear(open)
          return open
        } catch (error) {
          if (!isAway(error)) throw error
          return { ...(await known.open()), old: error.message }
        }
      },
      read: (id) =>
        orKnown(
          async () => (await read(call(), id))?.handoff ?? null,
          () => known.read(id),
        ),
      async create(make) {
        const made = await create(call(), make)
        if (made !== null) known.note(made)
        return made
      },
      async update(id, change) {
        const update = await changed(call(), id, change)
        if (update.kind === "changed") known.note(update.handoff)
        return update
      },
      lastOf: (sessionId) =>
        orKnown(
          () => lastOf(call(), sessionId),
          () => known.lastOf(sessionId),
        ),
    }
  }
  const asking = storeFor(() => forCallOf(database, callMs), null)
  const forCall = ({ scope: its = scope, ...call }: StoreCall): HandoffStore => {
    if (its !== scope) return openPostgresHandoffStore({ ...given, scope: its }).forCall(call)
    const limited = forCallOf(database, call.ms)
    return storeFor(() => limited, call.key ?? null)
  }
  let isAsked = false
  const atOnce: HandoffStore = {
    ...asking,
    // Only a hook's save waits a limited time; nothing else does.
    forCall: (call) => (call.key === undefined ? atOnce : forCall(call)),
    async open() {
      if (!isAsked) {
        isAsked = true
        void unheard(asking.open()).finally(() => {
          isAsked = false
        })
      }
      return known.open()
    },
    async update(id, change) {
      const update = await known.update(id, change)
      if (update.kind === "changed")
        void unheard(
          asking.update(id, change).then((came) => {
            if (came.kind === "refused") known.note(came.handoff)
          }),
        )
      return update
    },
  }
  return { ...asking, forCall, atOnce }
}

/** For work done after a hook: the next list shows what came of it. */
function unheard(work: Promise<unknown>): Promise<unknown> {
  return work.catch(() => undefined)
}

/** The database's answer; while it is away what was last known, or its failure if nothing was. */
async function orKnown<Value>(
  ask: () => Promise<Value>,
  known: () => Promise<Value>,
): Promise<Value> {
  try {
    return await ask()
  } catch (error) {
    const last = isAway(error) ? await known() : null
    if (last === null) throw error
    return last
  }
}

/** What a call of the store asks, and what it writes with. */
interface Call {
  readonly database: Database
  readonly scope: string
  readonly key: string | null
}

async function lastOf(call: Call, sessionId: string) {
  const open = lastHeard((await readOpen(call)).handoffs, sessionId)
  if (open !== null) return open
  const { rows } = await call.database.ask(sql.SETTLED_OF, [call.scope, sessionId])
  const settled = rows.flatMap((row) => recordIn(row, call.scope) ?? [])
  return lastHeard(settled, sessionId)
}

async function readOpen(call: Call): Promise<OpenHandoffs> {
  const { rows } = await call.database.ask(sql.OPEN, [call.scope])
  const machines = new Map<string, string>()
  const handoffs: Handoff[] = []
  const unreadable: string[] = []
  for (const row of rows) {
    if (row["record"] === null) continue
    const handoff = recordIn(row, call.scope)
    if (handoff === null) unreadable.push(`${row["id"]} in ${sql.TABLE}`)
    else {
      handoffs.push(handoff)
      machines.set(handoff.id, String(row["machine"]))
    }
  }
  return { handoffs, unreadable, machines, now: Number(rows[0]?.["now"]) }
}

/** A record with its revision as the database wrote it (null for a settled one), the database's time and the tables' version. */
async function read(call: Call, id: string) {
  if (!HANDOFF_ID.test(id)) return null
  const given = [call.scope, id]
  const [open] = (await call.database.ask(sql.READ, given)).rows
  const row = open ?? (await call.database.ask(sql.READ_SETTLED, given)).rows[0]
  if (row === undefined) return null
  const handoff = recordIn(row, call.scope)
  if (handoff === null)
    throw new StoreError({
      code: "corrupt",
      expected: `the row of ${id} to hold a handoff`,
      found: "something else",
      todo: "It was left as it is. Repair it in the database, or delete it.",
    })
  const { revision, version } = row
  return { handoff, revision, version, now: Number(row["now"]) }
}

async function create(call: Call, make: (now: number) => Handoff): Promise<Handoff | null> {
  const [clock] = (await call.database.ask(sql.CLOCK)).rows
  const handoff = checked(make(Number(clock?.["now"])), call.scope)
  return (await write(call, handoff, [clock?.["version"]])) ? handoff : null
}

/** Compares and swaps until nobody else was faster. */
async function changed(call: Call, id: string, change: HandoffChange): Promise<HandoffUpdate> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const found = await read(call, id)
    if (found === null) return { kind: "missing" }
    const { handoff, revision, version, now } = found
    const after = revision === null ? "settled" : change(handoff, now)
    if (typeof after === "string") return { kind: "refused", reason: after, handoff }
    if (await write(call, checked(after, call.scope), [version, revision]))
      return { kind: "changed", handoff: after }
  }
  throw busy(id)
}

/**
 * Writes a new record, or one in place of what was read, together with the key of its save. False, and nothing written, if its id exists,
 * or if somebody else has written the record or changed the tables since: `read` holds the tables' version and the revision at that time.
 */
async function write(
  { database, scope, key }: Call,
  handoff: Handoff,
  read: readonly [version: unknown, revision?: unknown],
): Promise<boolean> {
  const isNew = read.length === 1
  const isOpen = handoff.settled_at === null
  const machine = hostname().slice(0, 128)
  const row = [scope, handoff.id, machine, JSON.stringify(handoff), ...read]
  const [open, settled] = isNew ? [sql.CREATE, sql.CREATE_SETTLED] : [sql.UPDATE, sql.SETTLE]
  // A change of an open record is one statement, so that nobody has to wait for it.
  if (isOpen && !isNew && key === null) return (await database.ask(open, row)).count > 0
  return database.transact(async (ask) => {
    await ask(sql.RECORD_LOCK, [scope, handoff.id])
    const { count } = await ask(isOpen ? open : settled, row)
    if (count > 0 && key !== null && (await ask(sql.KEEP_KEY, [scope, key])).count === 0)
      throw new AlreadySaved()
    return count > 0
  })
}

/** Throws for a record of another scope, and for one that a reader would reject. */
function checked(handoff: Handoff, scope: string): Handoff {
  checkScope(handoff, scope)
  return handoffSchema().parse(handoff)
}

function recordIn(row: Row, scope: string): Handoff | null {
  const { data } = handoffSchema().safeParse(row["record"])
  return data?.scope.project === scope ? data : null
}
