import process from "node:process"
import type { Boulder } from "../boulder/boulder.ts"
import { fingerprintOf, printBoulderFile } from "./boulder-file.ts"
import { currentText, pathOf, type RevisionFolder } from "./revision-folder.ts"
import { publishedName, tempName } from "./revision-names.ts"
import { settlePublished } from "./settle-published.ts"
import { errnoOf, StoreError, storeErrorFrom } from "./store-error.ts"
import { newWriteId } from "./writer-identity.ts"

/**
 * `placed`: the revision is `boulder.json` (or was, and others have gone on from it), with its text on the disk.
 * `overtaken`: it is not and never will be; read again and compute the change anew.
 */
export type Commit =
  | { readonly kind: "placed"; readonly text: string }
  | { readonly kind: "overtaken"; readonly by: string | null }

/** More than any number of failed writes on one revision. */
const SLOTS = 1_000
/** A missing temp file says "placed" only as long as nobody can have swept it (sweep-folder.ts). */
const TRUST_ABSENCE_MS = 60 * 60 * 1_000

interface Write {
  at: RevisionFolder
  base: string | null
  next: Boulder
  temp: string
  text: string
  since: number
}

/**
 * Puts `next` in the place of the exact text `base` (null: of no file), or finds out that another was faster.
 * docs/STORE.md says why this needs no lock. Throws a `StoreError` that says whether the old state or the new one is there.
 */
export async function commitRevision(
  at: RevisionFolder,
  { base, next }: { base: string | null; next: Boulder },
): Promise<Commit> {
  const write = planWrite(at, base, next)
  try {
    await at.files.createText(write.temp, write.text)
    const claim = await publish(write)
    if (claim !== "ours") {
      await at.files.remove(write.temp)
      return { kind: "overtaken", by: claim.by }
    }
    return await place(write)
  } catch (error) {
    const lost = await withdrawn(write, error)
    // Somebody has removed the folder or the temp file before it was published.
    if (errnoOf(error) === "ENOENT") return { kind: "overtaken", by: null }
    throw lost
  }
}

function planWrite(at: RevisionFolder, base: string | null, next: Boulder): Write {
  const id = newWriteId(at.own)
  const text = printBoulderFile(next, {
    id,
    after: fingerprintOf(base),
    at: new Date(at.now()).toISOString(),
    by: `process ${at.own.pid} (${process.title.slice(0, 100)})`,
  })
  return { at, base, next, temp: pathOf(at, tempName(next.revision, id)), text, since: at.now() }
}

/** Links the temp file as the first publication of its revision that can be put in place. */
async function publish({ at, base, next, temp }: Write): Promise<"ours" | { by: string | null }> {
  for (let slot = 0; slot < SLOTS; slot++) {
    const path = pathOf(at, publishedName(next.revision, slot))
    if (await linkOrExplain(at, temp, path)) return "ours"
    const settled = await settlePublished(at, { path, base, revision: next.revision })
    if (settled.kind === "moved-on") return { by: settled.by }
  }
  throw new StoreError({
    code: "io",
    expected: `a free name for revision ${next.revision} in ${at.folder}`,
    found: `${SLOTS} publications of it that never came to be`,
    todo: "Remove the files boulder.json.r* there (never boulder.json itself) and try again.",
  })
}

async function linkOrExplain(at: RevisionFolder, temp: string, path: string): Promise<boolean> {
  try {
    return await at.files.link(temp, path)
  } catch (error) {
    const errno = errnoOf(error) ?? ""
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes(errno)) throw error
    throw new StoreError({
      code: "no-hard-links",
      expected: `${at.folder} to be on a file system with hard links`,
      found: errno,
      todo: "Nothing was changed. Keep the project on a local disk (ext4, xfs, btrfs, APFS, NTFS, tmpfs).",
      cause: error,
    })
  }
}

/** Ours is published. It is in force if, after that, `boulder.json` still is what it was computed on. */
async function place(write: Write): Promise<Commit> {
  const { at, base, text } = write
  const isPlaced =
    (await currentText(at)) === base ? await putInPlace(write) : await wasPlaced(write)
  if (!isPlaced) return { kind: "overtaken", by: null }
  await finish(write)
  return { kind: "placed", text }
}

async function putInPlace({ at, base, temp }: Write): Promise<boolean> {
  await at.files.syncFile(temp)
  if (await at.files.rename(temp, at.file)) return true
  const now = await currentText(at)
  return now !== base && now !== null
}

/** `boulder.json` has changed: by another putting ours in place, which takes the temp file away, or by another write. */
async function wasPlaced({ at, temp }: Write): Promise<boolean> {
  if (await at.files.remove(temp)) return false
  return (await currentText(at)) !== null
}

/** The temp file is gone, so the revision is in place, by us or by another who found it published. */
async function finish({ at, next, since }: Write): Promise<void> {
  const tookMs = at.now() - since
  if (tookMs > TRUST_ABSENCE_MS) {
    throw new StoreError({
      code: "busy",
      expected: "a write to take seconds",
      found: `one of ${Math.round(tookMs / 60_000)} minutes (was the machine asleep?)`,
      todo: `It is not known whether revision ${next.revision} is this change: look at boulder.json.`,
    })
  }
  try {
    await at.files.syncFolder(at.folder)
  } catch (error) {
    throw new StoreError({
      code: "not-durable",
      expected: `to bring revision ${next.revision} of ${at.file} to the disk`,
      found: error instanceof Error ? error.message : String(error),
      todo: "The new state is in place, but a power cut may undo it. Look at the disk and the system log.",
      cause: error,
    })
  }
}

/** Takes a failed write back, and says in the error what state is there now. */
async function withdrawn({ at, temp, next }: Write, error: unknown): Promise<StoreError> {
  const doing = `write revision ${next.revision} of ${at.file}`
  if (error instanceof StoreError && error.code === "not-durable") return error
  try {
    const isOld = await at.files.remove(temp)
    const outcome = isOld
      ? "Nothing was changed."
      : "If it had been published before this happened, the new state is in place; else nothing was changed."
    return storeErrorFrom(error, { doing, outcome })
  } catch (second) {
    return storeErrorFrom(new AggregateError([error, second], messageOf(error), { cause: error }), {
      doing,
      outcome: "The old state is in place; the next write may still complete this one.",
    })
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
