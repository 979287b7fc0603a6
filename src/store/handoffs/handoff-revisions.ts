// Finds the newest revision of a record.
import { forgetOldest } from "../disk/forget-oldest.ts"
import { StoreError } from "../disk/store-error.ts"
import type { RecordFiles } from "../records/record-files.ts"
import { type HandoffFile, parseHandoffFile, printHandoffFile } from "./handoff-file.ts"

const FOLDER = "handoffs"
export const SETTLED = "handoffs/settled"
/** How often others may be faster before we give up. */
export const MAX_TRIES = 200

/** The files of a project's handoffs. */
export interface HandoffFolder {
  readonly records: RecordFiles
  readonly project: string
  /** Open records as last read, by path: what is at a path that took effect never changes. */
  readonly known: Map<string, HandoffFile>
}

const MAX_KNOWN = 2_000

type Head =
  | { readonly kind: "open" | "settled"; readonly file: HandoffFile }
  | { readonly kind: "unreadable"; readonly path: string; readonly found: string }
  | { readonly kind: "missing" }

/** The newest revision of a record; one that is settled but not yet put away is put away first. */
export async function headOf(folder: HandoffFolder, id: string): Promise<Head> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const head = await look(folder, id)
    if (head?.kind === "open" && head.file.handoff.settled_at !== null)
      await moveSettled(folder, head.file)
    else if (head !== null) return head
  }
  throw busy(id)
}

/**
 * Null if the record changed meanwhile. The name of a removed revision is free again for a suspended writer, so what was read counts only
 * if its name is still the highest afterwards, and then only if the record is not settled.
 */
async function look(folder: HandoffFolder, id: string): Promise<Head | null> {
  const revision = await highestOf(folder, id)
  const path = pathOf(id, revision ?? 0)
  const text = revision === undefined ? null : await folder.records.tryRead(path)
  const isStill = (await highestOf(folder, id)) === revision
  const settled = await readSettled(folder, id)
  if (settled !== null) return settled
  if (!isStill) return null
  if (text === null) return { kind: "missing" }
  const file = fileOf(folder, id, text)
  if (file !== null && file.revision === revision) return { kind: "open", file }
  return { kind: "unreadable", path, found: whyNot(text) }
}

/**
 * The newest revision of every record that is not put away. If nothing has changed it reads no record, since there may be as many as
 * sessions that ever left something. As in `look`, what was read counts only if its name is still the highest afterwards, and then only if
 * the record is not settled; anything else is examined one by one.
 */
export async function headsOfAll(folder: HandoffFolder): Promise<readonly Head[]> {
  const { records } = folder
  const before = headsOf(await records.list(FOLDER))
  const read = new Map<string, HandoffFile | null>()
  for (const [id, revision] of before) read.set(id, await openFileAt(folder, id, revision))
  const after = headsOf(await records.list(FOLDER))
  const settled = new Set(await records.list(SETTLED))
  const heads: Head[] = []
  for (const [id, revision] of before) {
    const file = read.get(id) ?? null
    const isOpen = after.get(id) === revision && !settled.has(`${id}.json`)
    if (!isOpen || file === null) heads.push(await headOf(folder, id))
    else {
      folder.known.set(pathOf(id, revision), file)
      heads.push({ kind: "open", file })
    }
  }
  forgetOldest(folder.known, MAX_KNOWN)
  return heads
}

/** A valid revision that is not settled; null for any other. */
async function openFileAt(
  folder: HandoffFolder,
  id: string,
  revision: number,
): Promise<HandoffFile | null> {
  const path = pathOf(id, revision)
  const known = folder.known.get(path)
  if (known !== undefined) return known
  const text = await folder.records.tryRead(path)
  const file = text === null ? null : fileOf(folder, id, text)
  return file?.revision === revision && file.handoff.settled_at === null ? file : null
}

async function highestOf({ records }: HandoffFolder, id: string): Promise<number | undefined> {
  return headsOf(await records.list(FOLDER)).get(id)
}

async function readSettled(folder: HandoffFolder, id: string): Promise<Head | null> {
  const path = settledPath(id)
  const text = await folder.records.tryRead(path)
  if (text === null) return null
  const file = fileOf(folder, id, text)
  return file === null
    ? { kind: "unreadable", path, found: whyNot(text) }
    : { kind: "settled", file }
}

type RecordText = Exclude<Awaited<ReturnType<RecordFiles["tryRead"]>>, null>

function whyNot(text: RecordText): string {
  return typeof text === "string" ? "something else" : text.problem
}

/** Null also for a record under another record's name. */
function fileOf({ project }: HandoffFolder, id: string, text: RecordText): HandoffFile | null {
  const file = typeof text === "string" ? parseHandoffFile(text, project) : null
  return file?.handoff.id === id ? file : null
}

/** Puts a settled record in its final place, then removes its revisions; repeated by whoever finds that half done. */
export async function moveSettled(folder: HandoffFolder, file: HandoffFile): Promise<void> {
  const { id } = file.handoff
  await folder.records.createOnce(settledPath(id), printHandoffFile(file))
  await removeRevisions(folder, id, () => true)
}

/** Removes the old revisions of a record. */
export async function removeRevisions(
  { records }: HandoffFolder,
  id: string,
  isOld: (revision: number) => boolean,
): Promise<void> {
  for (const name of await records.list(FOLDER)) {
    const found = readName(name)
    if (found?.id === id && isOld(found.revision)) await records.remove(`${FOLDER}/${name}`)
  }
}

/** The highest revision of each record among the names in the folder. */
function headsOf(names: readonly string[]): Map<string, number> {
  const heads = new Map<string, number>()
  for (const name of names) {
    const found = readName(name)
    if (found !== null) heads.set(found.id, Math.max(found.revision, heads.get(found.id) ?? 0))
  }
  return heads
}

/** Names as we write them: a file `05` is not revision 5, whose own name is free. */
function readName(name: string): { id: string; revision: number } | null {
  const [, id, revision] = /^(hnd_[0-9A-Za-z]{12,32})\.([1-9]\d{0,8})\.json$/.exec(name) ?? []
  return id === undefined ? null : { id, revision: Number(revision) }
}

/** The path of a revision in `.boulder`. */
export function pathOf(id: string, revision: number): string {
  return `${FOLDER}/${id}.${revision}.json`
}

function settledPath(id: string): string {
  return `${SETTLED}/${id}.json`
}

/** Thrown if others were always faster. */
export function busy(id: string): StoreError {
  return new StoreError({
    code: "busy",
    expected: `to change handoff ${id}`,
    found: `another process was faster ${MAX_TRIES} times`,
    todo: "Nothing was changed. Try again.",
  })
}
