import { expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { withFolder } from "../../../test/support/store-folder.ts"
import { emptyBoulder } from "../../boulder/boulder.ts"
import { nodeFilePort } from "../disk/file-port.ts"
import { openFileBoulderStore } from "./file-boulder-store.ts"

test("a revision whose name does not reach the disk is there, and its writer is told", () =>
  withFolder(async (root) => {
    const port = nodeFilePort()
    let [isFailing, isPlaced] = [false, false]
    const files = {
      ...port,
      rename: async (from: string, to: string) => {
        const made = await port.rename(from, to)
        if (to.endsWith("boulder.json")) isPlaced = true
        return made
      },
      syncFolder: (path: string) =>
        isFailing && isPlaced ? Promise.reject(new Error("no power")) : port.syncFolder(path),
    }
    const store = openFileBoulderStore({ root, files })
    await store.update((boulder) => boulder ?? emptyBoulder())
    ;[isFailing, isPlaced] = [true, false]
    const failed = await store
      .update((boulder) => ({ ...(boulder ?? emptyBoulder()), works: {}, x: 1 }))
      .then(() => "", String)
    expect(failed).toContain(
      "This revision is in place, but a power cut may undo it. Check the disk and the system log.",
    )
    isFailing = false
    expect((await store.read()).boulder).toMatchObject({ x: 1 })
  }))

test("a state that somebody else writes without end is left to them, whoever they are", () =>
  withFolder(async (root) => {
    const store = openFileBoulderStore({ root, limitMs: 300 })
    await store.update((boulder) => ({ ...(boulder ?? emptyBoulder()), x: 0 }))
    let edits = 0
    const failed = await store
      .update((boulder) => {
        const edited = { ...(boulder ?? emptyBoulder()), x: edits++ }
        writeFileSync(join(root, ".boulder", "boulder.json"), JSON.stringify(edited))
        return { ...edited, y: 1 }
      })
      .then(() => "", String)
    expect(failed).toMatch(/found other processes faster \d+ times/)
  }))
