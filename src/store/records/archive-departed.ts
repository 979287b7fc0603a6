// Moves finished works and settled tasks to the archive, then out of `boulder.json`; prunes finished works from both.
import { type ArchiveRules, whatLeaves, withoutDeparted } from "../../boulder/archive-settled.ts"
import type { BoulderStore, StoreUpdate } from "../revisions/boulder-store.ts"
import type { WorkArchive } from "./work-archive.ts"

/**
 * Moves finished works and settled tasks out of `boulder.json`: first into their own files, then out of it, so that a crash in between
 * leaves them in both. Null if nothing leaves; then it costs one read. Throws `StoreError`.
 */
export async function archiveDeparted(options: {
  store: BoulderStore
  archive: WorkArchive
  rules: ArchiveRules
}): Promise<StoreUpdate | null> {
  const { store, archive, rules } = options
  const { boulder } = await store.read()
  const leaving = boulder === null ? null : whatLeaves(boulder, rules)
  if (leaving === null) return null
  await archive.keep(leaving)
  return store.update(withoutDeparted(leaving))
}

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
