// Keeps saves on this machine while the database of the handoffs is away, and sends them when it is back.
import { randomUUID } from "node:crypto"
import type { SaveOutcome } from "../../boulder/handoff-outcome.ts"
import {
  type HandoffCaller,
  type HandoffDesk,
  openHandoffDesk,
  type SaveRequest,
} from "../handoffs/handoff-desk.ts"
import type { HandoffStore, OpenHandoffs } from "../handoffs/handoff-store.ts"
import { away, CALL_MS, inTime, isAway } from "./away.ts"
import { type BridgeNeeds, type ForCall, openSpool, type Spool } from "./spool.ts"

/** A save waits for the database no longer than this, in ms: its task is marked in the plan, and it is sent behind it. */
const SAVE_MS = 700

/**
 * The desk over a store that can be away: then a save is kept in `.boulder/handoffs/away`, its task is marked in the plan
 * all the same, and it is sent once, in order, as soon as the store is back. Whatever else is asked has one time limit. A store
 * that is never away has the plain desk.
 */
export function openBridgedDesk(needs: BridgeNeeds, spool = openSpool(needs)): HandoffDesk {
  const { forCall } = needs.handoffs
  if (forCall === undefined) return openHandoffDesk(needs)
  const desk = () => openHandoffDesk({ ...needs, handoffs: forCall({ ms: CALL_MS }) })
  return {
    async open(agent) {
      const open = await desk().open(agent)
      // Of a process that has ended some may still be kept here; nobody waits for it.
      if (open.old === undefined) void spool.send()
      return open
    },
    get: (caller, id, claim) => desk().get(caller, id, claim),
    save: (caller, request) => save({ needs, forCall, spool }, caller, request),
    // Nobody can take a task while nobody can be asked: a lease that cannot be renewed is still held.
    renew: (sessionId, id) =>
      desk()
        .renew(sessionId, id)
        .catch((error: unknown) => {
          if (isAway(error)) return true
          throw error
        }),
    on: (readings) => openBridgedDesk({ ...needs, ...readings }, spool),
  }
}

async function save(
  { needs, forCall, spool }: { needs: BridgeNeeds; forCall: ForCall; spool: Spool },
  caller: HandoffCaller,
  request: SaveRequest,
): Promise<SaveOutcome> {
  const key = randomUUID()
  const there = forCall({ ms: SAVE_MS, key })
  const saveIn = (handoffs: HandoffStore) =>
    openHandoffDesk({ ...needs, handoffs }).save(caller, request)
  let why = "Earlier saves are still waiting to be sent."
  try {
    // What was kept before comes first.
    if (await inTime(SAVE_MS, spool.send).catch(() => false)) return await saveIn(there)
  } catch (error) {
    if (!isAway(error)) throw error
    why = error.message
  }
  const keep = (marks?: true) => spool.keep({ key, caller, request, ...(marks && { marks }) })
  const here = knownHere(there.scope, await there.open(), () => keep())
  const outcome = await saveIn(here).catch(async (error: unknown) => {
    if (!isAway(error)) throw error
    await keep(true)
    throw new Error(
      `${why} What you saved is kept on this machine and sent by itself: do not save it again.`,
    )
  })
  void spool.send()
  return outcome.kind === "saved" ? { ...outcome, kept: why } : outcome
}

/** The records that were known last, as if what is written there were written: a save that is made there is kept first. */
function knownHere(
  scope: string,
  { handoffs, ...open }: OpenHandoffs,
  keep: () => Promise<void>,
): HandoffStore {
  const read = async (id: string) => {
    const found = handoffs.find((one) => one.id === id)
    if (found === undefined) throw away(`${id} to be known on this machine`, "no such record", "")
    return found
  }
  return {
    scope,
    read,
    lastOf: read,
    open: async () => ({ handoffs, ...open }),
    async create(make) {
      const handoff = make(open.now)
      await keep()
      return handoff
    },
    async update(id, change) {
      const handoff = await read(id)
      const after = change(handoff, open.now)
      if (typeof after === "string") return { kind: "refused", reason: after, handoff }
      await keep()
      return { kind: "changed", handoff: after }
    },
  }
}
