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
} from "../handoffs/handoff-store.ts"
import { isAway } from "./away.ts"
import type { Database, Row } from "./database.ts"
import * as sql from "./postgres-sql.ts"

/**
 * Handoffs in PostgreSQL. Claims are one statement, compare and swap by a revision; leases are measured by the database's
 * clock. `open` answers also when the database is away: with what was known last, and `old` says so.
 */
export function openPostgresHandoffStore(given: {
  readonly database: Database
  readonly scope: string
  readonly alone?: string | null
  /** ms since 1970; used for nothing but a listing while the database is away. */
  readonly now: () => number
}): HandoffStore {
  const { database, scope, alone = null } = given
  /** What `open` has given last, for the time when the database is away. */
  let known: OpenHandoffs = { handoffs: [], unreadable: [], now: given.now(), machines: new Map() }
  let knownAt = known.now
  let writes = 0
  const remember = (handoff: Handoff): void => {
    writes += 1
    const others = known.handoffs.filter(({ id }) => id !== handoff.id)
    known = { ...known, handoffs: handoff.settled_at === null ? [...others, handoff] : others }
  }
  const storeFor = (key: string | null): HandoffStore => ({
    scope,
    async open() {
      const before = writes
      try {
        const open = await readOpen(database, scope)
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
        async () =>
          HANDOFF_ID.test(id) ? ((await read(database, scope, id))?.handoff ?? null) : null,
        () => known.handoffs.find((one) => one.id === id),
      ),
    async create(make) {
      const made = await create(database, { scope, key }, make)
      if (made !== null) remember(made)
      return made
    },
    async update(id, change) {
      const update = await changed(database, { scope, key, id }, change)
      if (update.kind === "changed") remember(update.handoff)
      return update
    },
    lastOf: (sessionId) =>
      orKnown(
        () => lastOf(database, scope, sessionId),
        () => lastHeard(known.handoffs, sessionId) ?? undefined,
      ),
  })
  const lastKnown = (): OpenHandoffs => ({
    ...known,
    now: known.now + elapsedMs(knownAt, given.now()),
  })
  const asking = storeFor(null)
  let isAsked = false
  const atOnce: HandoffStore = {
    ...asking,
    once: storeFor,
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
  return { ...asking, once: storeFor, atOnce, alone }
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

async function lastOf(database: Database, scope: string, sessionId: string) {
  const open = lastHeard((await readOpen(database, scope)).handoffs, sessionId)
  if (open !== null) return open
  const { rows } = await database.ask(sql.SETTLED_OF, [scope, sessionId])
  const settled = rows.flatMap((row) => recordIn(row, scope) ?? [])
  return lastHeard(settled, sessionId)
}

async function readOpen({ ask }: Database, scope: string): Promise<OpenHandoffs> {
  const { rows } = await ask(sql.OPEN, [scope])
  const machines = new Map<string, string>()
  const handoffs: Handoff[] = []
  const unreadable: string[] = []
  for (const row of rows) {
    if (row["record"] === null) continue
    const handoff = recordIn(row, scope)
    if (handoff === null) unreadable.push(`a row of ${sql.TABLE}`)
    else {
      handoffs.push(handoff)
      machines.set(handoff.id, String(row["machine"]))
    }
  }
  return { handoffs, unreadable, machines, now: Number(rows[0]?.["now"]) }
}

interface Found {
  readonly handoff: Handoff
  /** As the database wrote it; null for one that is settled. */
  readonly revision: unknown
  readonly now: number
  /** Of the tables. */
  readonly version: unknown
}

async function read({ ask }: Database, scope: string, id: string): Promise<Found | null> {
  const [open] = (await ask(sql.READ, [scope, id])).rows
  const row = open ?? (await ask(sql.READ_SETTLED, [scope, id])).rows[0]
  if (row === undefined) return null
  const handoff = recordIn(row, scope)
  if (handoff === null)
    throw new StoreError({
      code: "corrupt",
      expected: `the row of ${id} to hold a handoff`,
      found: "something else",
      todo: "It was left as it is. Repair it in the database, or delete it.",
    })
  const { revision, version } = row
  return { handoff, revision, now: Number(row["now"]), version }
}

interface Writing {
  readonly scope: string
  readonly key: string | null
}

async function create(
  database: Database,
  writing: Writing,
  make: (now: number) => Handoff,
): Promise<Handoff | null> {
  const [clock] = (await database.ask(sql.CLOCK)).rows
  const handoff = checked(make(Number(clock?.["now"])), writing.scope)
  return (await write(database, writing, handoff, [clock?.["version"]])) ? handoff : null
}

async function changed(
  database: Database,
  { scope, key, id }: Writing & { readonly id: string },
  change: HandoffChange,
): Promise<HandoffUpdate> {
  if (!HANDOFF_ID.test(id)) return { kind: "missing" }
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const found = await read(database, scope, id)
    if (found === null) return { kind: "missing" }
    const { handoff, revision, now, version } = found
    const after = revision === null ? "settled" : change(handoff, now)
    if (typeof after === "string") return { kind: "refused", reason: after, handoff }
    if (await write(database, { scope, key }, checked(after, scope), [version, revision]))
      return { kind: "changed", handoff: after }
  }
  throw busy(id)
}

/**
 * Writes a new record, or one in the place of what was read, with the key of its save. False, and nothing written, where its
 * id is taken, or somebody else has written or changed the tables since: `read` is their version then, and the revision.
 */
async function write(
  database: Database,
  { scope, key }: Writing,
  handoff: Handoff,
  read: readonly [version: unknown, revision?: unknown],
): Promise<boolean> {
  const isNew = read.length === 1
  const isOpen = handoff.settled_at === null
  const row = [...(isOpen ? openRow(handoff) : settledRow(handoff)), ...read]
  const [open, settled] = isNew ? [sql.CREATE, sql.CREATE_SETTLED] : [sql.UPDATE, sql.SETTLE]
  // A change of an open record is one statement: nobody needs to wait for it.
  if (isOpen && !isNew && key === null) return (await database.ask(open, row)).count > 0
  return database.transact(async (ask) => {
    await ask(sql.RECORD_LOCK, [scope, handoff.id])
    const { count } = await ask(isOpen ? open : settled, row)
    if (count > 0) await keepKey(ask, { scope, key })
    return count > 0
  })
}

async function keepKey(ask: Database["ask"], { scope, key }: Writing): Promise<void> {
  if (key === null) return
  if ((await ask(sql.KEEP_KEY, [scope, key])).count === 0) throw new AlreadySaved()
}

function openRow(handoff: Handoff): unknown[] {
  const { id, scope, status, claim, updated_at } = handoff
  const owner = claim?.session_id ?? null
  const record = JSON.stringify(handoff)
  return [
    scope.project,
    id,
    status,
    owner,
    claim?.lease_until ?? null,
    updated_at,
    machine(),
    record,
  ]
}

function settledRow(handoff: Handoff): unknown[] {
  const { id, scope, session_id, claim, history, updated_at } = handoff
  const heard = [session_id, claim?.session_id, ...history.map((entry) => entry.session_id)]
  const sessions = [...new Set(heard.filter((one) => one !== undefined))]
  return [scope.project, id, sessions, updated_at, machine(), JSON.stringify(handoff)]
}

function machine(): string {
  return hostname().slice(0, 128)
}

/** Throws for a record of another scope, and for one that a reader would not take. */
function checked(handoff: Handoff, scope: string): Handoff {
  checkScope(handoff, scope)
  return handoffSchema.parse(handoff)
}

function recordIn(row: Row, scope: string): Handoff | null {
  const parsed = handoffSchema.safeParse(row["record"])
  return parsed.success && parsed.data.scope.project === scope ? parsed.data : null
}
