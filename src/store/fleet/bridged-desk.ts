// Keeps saves on this machine while the handoffs' database is away, and sends them when it is back.
import { randomUUID } from "node:crypto"
import { HANDOFF_ID } from "../../boulder/handoff.ts"
import type { SaveOutcome } from "../../boulder/handoff-outcome.ts"
import {
  type HandoffCaller,
  type HandoffDesk,
  openHandoffDesk,
  type SaveRequest,
  writeSave,
} from "../handoffs/handoff-desk.ts"
import type { HandoffStore, OpenHandoffs } from "../handoffs/handoff-store.ts"
import { readOnce } from "../handoffs/read-once.ts"
import { away, CALL_MS, inTime, isAway } from "./away.ts"
import { keptFiles } from "./kept-saves.ts"
import { openKnownHandoffs } from "./known-handoffs.ts"
import { type BridgeNeeds, type ForCall, openSpool, type Spool } from "./spool.ts"

/** A save waits no longer than this for the database, in ms: its task is marked in the plan, and the save is sent afterwards. */
const SAVE_MS = 700

/**
 * The desk over a store that can be away. Then a save is kept in `.boulder/handoffs/away`, its task is marked in the plan all the same, and
 * it is sent once, in order, as soon as the store is back. Every other call has one time limit. A store that is never away gets the plain
 * desk.
 */
export function openBridgedDesk(needs: BridgeNeeds): HandoffDesk {
  const { forCall } = needs.handoffs
  if (forCall === undefined) return openHandoffDesk(needs)
  return bridgedDesk(needs, forCall, openSpool(needs, forCall))
}

function bridgedDesk(needs: BridgeNeeds, forCall: ForCall, spool: Spool): HandoffDesk {
  const desk = () => openHandoffDesk({ ...needs, handoffs: forCall({ ms: CALL_MS }) })
  return {
    async open(agent) {
      const open = await desk().open(agent)
      // Something may still be kept here from a process that has ended; nobody waits for it.
      if (open.old === undefined) void spool.send()
      return open
    },
    get: (caller, id, claim) => desk().get(caller, id, claim),
    save: (caller, request) => save({ needs, forCall, spool }, caller, request),
    // Nobody can take a task while nobody can be asked, so a lease that cannot be renewed is still held.
    renew: (sessionId, id) =>
      desk()
        .renew(sessionId, id)
        .catch((error: unknown) => {
          if (isAway(error)) return true
          throw error
        }),
    on: (readings) => bridgedDesk({ ...needs, ...readings }, forCall, spool),
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
  const heard = await there.open()
  const keep = (task: string | null, marks?: true) =>
    spool.keep({ key, caller, request: { ...request, task }, ...(marks && { marks }) })
  const here = keepingStore({
    here: await withKept(needs, heard),
    heard,
    why,
    caller,
    request,
    keep,
  })
  const outcome = await saveIn(here).catch(async (error: unknown) => {
    if (!isAway(error)) throw error
    await keep(request.task, true)
    throw new Error(
      `${why} What you saved is kept on this machine and sent by itself: do not save it again.`,
    )
  })
  void spool.send()
  return outcome.kind === "saved" ? { ...outcome, kept: why } : outcome
}

/** The records last known, as if everything kept in this folder, by any of its processes, were written. */
async function withKept(needs: BridgeNeeds, heard: OpenHandoffs): Promise<HandoffStore> {
  const { scope } = needs.handoffs
  const here = openKnownHandoffs(scope, needs.now)
  here.hear(heard)
  const seen = { ...needs, ...readOnce(needs), handoffs: here }
  for (const { kept } of await keptFiles(needs.records))
    if (kept !== null && kept.scope === scope)
      await writeSave({ ...seen, ...kept.desk }, kept.caller, kept.request)
  return here
}

/** Keeps what is written there. A task that the database knows is given to nobody, since another machine may hold it. */
function keepingStore(given: {
  readonly here: HandoffStore
  readonly heard: OpenHandoffs
  readonly why: string
  readonly caller: HandoffCaller
  readonly request: SaveRequest
  readonly keep: (task: string | null) => Promise<void>
}): HandoffStore {
  const { here, heard, why, caller, request, keep } = given
  const known = (id: string) => heard.handoffs.find((one) => one.id === id)
  const isOurs = (holder: string) => [caller.sessionId, ...caller.family].includes(holder)
  const read = async (id: string) => {
    const found = await here.read(id)
    if (found === null) throw away(`${id} to be known on this machine`, "no such record", "")
    return found
  }
  return {
    ...here,
    read,
    async create(make) {
      const made = await here.create(make)
      if (made !== null) await keep(request.task)
      return made
    },
    async update(id, change) {
      const update = await here.update(id, change)
      if (update.kind !== "changed") return update
      const { claim, task_key, task_text } = update.handoff
      const last = known(id)
      if (claim !== null && last !== undefined && !isOurs(last.claim?.session_id ?? ""))
        throw new Error(
          `Nothing was saved: another machine may hold ${id} by now. Try again later, or take another task. ${why}`,
        )
      // Without a name the save is about this record, whatever its session holds when it is sent; a record made here may get another id.
      const name = last === undefined ? (task_key ?? task_text) : id
      const isNamed = request.task !== null && !HANDOFF_ID.test(request.task)
      await keep(isNamed ? request.task : name)
      return update
    },
  }
}
