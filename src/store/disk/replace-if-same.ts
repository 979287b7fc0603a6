// Replaces a file if it is still as it was read, and brings the result to the disk.
import type { Buffer } from "node:buffer"
import type { FilePort } from "./file-port.ts"
import { MAX_PLAN_BYTES } from "./size-limits.ts"
import { messageOf, StoreError } from "./store-error.ts"

/** A file of the user's own that should be changed. */
export interface Replacement {
  readonly file: string
  /** A free name for the new text, and another one in case the first cannot be created or renamed from. */
  readonly temps: readonly [string, string?]
  /** The content of the file when the new text was made. */
  readonly before: Buffer
  readonly text: string
}

/**
 * Replaces a file by one whose bytes are on the disk, though not yet its name: see `syncNames`. False, and nothing written, if the file is
 * no longer as it was read, or if somebody removed the new text before it was in place. Keeps permissions and, as far as the system lets us
 * give a file away, owner and group; the file is replaced whole in any case.
 */
export async function replaceIfSame(files: FilePort, change: Replacement): Promise<boolean> {
  const [temp, other] = change.temps
  return putFrom(files, temp, change).catch((error: unknown) => {
    if (other === undefined) throw error
    return putFrom(files, other, change)
  })
}

/** Brings the names in a folder to the disk after a change is in place. Throws a `StoreError` (`not-durable`) if that fails. */
export async function syncNames(files: FilePort, folder: string, what: string): Promise<void> {
  try {
    await files.syncFolder(folder)
  } catch (error) {
    throw new StoreError({
      code: "not-durable",
      expected: `to bring ${what} to the disk`,
      found: messageOf(error),
      todo: "It is in place, but a power cut may undo it. Check the disk and the system log.",
      cause: error,
    })
  }
}

async function putFrom(
  files: FilePort,
  temp: string,
  { file, before, text }: Omit<Replacement, "temps">,
): Promise<boolean> {
  const facts = await files.inspect(file)
  if (facts === null) return false
  try {
    const made = await files.createOpen(temp, text, facts)
    await made.sync().finally(() => made.close())
    if (!(await files.readBytes(file, MAX_PLAN_BYTES))?.equals(before)) return false
    return await files.rename(temp, file)
  } finally {
    // What is reported is the outcome of the change, not of this.
    await files.remove(temp).catch(() => false)
  }
}
