// Identifies the opencode that drives a work, and tells whether it is another one.
import { hashText } from "../../plan/model/hash-text.ts"
import { isSameProcess, lifeOf, newWriteId, ownIdentity, writerOf } from "./writer-identity.ts"

/** The recorded identity of this opencode, and what is known of others: a process has one for each folder that it has open. */
export type ProcessLife = Awaited<ReturnType<typeof openProcessLife>>

/**
 * The identity of this opencode, with `folder` open. In one process the next instance of a folder replaces the previous one, since older
 * hosts do not report its end. An instance that is told of its end gives back what it drives, because its process may live on. `isHeard` is
 * asked about a process that cannot be seen from here: in another container, machine or boot.
 */
export async function openProcessLife(
  folder = "",
  isHeard: (id: string) => Promise<boolean> = async () => false,
) {
  const own = await ownIdentity()
  const id = newWriteId(own).slice(0, -FOLDER_LENGTH) + hashText(folder)
  return {
    id,
    /** Whether an id belongs to another opencode whose process is alive, or is heard of from elsewhere; false for null, which is nobody's. */
    async isElsewhere(other: string | null) {
      if (other === null || writerOf(other) === null) return false
      if (isSameProcess(other, id)) return other.slice(-FOLDER_LENGTH) !== hashText(folder)
      const life = await lifeOf(other, own)
      return life === "unknown" ? isHeard(other) : life === "alive"
    },
  }
}

const FOLDER_LENGTH = 8
