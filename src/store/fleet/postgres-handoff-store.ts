// Handoffs in PostgreSQL: one scope for agents on many machines.
// Over 250 lines: what tools ask and what hooks take at once share what is known of the records.
import { hostname } from "node:os"
import { HANDOFF_ID, type Handoff, handoffSchema } from "../../boulder/handoff.ts"
import type { HandoffChange } from "../../boulder/handoff-changes.ts"
import { elapsedMs } from "../../boulder/iso-time.ts"
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
import * as sql from "./postgres-sql.ts"

/**
 * Handoffs in PostgreSQL. Claims are one statement, compare and swap by a revision; leases are measured by the database's
 * clock. `open` answers also when the database is away: with what was known last, and `old` says so.
 */
export function openPostgresHandoffStore(given: {
  readonly database: Database
  readonly scope: string
  readonly alone?: string | null
  /** ms since 1970; used for nothing but a listing while the database is away, and what is claimed from a list. */
  readonly now: () => number
  readonly callMs?: number
}): HandoffStore & Required<Pick<HandoffStore, "forCall" | "atOnce">> {
  const { database, scope, alone = null, callMs = CALL_MS } = given
  /** What `open` has given last, for the time when the database is away. */
  let known: OpenHandoffs = { handoffs: [], unreadable: [], now: given.now(), machines: new Map() }
  let knownAt = known.now
  /** Records as they were read last: who changes one does not look again. None is there any more where another was faster. */
  const seen: Seen = new Map()
  let writes = 0
  const remember = (handoff: Handoff): void => {
    writes += 1
    const others = known.handoffs.filter(({ id }) => id !== handoff.id)
    known = { ...known, handoffs: handoff.settled_at === null ? [...others, handoff] : others }
  }
  const lastKnown = (): OpenHandoffs => ({
    ...known,
    now: known.now + elapsedMs(knownAt, given.now()),
  })
  const storeFor = (inCall: () => Database, key: string | null): HandoffStore => {
    const call = () => ({ database: inCall(), scope, key, seen, now: given.now })
    return {
      scope,
      async open() {
        const before = writes
        try {
          const open = await readOpen(call())
          // A list that began before a write of ours does not know of it.
          if (before === writes) {
            known = open
            knownAt = given.now()
          }
          return open
        } catch (error) {
          if (!isAway(error)) throw error
          return { ...lastKnown(), old: error.message }
        }
      },
      read: (id) =>
        orKnown(
          async () => {
            const found = await read(call(), id)
            if (found !== null) seen.set(id, found)
            return found?.handoff ?? null
          },
          () => known.handoffs.find((one) => one.id === id),
        ),
      async create(make) {
        const made = await create(call(), make)
        if (made !== null) remember(made)
        return made
      },
      async update(id, change) {
        const update = await changed(call(), id, change)
        if (update.kind === "changed") remember(update.handoff)
        return update
      },
      lastOf: (sessionId) =>
        orKnown(
          () => lastOf(call(), sessionId),
          () => lastHeard(known.handoffs, sessionId) ?? undefined,
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
    // A save of a hook's waits for its time; nothing else does.
    forCall: (call) => (call.key === undefined ? atOnce : forCall(call)),
    async open() {
      if (!isAsked) {
        isAsked = true
        void unheard(asking.open()).finally(() => {
          isAsked = false
        })
      }
      return lastKnown()
    },
    async update(id, change) {
      const { handoffs, now } = lastKnown()
      const handoff = handoffs.find((one) => one.id === id)
      if (handoff === undefined) return { kind: "missing" }
      const after = change(handoff, now)
      if (typeof after === "string") return { kind: "refused", reason: after, handoff }
      remember(after)
      void unheard(
        asking.update(id, change).then((came) => {
          if (came.kind === "refused") remember(came.handoff)
        }),
      )
      return { kind: "changed", handoff: after }
    },
  }
  return { ...asking, forCall, atOnce, alone }
}

/** What is done behind a hook: the next list tells what has come of it. */
function unheard(work: Promise<unknown>): Promise<unknown> {
  return work.catch(() => undefined)
}

/** What the database says; while it is away what was known last, and its failure where nothing was. */
async function orKnown<Value>(ask: () => Promise<Value>, known: () => Value | undefined) {
  try {
    return await ask()
  } catch (error) {
    const last = isAway(error) ? known() : undefined
    if (last === undefined) throw error
    return last
  }
}

/** One call of a store: what it asks, and where it notes what it has read. */
interface Call {
  readonly database: Database
  readonly scope: string
  readonly key: string | null
  readonly seen: Seen
  /** ms since 1970, of this machine. */
  readonly now: () => number
}

type Seen = Map<string, Found>

interface Found {
  readonly handoff: Handoff
  /** As the database wrote it; null for one that is settled. */
  readonly revision: unknown
  /** The database's time, ms since 1970. */
  readonly now: number
  /** This machine's time when it was read. */
  readonly readAt: number
  /** Of the tables. */
  readonly version: unknown
}

async function lastOf(call: Call, sessionId: string) {
  const open = lastHeard((await readOpen(call)).handoffs, sessionId)
  if (open !== null) return open
  const { rows } = await call.database.ask(sql.SETTLED_OF, [call.scope, sessionId])
  const settled = rows.flatMap((row) => foundIn(row, call)?.handoff ?? [])
  return lastHeard(settled, sessionId)
}

async function readOpen(call: Call): Promise<OpenHandoffs> {
  const { rows } = await call.database.ask(sql.OPEN, [call.scope])
  const machines = new Map<string, string>()
  const unreadable: string[] = []
  call.seen.clear()
  for (const row of rows) {
    if (row["record"] === null) continue
    const found = foundIn(row, call)
    if (found === null) unreadable.push(`a row of ${sql.TABLE}`)
    else {
      machines.set(found.handoff.id, String(row["machine"]))
      call.seen.set(found.handoff.id, found)
    }
  }
  const handoffs = [...call.seen.values()].map(({ handoff }) => handoff)
  return { handoffs, unreadable, machines, now: Number(rows[0]?.["now"]) }
}

async function read(call: Call, id: string): Promise<Found | null> {
  if (!HANDOFF_ID.test(id)) return null
  const given = [call.scope, id]
  const [open] = (await call.database.ask(sql.READ, given)).rows
  const row = open ?? (await call.database.ask(sql.READ_SETTLED, given)).rows[0]
  if (row === undefined) return null
  const found = foundIn(row, call)
  if (found === null)
    throw new StoreError({
      code: "corrupt",
      expected: `the row of ${id} to hold a handoff`,
      found: "something else",
      todo: "It was left as it is. Repair it in the database, or delete it.",
    })
  return found
}

async function create(call: Call, make: (now: number) => Handoff): Promise<Handoff | null> {
  const [clock] = (await call.database.ask(sql.CLOCK)).rows
  const handoff = checked(make(Number(clock?.["now"])), call.scope)
  return (await write(call, handoff, [clock?.["version"]])) ? handoff : null
}

/** Compare and swap until nobody else was faster. */
async function changed(call: Call, id: string, change: HandoffChange): Promise<HandoffUpdate> {
  const early = await changedAsSeen(call, id, change)
  if (early !== null) return early
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const found = await read(call, id)
    if (found === null) return { kind: "missing" }
    const update = await swap(call, found, change)
    if (update !== null) return update
  }
  throw busy(id)
}

/** A claim of what was listed a moment ago is one statement; null, and nothing written, where the record must be read for it. */
async function changedAsSeen(call: Call, id: string, change: HandoffChange) {
  const found = call.seen.get(id)
  if (found === undefined) return null
  call.seen.delete(id)
  const guess = found.now + elapsedMs(found.readAt, call.now())
  const update = await swap(call, found, change, guess)
  // Another was faster, and so it may have been with all the rest.
  if (update === null) call.seen.clear()
  return update?.kind === "changed" ? update : null
}

/** Null, and nothing written, where another was faster, or the guess of the database's time is wrong. */
async function swap(
  call: Call,
  { handoff, revision, version, now }: Found,
  change: HandoffChange,
  guess: number | null = null,
): Promise<HandoffUpdate | null> {
  const after = revision === null ? "settled" : change(handoff, guess ?? now)
  if (typeof after === "string") return { kind: "refused", reason: after, handoff }
  const isWritten = await write(call, checked(after, call.scope), [version, revision, guess])
  return isWritten ? { kind: "changed", handoff: after } : null
}

/**
 * Writes a new record, or one in the place of what was read, with the key of its save. False, and nothing written, where its
 * id is taken, or somebody else has written or changed the tables since: `read` is their version then, the revision, and
 * the time if that was guessed.
 */
async function write(
  { database, scope, key }: Call,
  handoff: Handoff,
  read: readonly [version: unknown, revision?: unknown, guess?: number | null],
): Promise<boolean> {
  const isNew = read.length === 1
  const isOpen = handoff.settled_at === null
  const machine = hostname().slice(0, 128)
  const row = [scope, handoff.id, machine, JSON.stringify(handoff), ...read]
  const [open, settled] = isNew ? [sql.CREATE, sql.CREATE_SETTLED] : [sql.UPDATE, sql.SETTLE]
  // A change of an open record is one statement: nobody needs to wait for it.
  if (isOpen && !isNew && key === null) return (await database.ask(open, row)).count > 0
  return database.transact(async (ask) => {
    await ask(sql.RECORD_LOCK, [scope, handoff.id])
    const { count } = await ask(isOpen ? open : settled, row)
    if (count > 0 && key !== null && (await ask(sql.KEEP_KEY, [scope, key])).count === 0)
      throw new AlreadySaved()
    return count > 0
  })
}

/** Throws for a record of another scope, and for one that a reader would not take. */
function checked(handoff: Handoff, scope: string): Handoff {
  checkScope(handoff, scope)
  return handoffSchema.parse(handoff)
}

function foundIn(row: Row, { scope, now }: Call): Found | null {
  const { data } = handoffSchema.safeParse(row["record"])
  if (data?.scope.project !== scope) return null
  const { revision, version } = row
  return { handoff: data, revision, version, now: Number(row["now"]), readAt: now() }
}
