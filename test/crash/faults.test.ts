import { describe, expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { readdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { nodeFilePort } from "../../src/store/disk/file-port.ts"
import { StoreError } from "../../src/store/disk/store-error.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { countOf, countUp, sumOf } from "../support/store-boulders.ts"
import { noteFigure } from "../support/store-figures.ts"
import { withFolder } from "../support/store-folder.ts"
import { hookedPort, type PortHooks, systemError } from "../support/store-port-hooks.ts"

const ERRNOS = ["ENOSPC", "EIO", "EACCES", "EROFS", "EMFILE"] as const
const SCENES = [
  { name: "the first write of all", updates: 0, isDamaged: false },
  { name: "a write", updates: 4, isDamaged: false },
  { name: "a write that restores first", updates: 4, isDamaged: true },
] as const
type Scene = (typeof SCENES)[number]

/** Once: the operation fails and the next one works. From then on: nothing that writes works until the fault is gone. */
const KINDS = ["before, once", "after, once", "from then on"] as const
const READS = new Set(["readText", "list", "inspect", "realPath", "close"])

/** A damaged file is looked at several times; the fault does not need the time between. */
const pause = async () => undefined

function faultAt(
  at: number,
  errno: string,
  kind: (typeof KINDS)[number],
): PortHooks & { hits: number } {
  const hooks: PortHooks & { hits: number } = { hits: 0 }
  hooks[kind === "after, once" ? "after" : "before"] = (step) => {
    const isHit =
      kind === "from then on" ? step.index >= at && !READS.has(step.operation) : step.index === at
    if (!isHit) return
    hooks.hits += 1
    throw systemError(errno, step)
  }
  return hooks
}

async function prepare(root: string, scene: Scene): Promise<void> {
  const store = openFileBoulderStore({ root })
  for (let count = 0; count < scene.updates; count++) await store.update(countUp("w"))
  if (scene.isDamaged) await writeFile(join(root, ".boulder", "boulder.json"), "{")
}

/** One update with the fault; false when the update has no such operation. */
async function survive(scene: Scene, at: number, errno: string, kind: (typeof KINDS)[number]) {
  return withFolder(async (root) => {
    await prepare(root, scene)
    const hooks = faultAt(at, errno, kind)
    const files = hookedPort(nodeFilePort(), hooks)
    const faulty = openFileBoulderStore({ root, files, pause })
    const result = await faulty.update(countUp("w")).catch((error: unknown) => error)
    if (hooks.hits === 0) return false

    const { boulder } = await openFileBoulderStore({ root, pause }).read()
    const isNew = countOf(boulder, "w") === scene.updates + 1
    expect(countOf(boulder, "w")).toBeOneOf([scene.updates, scene.updates + 1])
    if (result instanceof Error) expectSaysWhatToDo(result, scene, isNew)
    else expect(isNew).toBe(true)

    // The fault is gone: the same store and another one work.
    Object.assign(hooks, { before: undefined, after: undefined })
    await faulty.update(countUp("next"))
    const { boulder: after } = await openFileBoulderStore({ root, pause }).update(countUp("next"))
    expect(countOf(after, "next")).toBe(2)
    expect(countOf(after, "w")).toBeGreaterThanOrEqual(countOf(boulder, "w"))
    if (!scene.isDamaged) expect(sumOf(after)).toBe(after.revision)
    const names = await readdir(join(root, ".boulder"))
    expect(names.length).toBeLessThan(12)
    return true
  })
}

function expectSaysWhatToDo(error: Error, scene: Scene, isNew: boolean): void {
  expect(error).toBeInstanceOf(StoreError)
  expect(error.message).toMatch(/^Expected .+; found .+\. .+/)
  expect(error.cause).toBeDefined()
  if (/Nothing was changed\./.test(error.message)) expect(isNew).toBe(false)
  if (scene.isDamaged) return
  if (/This revision is in place/.test(error.message)) expect(isNew).toBe(true)
}

describe.each(SCENES)("faults in $name", (scene) => {
  test.each(ERRNOS)(
    "%s at every operation ends in the old state or the new one",
    async (errno) => {
      let faults = 0
      for (const kind of KINDS) {
        for (let at = 0; at < 200; at++) {
          if (!(await survive(scene, at, errno, kind))) break
          faults += 1
        }
      }
      expect(faults).toBeGreaterThan(30)
      noteFigure(
        `${errno} at every operation of ${scene.name}: before, after, from then on`,
        `${faults} of ${faults} survived, the next write worked each time`,
      )
    },
    240_000,
  )
})

test("the folder removed at every operation of a write", async () => {
  let removals = 0
  for (let at = 0; at < 200; at++) {
    const isHit = await withFolder(async (root) => {
      await prepare(root, SCENES[1])
      let isRemoved = false
      // At once: a write does some of its steps beside one another, and none of them is to meet half a folder.
      const before = ({ index }: { index: number }) => {
        if (index !== at) return
        isRemoved = true
        rmSync(join(root, ".boulder"), { recursive: true })
      }
      const store = openFileBoulderStore({ root, files: hookedPort(nodeFilePort(), { before }) })
      await store.update(countUp("w"))
      const { boulder } = await store.update(countUp("next"))
      expect(countOf(boulder, "next")).toBe(1)
      expect(sumOf(boulder)).toBe(boulder.revision)
      return isRemoved
    })
    if (!isHit) break
    removals += 1
  }
  expect(removals).toBeGreaterThan(10)
  noteFigure(
    "`.boulder` removed before every operation of a write",
    `${removals} of ${removals} survived`,
  )
})
