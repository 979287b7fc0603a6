import { type Boulder, emptyBoulder } from "../../src/boulder/boulder.ts"
import { checkBoulder } from "../../src/store/revisions/boulder-file.ts"
import type { BoulderStore } from "../../src/store/revisions/boulder-store.ts"
import { checkedNext, nextBoulder } from "../../src/store/revisions/next-boulder.ts"

/** A store that lives as long as its object, with the same contract as the file store. */
export function openMemoryBoulderStore(initial: Boulder | null = null): BoulderStore {
  let current = initial === null ? null : frozen(initial)
  return {
    isNewest: async (boulder) => boulder === current,
    read: async () => ({ boulder: current, notices: [] }),
    kept: () => current,
    update: async (change) => {
      const before = current ?? frozen(emptyBoulder())
      const next = nextBoulder(before, change)
      if (next === null) return { boulder: before, changed: false, notices: [] }
      current = checkedNext(before, next)
      return { boulder: current, changed: true, notices: [] }
    },
  }
}

function frozen(boulder: Boulder): Boulder {
  const checked = checkBoulder(boulder)
  if (checked.kind === "invalid") throw new TypeError(`Expected a boulder, not: ${checked.problem}`)
  return checked.boulder
}
