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
import { isAway } from "./away.ts"
import { type BridgeNeeds, type KeptSave, type Once, openSpool, type Spool } from "./spool.ts"

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
  // What was kept before comes first.
  const mayAsk = await spool.send()
  const key = randomUUID()
  let kept: string | undefined
  const keep = async (why: string, marks?: { marks: true }) => {
    if (kept === undefined)
      await spool.keep({ schema_version: 1, key, caller: plain(caller), request, ...marks })
    kept = why
  }
  const handoffs = keeping(once(key), { mayAsk, keep, now: needs.now })
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
  if (kept === undefined) return outcome
  void spool.send()
  return outcome.kind === "saved" ? { ...outcome, kept } : outcome
}

/** A store that takes a write which cannot be made now, once it is kept on the disk, for made. */
function keeping(
  store: HandoffStore,
  {
    mayAsk,
    keep,
    now,
  }: { mayAsk: boolean; keep: (why: string) => Promise<void>; now: () => number },
): HandoffStore {
  let known: readonly Handoff[] = []
  const orKept = async <Value>(
    write: () => Promise<Value>,
    instead: () => { readonly value: Value; readonly isWritten: boolean },
  ): Promise<Value> => {
    let why = "Earlier saves are still waiting to be sent."
    try {
      if (mayAsk) return await write()
    } catch (error) {
      if (!isAway(error)) throw error
      why = error.message
    }
    const { value, isWritten } = instead()
    if (isWritten) await keep(why)
    return value
  }
  return {
    ...store,
    async open() {
      const open = await store.open()
      known = open.handoffs
      return open
    },
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
