// Keeps saves on disk until the handoffs' database is back.

import { jsonOf } from "../../boulder/json-of.ts"
import { z } from "../../boulder/z.ts"
import { once } from "../../plan/model/once.ts"
import type { DeskNeeds, HandoffCaller } from "../handoffs/handoff-desk.ts"
import type { RecordFiles } from "../records/record-files.ts"

export const FOLDER = "handoffs/away"
/** What can never be sent is put here, for a person to read. */
export const ASIDE = "handoffs/set-aside"

/** A save as stored until it is in the database; `key` makes sure that it is written there only once. */
const keptSave = once(() => {
  const place = z.strictObject({
    workId: z.string(),
    role: z.enum(["lead", "child"]),
    task: z.strictObject({ key: z.string(), titleHash: z.string() }).nullable(),
  })
  return z.strictObject({
    schema_version: z.literal(1),
    key: z.uuid(),
    /** Where it was saved: the process that sends it, another one of the folder, may have another setting. */
    scope: z.string(),
    /** It names a record that nobody knew when it was kept: the plan is marked when it is sent. */
    marks: z.literal(true).optional(),
    /** The options of the desk that kept it: the process that sends it, another one of the folder, may have others. */
    desk: z.strictObject({ byAgent: z.boolean(), leaseMs: z.number(), marksPlans: z.boolean() }),
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
})

/** A save that waits. */
export type KeptSave = z.infer<ReturnType<typeof keptSave>>

/** Where saves are kept, and the desk that took them. */
export interface Keeping extends DeskNeeds {
  readonly records: RecordFiles
}

/** What is to be kept of a save; `marks` as in the file. */
export interface Unsent extends Pick<KeptSave, "key" | "marks" | "request"> {
  readonly caller: HandoffCaller
}

/** Keeps a save of the desk. When it resolves, the save is on disk, after all that were kept before. */
export async function keepSave(
  { records, handoffs: { scope }, byAgent, leaseMs, marksPlans }: Keeping,
  { caller, ...said }: Unsent,
): Promise<void> {
  const last = [...(await records.list(FOLDER))].sort().at(-1) ?? ""
  const order = Math.max(Date.now(), (keptAt(last) ?? 0) + 1)
  const name = `${String(order).padStart(15, "0")}-${said.key}.json`
  const { sessionId, agent, place: where, family } = caller
  const kept: KeptSave = {
    schema_version: 1,
    scope,
    desk: { byAgent, leaseMs, marksPlans },
    caller: { sessionId, agent, place: where, family: [...family] },
    ...said,
  }
  await records.createOnce(`${FOLDER}/${name}`, `${JSON.stringify(keptSave().parse(kept))}\n`)
}

/** When a save was kept, from its file's name: ms since 1970. */
function keptAt(name: string): number | null {
  const at = Number.parseInt(name, 10)
  return Number.isNaN(at) ? null : at
}

/** How many, and when the oldest was kept (`since`, ms since 1970) if its name tells. */
export interface Pile {
  readonly count: number
  readonly since: number | null
}

/** What was saved here and is not in the database: waiting to be sent, unreadable, and impossible to send. */
export interface KeptSaves {
  readonly waiting: Pile
  readonly unreadable: Pile
  readonly set_aside: Pile
}

/** Counts them; null if there are none, as in every project that shares no handoffs. */
export async function keptSaves(records: RecordFiles): Promise<KeptSaves | null> {
  const files = await keptFiles(records)
  const aside = await records.list(ASIDE)
  if (files.length + aside.length === 0) return null
  const pile = (isGood: boolean) =>
    pileOf(files.filter(({ kept }) => (kept !== null) === isGood).map(({ name }) => name))
  return { waiting: pile(true), unreadable: pile(false), set_aside: pileOf(aside) }
}

type FileText = Awaited<ReturnType<RecordFiles["tryRead"]>>

/** What is kept, oldest first; without what another process has sent meanwhile. */
export async function keptFiles(records: RecordFiles) {
  const names = [...(await records.list(FOLDER))].sort()
  const files = names.map(async (name) => {
    const text = await records.tryRead(`${FOLDER}/${name}`)
    return text === null ? [] : [{ name, text, kept: savedIn(text) }]
  })
  return (await Promise.all(files)).flat()
}

/** The content of a file; null if it is no save, or none that this version knows. */
export function savedIn(text: FileText): KeptSave | null {
  return keptSave().safeParse(typeof text === "string" ? jsonOf(text) : null).data ?? null
}

function pileOf(names: readonly string[]): Pile {
  const times = names.flatMap((name) => keptAt(name) ?? [])
  return { count: names.length, since: times.length === 0 ? null : Math.min(...times) }
}
