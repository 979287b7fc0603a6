import { randomBytes } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { HANDOFF_ID, type Handoff } from "../boulder/handoff.ts"
import type { HandoffChange } from "../boulder/handoff-changes.ts"
import { type HandoffFile, parseHandoffFile, printHandoffFile, TRAIL_MAX } from "./handoff-file.ts"
import { checkScope, projectScope } from "./handoff-scope.ts"
import { type HandoffStore, type HandoffUpdate, lastHeard } from "./handoff-store.ts"
import { openRecordFiles, type RecordFiles } from "./record-files.ts"
import { StoreError } from "./store-error.ts"

const FOLDER = "handoffs"
const SETTLED = "handoffs/settled"
const MAX_TRIES = 200
const PAUSE_MS = 20

interface Place {
  readonly records: RecordFiles
  readonly project: string
  /** Between two tries of a change that another was faster with. */
  readonly pause: () => Promise<void>
}

/**
 * Handoffs as files in `.boulder/handoffs`; touches nothing until the first call. A record is `<id>.<revision>.json`:
 * the highest revision is the record. A change makes the next revision under its name exclusively, so that of two
 * writers one wins; the record carries the marks of its last writes, by which a writer that was overtaken while it slept
 * finds out that its revision came too late (docs/HANDOFFS.md). A settled record is `settled/<id>.json` and never changes.
 */
export function openFileHandoffStore({
  root,
  records = openRecordFiles({ root }),
  pause = () => sleep(Math.random() * PAUSE_MS),
}: {
  root: string
  records?: RecordFiles
  pause?: () => Promise<void>
}): HandoffStore {
  const place: Place = { records, project: projectScope(root), pause }
  return {
    open: () => openOnes(place),
    read: async (id) => (HANDOFF_ID.test(id) ? readOne(place, id) : null),
    create: (handoff) => create(place, handoff),
    update: (id, change) => update(place, id, change),
    async lastOf(sessionId) {
      const { handoffs } = await openOnes(place)
      return (
        lastHeard(handoffs, sessionId) ?? lastHeard(await settledWith(place, sessionId), sessionId)
      )
    },
  }
}

async function openOnes(place: Place) {
  const heads = headsOf(await place.records.list(FOLDER))
  const found = await Promise.all(
    [...heads.keys()].map(async (id) => {
      const head = await headOf(place, id)
      if (head.kind === "settled") await removeRevisions(place, id, () => true)
      return { head }
    }),
  )
  const handoffs = found.flatMap(({ head }) => (head.kind === "open" ? [head.file.handoff] : []))
  const unreadable = found.flatMap(({ head }) => (head.kind === "unreadable" ? [head.path] : []))
  return { handoffs, unreadable }
}

type Head =
  | { readonly kind: "open"; readonly file: HandoffFile }
  | { readonly kind: "settled"; readonly handoff: Handoff }
  | { readonly kind: "unreadable"; readonly path: string }
  | { readonly kind: "missing" }

/** The newest revision of a record. A file that went away while we looked has a newer one in its place. */
async function headOf(place: Place, id: string): Promise<Head> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const settled = await readSettled(place, id)
    if (settled !== null) return settled
    const revision = headsOf(await place.records.list(FOLDER)).get(id)
    if (revision === undefined) return (await readSettled(place, id)) ?? { kind: "missing" }
    const path = pathOf(id, revision)
    const text = await place.records.read(path)
    if (text === null) continue
    const file = parseHandoffFile(text, place.project)
    if (file === null) return { kind: "unreadable", path }
    if (file.handoff.settled_at === null) return { kind: "open", file }
    await moveSettled(place, file)
  }
  throw busy(id)
}

async function readSettled(place: Place, id: string): Promise<Head | null> {
  const path = settledPath(id)
  const text = await place.records.read(path)
  if (text === null) return null
  const file = parseHandoffFile(text, place.project)
  return file === null ? { kind: "unreadable", path } : { kind: "settled", handoff: file.handoff }
}

async function readOne(place: Place, id: string): Promise<Handoff | null> {
  const head = await headOf(place, id)
  if (head.kind === "unreadable") throw unreadable(head.path)
  if (head.kind === "missing") return null
  return head.kind === "open" ? head.file.handoff : head.handoff
}

async function create(place: Place, handoff: Handoff): Promise<boolean> {
  checkScope(handoff, place.project)
  if ((await headOf(place, handoff.id)).kind !== "missing") return false
  const file = { revision: 1, trail: [newMark()], handoff }
  if (!(await place.records.createOnce(pathOf(handoff.id, 1), printHandoffFile(file)))) return false
  if (handoff.settled_at !== null) await moveSettled(place, file)
  return true
}

async function update(place: Place, id: string, change: HandoffChange): Promise<HandoffUpdate> {
  if (!HANDOFF_ID.test(id)) return { kind: "missing" }
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const head = await headOf(place, id)
    if (head.kind === "missing") return { kind: "missing" }
    if (head.kind === "unreadable") throw unreadable(head.path)
    if (head.kind === "settled")
      return { kind: "refused", reason: "settled", handoff: head.handoff }
    const before = head.file
    const after = change(before.handoff)
    if (typeof after === "string")
      return { kind: "refused", reason: after, handoff: before.handoff }
    checkScope(after, place.project)
    const trail = [newMark(), ...before.trail].slice(0, TRAIL_MAX)
    const next = { revision: before.revision + 1, trail, handoff: after }
    if (await publish(place, next)) return { kind: "changed", handoff: after }
    await place.pause()
  }
  throw busy(id)
}

/** Makes a revision the newest one; false when another was faster, and then nothing of ours is left. */
async function publish(place: Place, next: HandoffFile): Promise<boolean> {
  const { id } = next.handoff
  const path = pathOf(id, next.revision)
  if (!(await place.records.createOnce(path, printHandoffFile(next)))) return false
  if (!(await isInForce(place, next))) {
    await place.records.remove(path)
    return false
  }
  if (next.handoff.settled_at !== null) await moveSettled(place, next)
  else await removeRevisions(place, id, (revision) => revision < next.revision - 1)
  return true
}

/**
 * Whether what we have made really follows what we had read. Revisions are removed once two newer ones are there, so
 * that a name can be free again for a writer that slept: then the newest record does not carry our mark.
 */
async function isInForce(place: Place, next: HandoffFile): Promise<boolean> {
  const head = await headOf(place, next.handoff.id)
  const mark = next.trail[0] ?? ""
  if (head.kind === "open") return head.file.trail.includes(mark)
  return head.kind === "settled" && isSettledAs(place, next, mark)
}

async function isSettledAs(place: Place, { handoff }: HandoffFile, mark: string): Promise<boolean> {
  const text = await place.records.read(settledPath(handoff.id))
  return parseHandoffFile(text ?? "", place.project)?.trail.includes(mark) ?? false
}

/** Puts a settled record where it stays, then takes its revisions away; done again by whoever finds it half done. */
async function moveSettled(place: Place, file: HandoffFile): Promise<void> {
  const { id } = file.handoff
  await place.records.createOnce(settledPath(id), printHandoffFile(file))
  await removeRevisions(place, id, () => true)
}

async function removeRevisions(
  { records }: Place,
  id: string,
  isOld: (revision: number) => boolean,
): Promise<void> {
  for (const name of await records.list(FOLDER)) {
    const found = readName(name)
    if (found?.id === id && isOld(found.revision)) await records.remove(`${FOLDER}/${name}`)
  }
}

async function settledWith({ records, project }: Place, sessionId: string): Promise<Handoff[]> {
  const found: Handoff[] = []
  for (const name of await records.list(SETTLED)) {
    const text = await records.read(`${SETTLED}/${name}`)
    if (text === null || !text.includes(`"${sessionId}"`)) continue
    const file = parseHandoffFile(text, project)
    if (file !== null) found.push(file.handoff)
  }
  return found
}

/** The highest revision of each record among the names of the folder. */
function headsOf(names: readonly string[]): Map<string, number> {
  const heads = new Map<string, number>()
  for (const name of names) {
    const found = readName(name)
    if (found !== null) heads.set(found.id, Math.max(found.revision, heads.get(found.id) ?? 0))
  }
  return heads
}

function readName(name: string): { id: string; revision: number } | null {
  const [, id, revision] = /^(hnd_[0-9A-Za-z]{12,32})\.(\d{1,9})\.json$/.exec(name) ?? []
  return id === undefined ? null : { id, revision: Number(revision) }
}

function pathOf(id: string, revision: number): string {
  return `${FOLDER}/${id}.${revision}.json`
}

function settledPath(id: string): string {
  return `${SETTLED}/${id}.json`
}

function newMark(): string {
  return randomBytes(8).toString("hex")
}

function busy(id: string): StoreError {
  return new StoreError({
    code: "busy",
    expected: `to change handoff ${id}`,
    found: `another process was faster ${MAX_TRIES} times`,
    todo: "Nothing was changed. Try again.",
  })
}

function unreadable(path: string): StoreError {
  return new StoreError({
    code: "corrupt",
    expected: `.boulder/${path} to hold a handoff`,
    found: "something else",
    todo: "It was left as it is. Repair it by hand, or move it away.",
  })
}
