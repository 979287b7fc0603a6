// The opencode that drives a work, and whether another one does.
import { hashText } from "../../plan/model/hash-text.ts"
import { isSameProcess, lifeOf, newWriteId, ownIdentity, writerOf } from "./writer-identity.ts"

/** This opencode as it is written down, and what is known of others: one process has one for each folder that it has open. */
export interface ProcessLife {
  readonly id: string
  /** Whether an id is that of another one whose process still lives, or is heard of from elsewhere; nobody's, null, is not. */
  isElsewhere(id: string | null): Promise<boolean>
}

/**
 * Who this opencode is, that has `folder` open. In one process the next one of a folder takes the place of the one before, which older
 * hosts do not tell of its end. One that is told gives back what it drives, since its process may live on. `isHeard` is asked of one whose
 * process cannot be seen from here: of another container, machine or boot.
 */
export async function openProcessLife(
  folder = "",
  isHeard: (id: string) => Promise<boolean> = async () => false,
): Promise<ProcessLife> {
  const own = await ownIdentity()
  const id = newWriteId(own).slice(0, -FOLDER_LENGTH) + hashText(folder)
  return {
    id,
    async isElsewhere(other) {
      const writer = other === null ? null : writerOf(other)
      if (other === null || writer === null) return false
      if (isSameProcess(other, id)) return other.slice(-FOLDER_LENGTH) !== hashText(folder)
      const life = await lifeOf(writer, own)
      return life === "unknown" ? isHeard(other) : life === "alive"
    },
  }
}

const FOLDER_LENGTH = 8
