import { expect, test } from "bun:test"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { openJournal } from "../../src/store/records/journal.ts"
import { openRecordFiles } from "../../src/store/records/record-files.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import {
  LINES,
  ONCE,
  RECORD,
  type RecordTask,
  type RecordWrite,
  writeOnce,
} from "../support/record-writer-process.ts"
import { countUp } from "../support/store-boulders.ts"
import { noteFigure } from "../support/store-figures.ts"
import { withFolder } from "../support/store-folder.ts"
import { startPrograms } from "../support/store-processes.ts"

interface Scene {
  readonly what: RecordWrite
  readonly name: string
  prepare(root: string): Promise<void>
  /** What stands there; the old or the new one after a kill. */
  found(root: string): Promise<unknown>
  readonly old: unknown
  readonly new: readonly unknown[]
}

const linesOf = async (root: string) =>
  ((await openRecordFiles({ root }).read(LINES)) ?? "").split("\n").filter(Boolean)

const SCENES: readonly Scene[] = [
  {
    what: "replace",
    name: "a session's file",
    prepare: (root) => writeOnce(root, "replace", "old"),
    found: (root) => openRecordFiles({ root }).read(RECORD),
    old: "old",
    new: ["new"],
  },
  {
    what: "createOnce",
    name: "a checkpoint",
    prepare: async () => undefined,
    found: (root) => openRecordFiles({ root }).read(ONCE),
    old: null,
    new: ["new"],
  },
  {
    what: "append",
    name: "the list of settled tasks",
    prepare: (root) => writeOnce(root, "append", "old"),
    found: linesOf,
    old: ["old", "old too"],
    new: [["old", "old too", "new", "new too"]],
  },
  {
    what: "journal",
    name: "a rotation of the journal",
    prepare: async (root) => {
      for (let line = 0; line < 9; line++) await writeOnce(root, "journal", `old ${line}`)
    },
    found: async (root) =>
      (await openJournal({ root }).readLast(99)).entries.map(({ reason }) => reason),
    old: Array.from({ length: 9 }, (_, line) => `old ${line}`),
    new: [[...Array.from({ length: 9 }, (_, line) => `old ${line}`), "new"]],
  },
]

test.each(SCENES)(
  "SIGKILL before and after every operation on $name",
  async (scene) => {
    const program = join(import.meta.dir, "..", "support", "record-writer-process.ts")
    const start = await startPrograms<RecordTask>(program)
    const counts = { kills: 0, old: 0, new: 0 }
    const dieAt = (at: number, when: "before" | "after") =>
      withFolder(async (root) => {
        await openFileBoulderStore({ root }).update(countUp("w"))
        await scene.prepare(root)
        const { signal, err } = await start("bun", { root, what: scene.what, at, when }).ended
        expect(err).toBe("")
        const found = await scene.found(root)
        expect([scene.old, ...scene.new]).toContainEqual(found)
        counts[Bun.deepEquals(found, scene.old) ? "old" : "new"] += 1
        // Whoever writes next finds its way, and takes away what the dead have left.
        await writeOnce(root, scene.what, "next")
        await writeOnce(root, scene.what, "next")
        expect(JSON.stringify(await scene.found(root))).toMatch(
          scene.what === "createOnce" ? /new|next/ : /next/,
        )
        expect((await namesIn(root)).filter((name) => name.endsWith(".tmp"))).toEqual([])
        return signal === "SIGKILL"
      })

    for (let at = 0; at < 100; at++) {
      const [before, after] = await Promise.all([dieAt(at, "before"), dieAt(at, "after")])
      if (!before && !after) break
      counts.kills += 2
    }
    expect(counts.kills).toBeGreaterThan(8)
    expect(counts.old).toBeGreaterThan(0)
    expect(counts.new).toBeGreaterThan(0)
    noteFigure(
      `SIGKILL before and after every operation on ${scene.name}`,
      `${counts.kills} of ${counts.kills} survived, the next write worked each time`,
    )
  },
  400_000,
)

async function namesIn(root: string): Promise<readonly string[]> {
  return readdir(join(root, ".boulder"), { recursive: true })
}
