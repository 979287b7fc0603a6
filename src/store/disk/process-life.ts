// The opencode that drives a work, and whether another one does.
import { lifeOf, newWriteId, ownIdentity, writerOf } from "./writer-identity.ts"

/** This opencode as it is written down, and what is known of others: one process has one for each folder that it has open. */
export interface ProcessLife {
  readonly id: string
  /** Whether an id is that of another one whose process still lives, or is heard of from elsewhere; nobody's, null, is not. */
  isElsewhere(id: string | null): Promise<boolean>
}

/**
 * Who this opencode is. One that lets go of its folder gives back what it drives, since its process may live on. `isHeard` is asked of
 * one whose process cannot be seen from here: of another container, machine or boot.
 */
export async function openProcessLife(
  isHeard: (id: string) => Promise<boolean> = async () => false,
): Promise<ProcessLife> {
  const own = await ownIdentity()
  const ownId = newWriteId(own)
  return {
    id: ownId,
    async isElsewhere(id) {
      const writer = id === null || id === ownId ? null : writerOf(id)
      if (id === null || writer === null) return false
      const life = await lifeOf(writer, own)
      return life === "unknown" ? isHeard(id) : life === "alive"
    },
  }
}
