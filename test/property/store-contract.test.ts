import { expect, test } from "bun:test"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { openMemoryBoulderStore } from "../support/memory-boulder-store.ts"
import { countUp } from "../support/store-boulders.ts"
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

test("file store: a stat shows that what was read is still there", () =>
  withFolder(async (root) => {
    const [one, two] = [openFileBoulderStore({ root }), openFileBoulderStore({ root })]
    await one.update(countUp("a"))
    for (const by of [one, two]) {
      const { boulder } = await one.read()
      expect(one.kept()).toBe(boulder)
      await by.update((before) => before)
      expect(one.kept()).toBe(boulder)
      await by.update(countUp("a"))
      expect(one.kept()).toBeNull()
    }
    await one.read()
    await rm(join(root, ".boulder"), { recursive: true })
    expect(one.kept()).toBeNull()
  }))

describeBoulderStore("file store on files in memory", async (run) => {
  const files = memoryFiles("/project")
  await run({ open: () => openFileBoulderStore({ root: "/project", files }) })
})
