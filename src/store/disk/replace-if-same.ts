// Replaces a file durably, if it is still as it was read.
import type { Buffer } from "node:buffer"
import { dirname } from "node:path"
import type { FilePort } from "./file-port.ts"
import { MAX_PLAN_BYTES } from "./size-limits.ts"

/** A file of the user's own that is to be changed. */
export interface Replacement {
  readonly file: string
  /** A free name in the same file system. */
  readonly temp: string
  /** What the file held when the new text was made. */
  readonly before: Buffer
  readonly text: string
}

/** Replaces a file durably. False, and nothing written, when it is no longer what was read. Its permissions stay, and its
 * owner and group where the system lets us give a file away: it is replaced whole all the same. */
export async function replaceIfSame(
  files: FilePort,
  { file, temp, before, text }: Replacement,
): Promise<boolean> {
  const facts = await files.inspect(file)
  if (facts === null) return false
  try {
    const made = await files.createOpen(temp, text, facts)
    await made.sync().finally(() => made.close())
    if (!(await files.readBytes(file, MAX_PLAN_BYTES))?.equals(before)) return false
    await files.rename(temp, file)
    await files.syncFolder(dirname(file))
    return true
  } finally {
    await files.remove(temp)
  }
}
