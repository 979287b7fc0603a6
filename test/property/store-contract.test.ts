import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { openMemoryBoulderStore } from "../support/memory-boulder-store.ts"
import { describeBoulderStore } from "../support/store-contract.ts"
import { withFolder } from "../support/store-folder.ts"
import { memoryFiles } from "../support/store-memory-files.ts"

describeBoulderStore("memory store", async (run) => {
  const store = openMemoryBoulderStore()
  await run({ open: () => store })
})

describeBoulderStore("file store", (run) =>
  withFolder((root) => run({ open: () => openFileBoulderStore({ root }) })),
)

describeBoulderStore("file store on files in memory", async (run) => {
  const files = memoryFiles("/project")
  await run({ open: () => openFileBoulderStore({ root: "/project", files }) })
})
