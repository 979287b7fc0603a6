// The opencode that drives a work, and whether another one does.
import { lifeOf, newWriteId, ownIdentity, writerOf } from "./writer-identity.ts"

/** This opencode as it is written down, and what is known of others: one process has one for each folder that it has open. */
export interface ProcessLife {
  readonly id: string
  /** Whether an id is that of another one that is still there; nobody's, null, is not. */
  isElsewhere(id: string | null): Promise<boolean>
}

/**
 * Who this opencode is. That a process lives says nothing of one folder that it had open: `isShown` tells whether it still shows a view
 * of it, `"alive"` of one that is seen from here, `"unknown"` of one of another container, machine or boot.
 */
export async function openProcessLife(
  isShown: (id: string, life: "alive" | "unknown") => Promise<boolean> = async () => false,
): Promise<ProcessLife> {
  const own = await ownIdentity()
  const ownId = newWriteId(own)
  return {
    id: ownId,
    async isElsewhere(id) {
      const writer = id === null || id === ownId ? null : writerOf(id)
      if (id === null || writer === null) return false
      const life = await lifeOf(writer, own)
      return life !== "dead" && isShown(id, life)
    },
  }
}
