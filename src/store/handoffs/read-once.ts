// The state and the plans as one call finds them: each is read once.
import type { PlanFileReading, PlanFiles } from "../plans/plan-files.ts"
import type { BoulderStore } from "../revisions/boulder-store.ts"

/** What a call reads. */
export interface Readings {
  readonly store: BoulderStore
  readonly plans: PlanFiles
}

/**
 * The same store and plans for one call: who reads first reads for all that the call does. A change goes to the store
 * itself, on the newest state as ever, and what it gives is what is read behind it; whoever asks behind a failure reads
 * for himself. What it holds ends with the call.
 */
export function readOnce({ store, plans }: Readings): Readings {
  /** What was read: a copy for the length of a call, and no decision of its own. */
  const seen = new Map<string, Promise<PlanFileReading>>()
  const state: { read: ReturnType<BoulderStore["read"]> | null } = { read: null }
  const readAnew = (error: unknown): never => {
    state.read = null
    throw error
  }
  return {
    store: {
      ...store,
      read: () => {
        state.read ??= store.read().catch(readAnew)
        return state.read
      },
      update: async (change) => {
        const update = await store.update(change).catch(readAnew)
        state.read = Promise.resolve({ boulder: update.boulder, notices: [] })
        return update
      },
    },
    plans: {
      ...plans,
      read: (path) => {
        const reading = seen.get(path) ?? plans.read(path)
        seen.set(path, reading)
        return reading
      },
    },
  }
}
