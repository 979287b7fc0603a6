// Publishes a revision so that exactly one writer succeeds.
import { Buffer } from "node:buffer"
import process from "node:process"
import type { Boulder } from "../../boulder/boulder.ts"
import { elapsedMs } from "../../boulder/iso-time.ts"
import { linkOrExplain } from "../disk/link-or-explain.ts"
import { syncNames } from "../disk/replace-if-same.ts"
import { MAX_STATE_BYTES } from "../disk/size-limits.ts"
import { errnoOf, StoreError, storeErrorFrom } from "../disk/store-error.ts"
import { newWriteId } from "../disk/writer-identity.ts"
import { fingerprintOf, printBoulderFile } from "./boulder-file.ts"
import { finishPublished } from "./finish-published.ts"
import { currentText, pathOf, type RevisionFolder } from "./revision-folder.ts"
import { copyName, publishedName, tempName } from "./revision-names.ts"

/**
 * `placed`: the revision is `boulder.json` (or was, and others have continued from it), with its text on disk. Its name is on disk once
 * `named` has resolved: only then may it be acknowledged; `named` rejects with a `StoreError` (`not-durable`). `overtaken`: it is not in
 * place and never will be; read again and compute the change anew.
 */
export type Commit =
  | { readonly kind: "placed"; readonly text: string; readonly named: Promise<void> }
  | { readonly kind: "overtaken"; readonly by: string | null }

/** More than any number of failed writes on one revision. */
const SLOTS = 1_000
/** A missing temp file means "placed" only as long as nobody can have swept it (sweep-folder.ts), even if we were suspended. */
const TRUST_ABSENCE_MS = 60 * 60 * 1_000

interface Write {
  at: RevisionFolder
  base: string | null
  next: Boulder
  /** What a rename will put in place. */
  temp: string
  /** What a link will publish. */
  copy: string
  text: string
  since: number
  /** From here on another process may put it in place. */
  isPublic: boolean
}

/**
 * Puts `next` in place of the exact text `base` (null for no file), or finds out that another was faster. docs/STORE.md explains why this
 * needs no lock. Throws a `StoreError` that says whether the old or the new state is there.
 * `check` is called before `next` is published: where it throws, the old state stays.
 */
export async function commitRevision(
  at: RevisionFolder,
  { base, next, check }: { base: string | null; next: Boulder; check?: () => unknown },
): Promise<Commit> {
  const write = planWrite(at, base, next)
  try {
    const file = await at.files.createOpen(write.temp, write.text)
    // The disk works on it while it is checked and published.
    const synced = begun(file.sync())
    try {
      check?.()
      return await publishAndPlace(write, synced)
    } finally {
      await synced.catch(nothing)
      await file.close()
    }
  } catch (error) {
    const lost = await withdrawn(write, error)
    // Somebody removed the folder or the temp file before it was published.
    if (errnoOf(error) === "ENOENT") return { kind: "overtaken", by: null }
    throw lost
  }
}

const nothing = () => undefined

/** Awaited later, if at all: until then its failure is ignored. */
export function begun<Value>(work: Promise<Value>): Promise<Value> {
  work.catch(nothing)
  return work
}

async function publishAndPlace(write: Write, synced: Promise<void>): Promise<Commit> {
  const { at, base, temp, text } = write
  const slot = await publish(write)
  if (slot !== "ours") {
    await at.files.remove(temp)
    return { kind: "overtaken", by: slot.by }
  }
  // Ours is published. It takes effect if boulder.json still is, after that, what it was computed on.
  const isInForce = (await currentText(at)) === base
  const isPlaced = isInForce ? await putInPlace(write, synced) : await wasPlaced(write)
  if (!isPlaced) return { kind: "overtaken", by: null }
  return { kind: "placed", text, named: begun(syncRevision(at, write.next)) }
}

function planWrite(at: RevisionFolder, base: string | null, next: Boulder): Write {
  const id = newWriteId(at.own)
  const text = printBoulderFile(next, {
    id,
    after: fingerprintOf(base),
    at: new Date(at.now()).toISOString(),
    by: `process ${at.own.pid} (${process.title.slice(0, 100)})`,
  })
  const bytes = Buffer.byteLength(text)
  if (bytes > MAX_STATE_BYTES) throw tooLarge(at, bytes)
  const temp = pathOf(at, tempName(next.revision, id))
  const copy = pathOf(at, copyName(next.revision, id))
  return { at, base, next, temp, copy, text, since: at.now(), isPublic: false }
}

/** Links a copy as the first publication of its revision that can be put in place. */
async function publish(write: Write): Promise<"ours" | { by: string | null }> {
  const { at, copy, text } = write
  // A separate file, so that damage to boulder.json in place does not damage its copy.
  await at.files.createText(copy, text)
  write.isPublic = true
  const slot = await linkFirst(write)
  await at.files.remove(copy)
  return slot
}

async function linkFirst({ at, base, next, copy }: Write): Promise<"ours" | { by: string | null }> {
  for (let slot = 0; slot < SLOTS; slot++) {
    const path = pathOf(at, publishedName(next.revision, slot))
    if (await linkOrExplain(at.files, copy, path)) return "ours"
    const finished = await finishPublished(at, { path, base, revision: next.revision })
    if (finished.kind === "moved-on") return { by: finished.by }
  }
  throw new StoreError({
    code: "io",
    expected: `a free name for revision ${next.revision} in ${at.folder}`,
    found: `${SLOTS} publications of it that were never finished`,
    todo: "Remove the files boulder.json.r* there (never boulder.json itself) and try again.",
  })
}

async function putInPlace(write: Write, synced: Promise<void>): Promise<boolean> {
  const { at, base, temp } = write
  await synced
  if (await at.files.rename(temp, at.file)) return true
  return (await currentText(at)) !== base && isPlacedByOther(write)
}

/** `boulder.json` has changed: because another process put ours in place, which removes the temp file, or by another write. */
async function wasPlaced(write: Write): Promise<boolean> {
  if (await write.at.files.remove(write.temp)) return false
  return isPlacedByOther(write)
}

/** The temp file is gone, and we did not remove it: it became `boulder.json`, unless the folder itself was removed. */
async function isPlacedByOther({ at, next, since }: Write): Promise<boolean> {
  const tookMs = elapsedMs(since, at.now())
  if (tookMs <= TRUST_ABSENCE_MS) return (await currentText(at)) !== null
  throw new StoreError({
    code: "busy",
    expected: "a write to take seconds",
    found: `one of ${Math.round(tookMs / 60_000)} minutes (was the machine asleep?)`,
    todo: `It is not known whether revision ${next.revision} is this change: look at boulder.json.`,
  })
}

/** Brings the names of a revision that is in place to the disk. */
export function syncRevision(at: RevisionFolder, { revision }: Pick<Boulder, "revision">) {
  return syncNames(at.files, at.folder, `revision ${revision} of ${at.file}`)
}

/** Takes a failed write back, and says in the error which state is there now. */
async function withdrawn(write: Write, error: unknown): Promise<StoreError> {
  const { at, temp, copy, next, isPublic } = write
  const doing = `write revision ${next.revision} of ${at.file}`
  try {
    const isOld = (await at.files.remove(temp)) || !isPublic
    await at.files.remove(copy)
    return storeErrorFrom(error, { doing, outcome: isOld ? NOTHING_CHANGED : PERHAPS_CHANGED })
  } catch (also) {
    const outcome = isPublic ? PERHAPS_LATER : NOTHING_CHANGED
    return storeErrorFrom(error, { doing, outcome, also })
  }
}

function tooLarge({ file }: RevisionFolder, bytes: number): StoreError {
  return new StoreError({
    code: "too-large",
    expected: `${file} to stay below ${MAX_STATE_BYTES} bytes`,
    found: `${bytes} after this change`,
    todo: "Nothing was changed. Find out what fills it; opencode-boulder prune --yes removes finished works.",
  })
}

const NOTHING_CHANGED = "Nothing was changed."
const PERHAPS_CHANGED =
  "If it was published before this happened, the new state is in place; otherwise nothing was changed."
const PERHAPS_LATER = "The old state is in place; the next write may still complete this one."
