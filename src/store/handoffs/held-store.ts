// A store over a state that was already read, for a hook that reads it once.
import type { Boulder, Change, Work } from "../../boulder/boulder.ts"
import type { BoulderStore } from "../revisions/boulder-store.ts"

/** A store over the state that was read, which holds changes back for one write by its owner; `changeOf` gives those to one work. */
export function openHeldStore(boulder: Boulder) {
  /** The state after the changes so far: both end with the hook that opened this store. */
  let now = boulder
  const changes: Change[] = []
  const store: BoulderStore = {
    read: async () => ({ boulder: now, notices: [] }),
    kept: () => now,
    isNewest: async (given) => given === now,
    async update(change) {
      const before = now
      now = change(before)
      changes.push(change)
      return { boulder: now, changed: now !== before, notices: [] }
    },
  }
  const changeOf = (workId: string) => (work: Work) => {
    const alone = { ...boulder, works: { [workId]: work } }
    return changes.reduce((done, change) => change(done), alone).works[workId] ?? work
  }
  return { store, changeOf }
}
