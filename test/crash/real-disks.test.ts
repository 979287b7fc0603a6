import { expect, test } from "bun:test"
import { spawnSync } from "node:child_process"
import { readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import process from "node:process"
import { StoreError } from "../../src/store/disk/store-error.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { countOf, countUp, sumOf } from "../support/store-boulders.ts"
import { noteFigure } from "../support/store-figures.ts"
import { withFolder } from "../support/store-folder.ts"

const isRoot = process.getuid?.() === 0
/** Only root may mount; CI runs as root, and a run without says why it skips. */
const onLinuxAsRoot = test.skipIf(!isRoot || process.platform !== "linux")
const why = "(mounts a tmpfs: needs root on Linux)"

function mount(...args: string[]): void {
  const { status, stderr } = runProgram("mount", args)
  if (status !== 0) throw new Error(`mount ${args.join(" ")}: ${stderr}`)
}

function runProgram(program: string, args: readonly string[]) {
  return spawnSync(program, args)
}

async function onTmpfs(kilobytes: number, run: (root: string) => Promise<void>): Promise<void> {
  await withFolder(async (root) => {
    mount("-t", "tmpfs", "-o", `size=${kilobytes}k`, "tmpfs", root)
    try {
      await run(root)
    } finally {
      runProgram("umount", ["-l", root])
    }
  })
}

onLinuxAsRoot(`a disk full to the last byte, at any fill, loses nothing ${why}`, async () => {
  let refused = 0
  let accepted = 0
  await onTmpfs(256, async (root) => {
    const store = openFileBoulderStore({ root })
    await store.update(countUp("w"))
    let counted = 1
    for (let kilobytes = 252; kilobytes >= 180; kilobytes -= 4) {
      await writeFile(join(root, "filler"), "x".repeat(kilobytes * 1_024)).catch(() => undefined)
      const result = await store.update(countUp("w")).catch((error: unknown) => error)
      if (result instanceof Error) {
        expect(result).toBeInstanceOf(StoreError)
        expect(result).toMatchObject({ code: "disk-full" })
        expect(result.message).toContain("Nothing was changed. Free some space")
        refused += 1
      } else {
        counted += 1
        accepted += 1
      }
      const { boulder } = await openFileBoulderStore({ root }).read()
      expect([countOf(boulder, "w"), sumOf(boulder)]).toEqual([counted, boulder?.revision ?? 0])
      JSON.parse(await readFile(join(root, ".boulder", "boulder.json"), "utf8"))
      await rm(join(root, "filler"))
    }
    const { boulder } = await store.update(countUp("w"))
    expect(countOf(boulder, "w")).toBe(counted + 1)
    expect(
      (await readdir(join(root, ".boulder"))).filter((name) => /\.(tmp|copy)$/.test(name)),
    ).toEqual([])
  })
  expect(refused).toBeGreaterThan(0)
  expect(accepted).toBeGreaterThan(0)
  noteFigure(
    "a full disk (tmpfs of 256 kB at 19 fills)",
    `${refused} updates refused, ${accepted} taken, state whole each time, the next write worked`,
  )
})

onLinuxAsRoot(
  `a disk mounted read-only is read, refuses writes, and works again ${why}`,
  async () => {
    await onTmpfs(1_024, async (root) => {
      const store = openFileBoulderStore({ root })
      await store.update(countUp("w"))
      mount("-o", "remount,ro", root)
      expect((await openFileBoulderStore({ root }).read()).boulder?.revision).toBe(1)
      const refused = store.update(countUp("w"))
      await expect(refused).rejects.toMatchObject({ name: "StoreError", code: "not-permitted" })
      await expect(refused).rejects.toThrow(
        "Nothing was changed. Mount this file system for writing",
      )
      expect((await store.update((boulder) => boulder)).changed).toBe(false)
      mount("-o", "remount,rw", root)
      expect((await store.update(countUp("w"))).boulder.revision).toBe(2)
    })
    noteFigure("a read-only disk", "read; writes refused with what to do; the next write worked")
  },
)

onLinuxAsRoot(`a first write on a read-only disk says so ${why}`, async () => {
  await onTmpfs(1_024, async (root) => {
    mount("-o", "remount,ro", root)
    const refused = openFileBoulderStore({ root }).update(countUp("w"))
    await expect(refused).rejects.toMatchObject({ code: "not-permitted" })
    expect((await openFileBoulderStore({ root }).read()).boulder).toBeNull()
  })
})

onLinuxAsRoot(`a read-only folder is read, refuses writes, and works again ${why}`, () =>
  withFolder(async (root) => {
    const store = openFileBoulderStore({ root })
    await store.update(countUp("w"))
    const folder = join(root, ".boulder")
    mount("--bind", folder, folder)
    try {
      mount("-o", "remount,bind,ro", folder)
      await expect(store.update(countUp("w"))).rejects.toMatchObject({ code: "not-permitted" })
      expect((await openFileBoulderStore({ root }).read()).boulder?.revision).toBe(1)
    } finally {
      runProgram("umount", ["-l", folder])
    }
    expect((await store.update(countUp("w"))).boulder.revision).toBe(2)
    noteFigure("a read-only folder", "read; writes refused with what to do; the next write worked")
  }),
)
