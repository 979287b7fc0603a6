// Keeps saves on this machine while the database of the handoffs is away, and brings them over when it is back.
import { randomUUID } from "node:crypto"
import { z } from "zod"
import type { Handoff } from "../../boulder/handoff.ts"
import { jsonOf } from "../../boulder/json-of.ts"
import {
  type DeskNeeds,
  type HandoffCaller,
  type HandoffDesk,
  openHandoffDesk,
  writeSave,
} from "../handoffs/handoff-desk.ts"
import { AlreadySaved, type HandoffStore, type HandoffUpdate } from "../handoffs/handoff-store.ts"
import type { RecordFiles } from "../records/record-files.ts"
import { isAway } from "./away.ts"

const FOLDER = "handoffs/away"
/** How long to wait before what is kept is brought over again, in ms. */
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
 * all the same, and it is brought over once, in order, as soon as the store is back. A store that is never away has the
 * plain desk.
 */
export function openBridgedDesk(needs: BridgeNeeds): HandoffDesk {
  const { once } = needs.handoffs
  const desk = openHandoffDesk(needs)
  return once === undefined ? desk : { ...desk, ...bridge(needs, desk, once) }
}

function bridge(
  needs: BridgeNeeds,
  desk: HandoffDesk,
  once: (key: string) => HandoffStore,
): Pick<HandoffDesk, "save" | "renew" | "on"> {
  /** Whether this process may have saves to bring over: until it has looked, it may. */
  let mayHold = true
  let bringing: Promise<boolean> | null = null
  const bringOver = (): Promise<boolean> => {
    bringing ??= bringAll(needs, once).finally(() => {
      bringing = null
    })
    return bringing
  }
  /** True when nothing is kept any more; else it is tried again by itself. */
  const settle = async (): Promise<boolean> => {
    if (!mayHold) return true
    const isEmpty = await bringOver()
    mayHold = !isEmpty
    if (!isEmpty) setTimeout(() => void settle().catch(() => undefined), AGAIN_MS).unref()
    return isEmpty
  }
  const saveOn =
    (given: BridgeNeeds): HandoffDesk["save"] =>
    async (caller, request) => {
      // What was kept before comes first.
      const mayAsk = await settle().catch(() => false)
      const entry = {
        schema_version: 1 as const,
        key: randomUUID(),
        caller: plain(caller),
        request,
      }
      let kept: string | undefined
      const keep = async (why: string) => {
        if (kept === undefined) await keepSave(needs.records, entry)
        kept = why
        mayHold = true
      }
      const handoffs = keeping(once(entry.key), { mayAsk, keep, now: needs.now })
      const outcome = await openHandoffDesk({ ...given, handoffs })
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
      void settle().catch(() => undefined)
      return outcome.kind === "saved" ? { ...outcome, kept } : outcome
    }
  // Nobody can take a task while nobody can be asked: a lease that cannot be renewed is still held.
  const renew: HandoffDesk["renew"] = (sessionId, id) =>
    desk.renew(sessionId, id).catch((error: unknown) => {
      if (isAway(error)) return true
      throw error
    })
  const on: HandoffDesk["on"] = (readings) => ({
    ...desk.on(readings),
    save: saveOn({ ...needs, ...readings }),
    renew,
    on,
  })
  return { save: saveOn(needs), renew, on }
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

/** Brings over what is kept, oldest first; false where the store is still away. What nobody can read is left there. */
async function bringAll(needs: BridgeNeeds, once: (key: string) => HandoffStore): Promise<boolean> {
  for (const name of [...(await needs.records.list(FOLDER))].sort()) {
    const path = `${FOLDER}/${name}`
    const text = await needs.records.tryRead(path)
    const kept = keptSave.safeParse(typeof text === "string" ? jsonOf(text) : null)
    if (!kept.success) continue
    if (!(await isBrought(needs, once, kept.data))) return false
    await needs.records.remove(path)
  }
  return true
}

async function isBrought(
  needs: BridgeNeeds,
  once: (key: string) => HandoffStore,
  kept: KeptSave,
): Promise<boolean> {
  try {
    await bringOne(needs, once, kept)
    return true
  } catch (error) {
    if (error instanceof AlreadySaved) return true
    if (isAway(error)) return false
    throw error
  }
}

/** Where others went on meanwhile, what it says is kept as a record of its own: nothing that was said is lost. */
async function bringOne(
  needs: BridgeNeeds,
  once: (key: string) => HandoffStore,
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
