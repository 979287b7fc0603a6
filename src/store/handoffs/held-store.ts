// A store over a state that was already read, for a hook that reads it once.
import type { Boulder, Change, Work } from "../../boulder/boulder.ts"
import type { BoulderStore } from "../revisions/boulder-store.ts"

/** A store over what was already read, which holds changes back for one write by its owner. */
export interface HeldStore {
  readonly store: BoulderStore
  /** The changes to one work. */
  changeOf(workId: string): (work: Work) => Work
}

/** Opens one on the state that was read. */
export function openHeldStore(boulder: Boulder): HeldStore {
  /** The state after the changes so far: both end with the hook that opened this store. */
  let now = boulder
  const changes: Change[] = []
  return {
    store: {
      read: async () => ({ boulder: now, notices: [] }),
      kept: () => now,
      isNewest: async (given) => given === now,
      async update(change) {
        const before = now
        now = change(before)
        changes.push(change)
        return { boulder: now, changed: now !== before, notices: [] }
      },
    },
    changeOf: (workId) => (work) => {
      const alone = { ...boulder, works: { [workId]: work } }
      return changes.reduce((done, change) => change(done), alone).works[workId] ?? work
    },
  }
}
