import { expect, test } from "bun:test"
import { spawnSync } from "node:child_process"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { withFolder } from "../../../test/support/store-folder.ts"
import { emptyBoulder } from "../../boulder/boulder.ts"
import { openFileBoulderStore } from "./file-boulder-store.ts"

const urlOf = (path: string) => JSON.stringify(new URL(path, import.meta.url).pathname)

/** Publishes its change, and dies before it is in place. */
const DYING = `
import { openFileBoulderStore } from ${urlOf("./file-boulder-store.ts")}
import { nodeFilePort } from ${urlOf("../disk/file-port.ts")}
const port = nodeFilePort()
const rename = async (from, to) => {
  if (to.endsWith("boulder.json")) process.kill(process.pid, "SIGKILL")
  return port.rename(from, to)
}
const store = openFileBoulderStore({ root: process.argv[2], files: { ...port, rename } })
await store.update((boulder) => ({ ...boulder, theirs: true }))
`

test("what a dead writer has published is put in place at once, and not waited for", () =>
  withFolder(async (root) => {
    await openFileBoulderStore({ root }).update((boulder) => ({
      ...(boulder ?? emptyBoulder()),
      first: true,
    }))
    const script = join(root, "dying.ts")
    await writeFile(script, DYING)
    expect(spawnSync(process.execPath, [script, root]).signal).toBe("SIGKILL")
    let pauses = 0
    const pause = async () => {
      pauses += 1
    }
    const { boulder } = await openFileBoulderStore({ root, pause, limitMs: 2_000 }).update(
      (before) => ({ ...(before ?? emptyBoulder()), ours: true }),
    )
    expect(boulder).toMatchObject({ revision: 3, first: true, theirs: true, ours: true })
    expect(pauses).toBeLessThan(3)
  }))
