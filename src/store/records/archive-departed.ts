// Moves finished works and settled tasks to the archive, then out of `boulder.json`.
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
