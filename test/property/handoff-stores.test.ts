import type { Handoff } from "../../src/boulder/handoff.ts"
import { openFileHandoffStore } from "../../src/store/handoffs/handoff-file-store.ts"
import { projectScope } from "../../src/store/handoffs/handoff-scope.ts"
import { openRecordFiles } from "../../src/store/records/record-files.ts"
import { describeHandoffStore } from "../support/handoff-store-contract.ts"
import { openMemoryHandoffStore } from "../support/memory-handoff-store.ts"
import { withFolder } from "../support/store-folder.ts"
import { memoryFiles } from "../support/store-memory-files.ts"

describeHandoffStore("memory store", async (run) => {
  const shelf = new Map<string, Handoff>()
  await run({
    open: (project = "one") => openMemoryHandoffStore({ project, shelf }),
    scope: (project = "one") => project,
  })
})

describeHandoffStore("file store", (run) =>
  withFolder((one) =>
    withFolder((two) => {
      const rootOf = (project: "one" | "two") => (project === "one" ? one : two)
      return run({
        open: (project = "one") => openFileHandoffStore({ root: rootOf(project) }),
        scope: (project = "one") => projectScope(rootOf(project)),
      })
    }),
  ),
)

describeHandoffStore("file store on files in memory", async (run) => {
  const disks = { one: memoryFiles("/one"), two: memoryFiles("/two") }
  await run({
    open: (project = "one") => {
      const root = `/${project}`
      return openFileHandoffStore({
        root,
        records: openRecordFiles({ root, files: disks[project] }),
      })
    },
    scope: (project = "one") => projectScope(`/${project}`),
  })
})
