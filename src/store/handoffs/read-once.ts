// Reads the state and each plan once for a call.
import type { PlanFileReading, PlanFiles } from "../plans/plan-files.ts"
import type { BoulderStore } from "../revisions/boulder-store.ts"

/** What a call reads. */
export interface Readings {
  readonly store: BoulderStore
  readonly plans: PlanFiles
}

/**
 * The same store and plans for one call: the first reading serves everything that the call does. A change goes to the store itself, on the
 * newest state as always, and its result is what is read from then on; after a failure everyone reads again. What it holds ends with the
 * call.
 */
export function readOnce({ store, plans }: Readings): Readings {
  /** What was read: a copy for the length of a call, which decides nothing. */
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
