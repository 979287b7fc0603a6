// The process that drives a work, and whether another one does.
import { lifeOf, newWriteId, ownIdentity, writerOf } from "./writer-identity.ts"

/** This process as it is written down, and what is known of others. */
export interface ProcessLife {
  readonly id: string
  /** Whether an id is that of another process of this machine that still lives; nobody's, null, is not. */
  isElsewhere(id: string | null): Promise<boolean>
}

/** Who this process is. */
export async function openProcessLife(): Promise<ProcessLife> {
  const own = await ownIdentity()
  return {
    id: newWriteId(own),
    async isElsewhere(id) {
      const writer = id === null ? null : writerOf(id)
      if (writer === null) return false
      const isSelf = writer.pid === own.pid && writer.started === own.started
      return !isSelf && (await lifeOf(writer, own)) === "alive"
    },
  }
}
