// Removes the records of finished works.
import { withoutDeparted } from "../../boulder/archive-settled.ts"
import type { BoulderStore } from "../revisions/boulder-store.ts"
import type { WorkArchive } from "./work-archive.ts"

/**
 * Removes finished and stopped works for good, also from `boulder.json` if they are still there; returns the removed ids. A work that goes
 * on, or was resumed since the caller looked, is left alone. Throws `StoreError`.
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
