// The process that drives a work, and whether another one does.
import { lifeOf, newWriteId, ownIdentity, writerOf } from "./writer-identity.ts"

/** This process as it is written down, and what is known of others. */
export interface ProcessLife {
  readonly id: string
  /** Whether an id is that of another process that still lives, or is heard of from elsewhere; nobody's, null, is not. */
  isElsewhere(id: string | null): Promise<boolean>
}

/** Who this process is. `isHeard` is asked of a process that cannot be seen from here: of another container, machine or boot. */
export async function openProcessLife(
  isHeard: (id: string) => Promise<boolean> = async () => false,
): Promise<ProcessLife> {
  const own = await ownIdentity()
  return {
    id: newWriteId(own),
    async isElsewhere(id) {
      const writer = id === null ? null : writerOf(id)
      if (id === null || writer === null) return false
      const life = await lifeOf(writer, own)
      if (life === "unknown") return isHeard(id)
      const isSelf = writer.pid === own.pid && writer.started === own.started
      return !isSelf && life === "alive"
    },
  }
}
