// A store that has read its state already, for a hook that reads it once.
import type { Boulder, Change, Work } from "../../boulder/boulder.ts"
import type { BoulderStore } from "../revisions/boulder-store.ts"

/** A store that stands on what was read already, and holds the changes back for one write of its owner. */
export interface HeldStore {
  readonly store: BoulderStore
  /** What was to be changed of one work. */
  changeOf(workId: string): (work: Work) => Work
}

/** Opens one on the state that was read. */
export function openHeldStore(boulder: Boulder): HeldStore {
  /** The state as the changes so far would leave it: both end with the hook that has opened this store. */
  let now = boulder
  const changes: Change[] = []
  return {
    store: {
      read: async () => ({ boulder: now, notices: [] }),
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
