// Removes what is kept of finished works.
import { withoutDeparted } from "../../boulder/archive-settled.ts"
import type { BoulderStore } from "../revisions/boulder-store.ts"
import type { WorkArchive } from "./work-archive.ts"

/**
 * Removes finished and stopped works for good, one that is still in `boulder.json` from there too; gives the ids
 * removed. A work that goes on, or has been set going again since the caller looked, is left alone. Throws `StoreError`.
 */
export async function pruneWorks(options: {
  store: BoulderStore
  archive: WorkArchive
  workIds: readonly string[]
}): Promise<readonly string[]> {
  const { store, archive, workIds } = options
  const before = (await store.read()).boulder?.works ?? {}
  const works = workIds
    .flatMap((id) => before[id] ?? [])
    .filter((one) => one.status === "completed" || one.pause_reason === "stopped-by-user")
  // The archive first: a crash in between leaves a work in both, and it can be pruned again.
  await archive.keep({ works, parts: [] })
  const { boulder } = await store.update(withoutDeparted({ works, parts: [] }))
  return archive.prune(workIds.filter((id) => boulder.works[id] === undefined))
}
