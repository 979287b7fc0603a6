import { expect, test } from "bun:test"
import { aWork } from "../../../test/support/builders.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import { openFileBoulderStore } from "../revisions/file-boulder-store.ts"
import { pruneWorks } from "./archive-departed.ts"
import { openRecordFiles } from "./record-files.ts"
import { openWorkArchive } from "./work-archive.ts"

test.each([
  { work: "finished", state: { status: "completed" }, isGone: true },
  { work: "stopped", state: { status: "paused", pause_reason: "stopped-by-user" }, isGone: true },
  { work: "paused", state: { status: "paused", pause_reason: "aborted" }, isGone: false },
  { work: "active", state: { status: "active" }, isGone: false },
] as const)("a work that is $work is removed for good: $isGone", ({ state, isGone }) =>
  withFolder(async (root) => {
    const store = openFileBoulderStore({ root })
    const work = aWork({ work_id: "a", ...state })
    await store.update((boulder) => ({ ...boulder, works: { a: work } }))
    const archive = openWorkArchive(openRecordFiles({ root }))
    expect(await pruneWorks({ store, archive, workIds: ["a"] })).toEqual(isGone ? ["a"] : [])
    const left = Object.keys((await store.read()).boulder?.works ?? {})
    expect(left).toEqual(isGone ? [] : ["a"])
  }),
)
