// Keeps saves on this machine while the database of the handoffs is away, and sends them when it is back.
import { randomUUID } from "node:crypto"
import type { Handoff } from "../../boulder/handoff.ts"
import type { SaveOutcome } from "../../boulder/handoff-outcome.ts"
import {
  type HandoffCaller,
  type HandoffDesk,
  openHandoffDesk,
  type SaveRequest,
} from "../handoffs/handoff-desk.ts"
import type { HandoffStore, HandoffUpdate } from "../handoffs/handoff-store.ts"
import { failureOf, isAway } from "./away.ts"
import { type BridgeNeeds, type KeptSave, type Once, openSpool, type Spool } from "./spool.ts"

/** A save waits for the database no longer than this, in ms: its task is marked in the plan, and it is sent behind it. */
const SAVE_MS = 700

/**
 * The desk over a store that can be away: then a save is kept in `.boulder/handoffs/away`, its task is marked in the plan
 * all the same, and it is sent once, in order, as soon as the store is back. A store that is never away has the
 * plain desk.
 */
export function openBridgedDesk(needs: BridgeNeeds, spool = openSpool(needs)): HandoffDesk {
  const desk = openHandoffDesk(needs)
  const { once } = needs.handoffs
  if (once === undefined) return desk
  return {
    ...desk,
    async open(agent) {
      const open = await desk.open(agent)
      // Of a process that has ended some may still be kept here; nobody waits for it.
      if (open.old === undefined) void spool.send()
      return open
    },
    save: (caller, request) => save({ needs, once, spool }, caller, request),
    // Nobody can take a task while nobody can be asked: a lease that cannot be renewed is still held.
    renew: (sessionId, id) =>
      desk.renew(sessionId, id).catch((error: unknown) => {
        if (isAway(error)) return true
        throw error
      }),
    on: (readings) => openBridgedDesk({ ...needs, ...readings }, spool),
  }
}

async function save(
  { needs, once, spool }: { needs: BridgeNeeds; once: Once; spool: Spool },
  caller: HandoffCaller,
  request: SaveRequest,
): Promise<SaveOutcome> {
  const limit = timeLimit(SAVE_MS)
  // What was kept before comes first.
  const mayAsk = await limit.inTime(spool.send()).catch(() => false)
  const key = randomUUID()
  const { byAgent, leaseMs, marksPlans } = needs
  const desk = { byAgent, leaseMs, marksPlans }
  let kept: string | undefined
  const keep = async (why: string, marks?: { marks: true }) => {
    if (kept === undefined)
      await spool.keep({ schema_version: 1, key, desk, caller: plain(caller), request, ...marks })
    kept = why
  }
  const handoffs = keeping(once(key), {
    mayAsk,
    keep,
    now: needs.now,
    inTime: limit.inTime,
    atOnce: needs.handoffs.atOnce ?? needs.handoffs,
  })
  const outcome = await openHandoffDesk({ ...needs, handoffs })
    .save(caller, request)
    .catch(async (error: unknown) => {
      if (!isAway(error)) throw error
      // It names a record that nobody knows here: what it says is kept all the same.
      await keep(error.message, { marks: true })
      throw new Error(
        `${error.message} What you saved is kept on this machine and sent by itself: do not save it again.`,
      )
    })
    .finally(limit.end)
  if (kept === undefined) return outcome
  void spool.send()
  return outcome.kind === "saved" ? { ...outcome, kept } : outcome
}

/** What is begun goes on behind the limit; the key of its save keeps it from being written twice. */
function timeLimit(ms: number) {
  const over = Promise.withResolvers<never>()
  over.promise.catch(() => undefined)
  const timer = setTimeout(() => {
    over.reject(failureOf(new Error("timeout"), ""))
  }, ms)
  return {
    inTime: <Value>(work: Promise<Value>): Promise<Value> => Promise.race([work, over.promise]),
    end: () => clearTimeout(timer),
  }
}

/** A store that takes a write which cannot be made now, once it is kept on the disk, for made. */
function keeping(
  store: HandoffStore,
  {
    mayAsk,
    keep,
    now,
    inTime,
    atOnce,
  }: {
    mayAsk: boolean
    keep: (why: string) => Promise<void>
    now: () => number
    inTime: <Value>(work: Promise<Value>) => Promise<Value>
    atOnce: HandoffStore
  },
): HandoffStore {
  let known: readonly Handoff[] = []
  let refusal = mayAsk ? null : "Earlier saves are still waiting to be sent."
  const orKept = async <Value>(
    write: () => Promise<Value>,
    instead: () => { readonly value: Value; readonly isWritten: boolean },
  ): Promise<Value> => {
    try {
      if (refusal === null) return await inTime(write())
    } catch (error) {
      if (!isAway(error)) throw error
      refusal = error.message
    }
    const { value, isWritten } = instead()
    if (isWritten) await keep(refusal ?? "")
    return value
  }
  return {
    ...store,
    async open() {
      const open = await inTime(store.open()).catch(async (error: unknown) => {
        if (!isAway(error)) throw error
        return { ...(await atOnce.open()), old: error.message }
      })
      known = open.handoffs
      return open
    },
    read: (id) => inTime(store.read(id)),
    create: (make) =>
      orKept<Handoff | null>(
        () => store.create(make),
        () => ({ value: make(now()), isWritten: true }),
      ),
    update: (id, change) =>
      orKept<HandoffUpdate>(
        () => store.update(id, change),
        () => {
          const handoff = known.find((one) => one.id === id)
          if (handoff === undefined) return { value: { kind: "missing" }, isWritten: false }
          const after = change(handoff, now())
          return typeof after === "string"
            ? { value: { kind: "refused", reason: after, handoff }, isWritten: false }
            : { value: { kind: "changed", handoff: after }, isWritten: true }
        },
      ),
  }
}

function plain({ sessionId, agent, place: where, family }: HandoffCaller): KeptSave["caller"] {
  return { sessionId, agent, place: where, family: [...family] }
}
