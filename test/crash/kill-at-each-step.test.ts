import { expect, test } from "bun:test"
import { readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { countOf, countUp, sumOf } from "../support/store-boulders.ts"
import { noteFigure } from "../support/store-figures.ts"
import { withFolder } from "../support/store-folder.ts"
import { type Runtime, startPrograms } from "../support/store-processes.ts"

interface Scene {
  readonly name: string
  readonly runtime: Runtime
  /** Revisions that restoring takes, on top of the one of the update. */
  readonly restores: number
  prepare(root: string): Promise<void>
}

const file = (root: string) => join(root, ".boulder", "boulder.json")

async function countTimes(root: string, times: number): Promise<void> {
  const store = openFileBoulderStore({ root })
  for (let count = 0; count < times; count++) await store.update(countUp("w"))
}

const SCENES: readonly Scene[] = [
  { name: "the first write of all", runtime: "bun", restores: 0, prepare: async () => undefined },
  { name: "a write", runtime: "bun", restores: 0, prepare: (root) => countTimes(root, 4) },
  { name: "a write in Node", runtime: "node", restores: 0, prepare: (root) => countTimes(root, 4) },
  {
    name: "a write that restores a damaged file first",
    runtime: "bun",
    restores: 1,
    prepare: async (root) => {
      await countTimes(root, 4)
      await writeFile(file(root), "{")
    },
  },
]

test.each(SCENES)(
  "SIGKILL before and after every operation of $name",
  async (scene) => {
    const start = await startPrograms()
    const counts = { kills: 0, old: 0, new: 0 }
    const dieAt = (at: number, when: "before" | "after") =>
      withFolder(async (root) => {
        await scene.prepare(root)
        const { ended } = start(scene.runtime, { kind: "die", root, name: "w", at, when })
        const { signal, err } = await ended
        expect(err).toBe("")
        const store = openFileBoulderStore({ root })
        const before = (await store.read()).boulder
        const after = (await store.update(countUp("next"))).boulder
        await expectGood(scene, root, after.revision, sumOf(after))
        counts[countOf(after, "w") > startOf(scene) ? "new" : "old"] += 1
        if (before !== null)
          expect(countOf(after, "w")).toBeGreaterThanOrEqual(countOf(before, "w"))
        expect(countOf(after, "w") - startOf(scene)).toBeOneOf([0, 1])
        return signal === "SIGKILL"
      })

    for (let at = 0; at < 200; at++) {
      const [before, after] = await Promise.all([dieAt(at, "before"), dieAt(at, "after")])
      if (!before && !after) break
      counts.kills += 2
    }
    expect(counts.kills).toBeGreaterThan(20)
    expect(counts.old).toBeGreaterThan(0)
    expect(counts.new).toBeGreaterThan(0)
    noteFigure(
      `SIGKILL before and after every operation of ${scene.name}`,
      `${counts.kills} of ${counts.kills} survived, the next write worked each time`,
    )
  },
  400_000,
)

const startOf = ({ name }: Scene) => (name === "the first write of all" ? 0 : 4)

async function expectGood(scene: Scene, root: string, revision: number, sum: number) {
  expect(revision - sum).toBeLessThanOrEqual(scene.restores)
  expect(revision - sum).toBeGreaterThanOrEqual(0)
  const names = await readdir(join(root, ".boulder"))
  expect(names.filter((name) => /\.(tmp|copy)$/.test(name))).toEqual([])
  expect(names).toContain(".gitignore")
  expect(await readFile(join(root, ".boulder", ".gitignore"), "utf8")).toContain("!/plans/")
  if (scene.restores === 0) expect(names.filter((name) => name.includes("corrupt"))).toEqual([])
  else expect(names.filter((name) => name.includes("corrupt")).length).toBeGreaterThan(0)
}
