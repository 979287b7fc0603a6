// Keeps saves on this machine while the database of the handoffs is away, and sends them when it is back.
import { randomUUID } from "node:crypto"
import { z } from "zod"
import type { Handoff } from "../../boulder/handoff.ts"
import type { SaveOutcome } from "../../boulder/handoff-outcome.ts"
import { jsonOf } from "../../boulder/json-of.ts"
import {
  type DeskNeeds,
  type HandoffCaller,
  type HandoffDesk,
  openHandoffDesk,
  type SaveRequest,
  writeSave,
} from "../handoffs/handoff-desk.ts"
import { AlreadySaved, type HandoffStore, type HandoffUpdate } from "../handoffs/handoff-store.ts"
import type { RecordFiles } from "../records/record-files.ts"
import { isAway } from "./away.ts"

const FOLDER = "handoffs/away"
/** How long to wait before what is kept is sent again, in ms. */
const AGAIN_MS = 6_000

const place = z.strictObject({
  workId: z.string(),
  role: z.enum(["lead", "child"]),
  task: z.strictObject({ key: z.string(), titleHash: z.string() }).nullable(),
})

/** A save as it lies on the disk until it is in the database; `key` makes it be written there once. */
const keptSave = z.strictObject({
  schema_version: z.literal(1),
  key: z.uuid(),
  caller: z.strictObject({
    sessionId: z.string(),
    agent: z.string().nullable(),
    place: place.nullable(),
    family: z.array(z.string()),
  }),
  request: z.strictObject({
    status: z.enum(["in_progress", "blocked", "complete"]),
    summary: z.string(),
    reason: z.string().nullable(),
    task: z.string().nullable(),
  }),
})

type KeptSave = z.infer<typeof keptSave>

/** What the desk stands on, and where saves are kept meanwhile. */
export interface BridgeNeeds extends DeskNeeds {
  readonly records: RecordFiles
}

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

type Once = NonNullable<HandoffStore["once"]>

/** What this process keeps until it can be sent. */
interface Spool {
  keep(entry: KeptSave): Promise<void>
  /** Sends what is kept; true when nothing is kept any more, else it is tried again by itself. */
  send(): Promise<boolean>
}

function openSpool(needs: BridgeNeeds): Spool {
  const { once } = needs.handoffs
  /** Whether there may be saves to send: until this process has looked, there may. */
  let mayHold = true
  let sending: Promise<void> | null = null
  const sendNow = async (given: Once): Promise<void> => {
    // What is kept from here on may come too late for this time.
    mayHold = false
    try {
      mayHold = !(await sendAll(needs, given)) || mayHold
    } catch (error) {
      mayHold = true
      throw error
    } finally {
      sending = null
    }
  }
  const send = async (): Promise<boolean> => {
    if (once === undefined || (!mayHold && sending === null)) return true
    sending ??= sendNow(once)
    await sending
    if (mayHold) setTimeout(() => void send().catch(() => undefined), AGAIN_MS).unref()
    return !mayHold
  }
  return {
    send,
    async keep(entry) {
      await keepSave(needs.records, entry)
      mayHold = true
    },
  }
}

async function save(
  { needs, once, spool }: { needs: BridgeNeeds; once: Once; spool: Spool },
  caller: HandoffCaller,
  request: SaveRequest,
): Promise<SaveOutcome> {
  // What was kept before comes first.
  const mayAsk = await spool.send().catch(() => false)
  const key = randomUUID()
  let kept: string | undefined
  const keep = async (why: string) => {
    if (kept === undefined)
      await spool.keep({ schema_version: 1, key, caller: plain(caller), request })
    kept = why
  }
  const handoffs = keeping(once(key), { mayAsk, keep, now: needs.now })
  const outcome = await openHandoffDesk({ ...needs, handoffs })
    .save(caller, request)
    .catch(async (error: unknown) => {
      if (!isAway(error)) throw error
      // It names a record that nobody knows here: what it says is kept all the same.
      await keep(error.message)
      throw new Error(
        `${error.message} What you saved is kept on this machine and sent by itself: do not save it again.`,
      )
    })
  if (kept === undefined) return outcome
  void spool.send().catch(() => undefined)
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

/** Sends what is kept, oldest first; false where the store is still away. What nobody can read is left there. */
async function sendAll(needs: BridgeNeeds, once: Once): Promise<boolean> {
  for (const name of [...(await needs.records.list(FOLDER))].sort()) {
    const path = `${FOLDER}/${name}`
    const text = await needs.records.tryRead(path)
    const kept = keptSave.safeParse(typeof text === "string" ? jsonOf(text) : null)
    if (!kept.success) continue
    if (!(await isSent(needs, once, kept.data))) return false
    await needs.records.remove(path)
  }
  return true
}

async function isSent(needs: BridgeNeeds, once: Once, kept: KeptSave): Promise<boolean> {
  try {
    await sendOne(needs, once, kept)
  } catch (error) {
    if (isAway(error)) return false
    if (!(error instanceof AlreadySaved)) throw error
  }
  return true
}

/** Where others went on meanwhile, what it says is kept as a record of its own: nothing that was said is lost. */
async function sendOne(
  needs: BridgeNeeds,
  once: Once,
  { key, caller, request }: KeptSave,
): Promise<void> {
  const { written } = await writeSave({ ...needs, handoffs: once(key) }, caller, request)
  if (written.kind === "written") return
  const about = written.handoff?.id ?? request.task ?? "a task"
  await writeSave(
    { ...needs, handoffs: once(key) },
    { ...caller, place: null, family: [] },
    { ...request, task: `Said of ${about} by ${caller.sessionId} while the database was away` },
  )
}

async function keepSave(records: RecordFiles, entry: KeptSave): Promise<void> {
  const last = [...(await records.list(FOLDER))].sort().at(-1) ?? ""
  const after = Number.parseInt(last, 10)
  const order = Math.max(Date.now(), Number.isNaN(after) ? 0 : after + 1)
  const name = `${String(order).padStart(15, "0")}-${entry.key}.json`
  await records.createOnce(`${FOLDER}/${name}`, `${JSON.stringify(keptSave.parse(entry))}\n`)
}

function plain({ sessionId, agent, place: where, family }: HandoffCaller): KeptSave["caller"] {
  return { sessionId, agent, place: where, family: [...family] }
}
