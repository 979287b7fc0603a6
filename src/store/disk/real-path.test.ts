import { expect, spyOn, test } from "bun:test"
import { mkdir, symlink } from "node:fs/promises"
import { join } from "node:path"
import { withFolder } from "../../../test/support/store-folder.ts"
import * as disk from "./quick-files.ts"
import { deepRealPath } from "./real-path.ts"

test("of links that lead to nothing, one behind the other, 40 are followed", () =>
  withFolder(async (folder) => {
    for (let at = 0; at < 60; at++) await symlink(`l${at + 1}`, join(folder, `l${at}`))
    expect(await deepRealPath(join(folder, "l0"))).toBe(join(folder, "l40"))
    expect(await deepRealPath(join(folder, "l30"))).toBe(join(folder, "l60"))
  }))

test("what leads out of a missing folder again is looked at, links and all", () =>
  withFolder(async (folder) => {
    await mkdir(join(folder, "real"))
    await symlink("real", join(folder, "link"))
    const path = `${folder}/none/../link/new.json`
    expect(await deepRealPath(path)).toBe(join(folder, "real", "new.json"))
  }))

test("a link to what is not there yet is followed, and what stands behind it is below its target", () =>
  withFolder(async (folder) => {
    await symlink("later/on", join(folder, "link"))
    expect(await deepRealPath(join(folder, "link", "a", "b.md"))).toBe(
      join(folder, "later", "on", "a", "b.md"),
    )
  }))

test.each([
  {
    name: "of nothing that is there",
    path: (_: string, names: number) => `/${"a/".repeat(names)}x`,
  },
  {
    name: "out of a missing folder again and again",
    path: (folder: string, names: number) => `${folder}/none/${"../real/".repeat(names)}x`,
  },
  {
    name: "behind a missing folder",
    path: (folder: string, names: number) => `${folder}/none/../none/${"a/".repeat(names)}../x`,
  },
  {
    name: "of dots alone",
    path: (folder: string, names: number) => `${folder}/none/${"./".repeat(names)}../real/./x`,
  },
  {
    name: "through links",
    path: (folder: string, names: number) => `${folder}/none/${"../link/".repeat(names)}x`,
  },
])("a path $name costs calls by its names, and no more", ({ path }) =>
  withFolder(async (folder) => {
    await mkdir(join(folder, "real"))
    await symlink("real", join(folder, "link"))
    const [few, many] = [await callsFor(path(folder, 50)), await callsFor(path(folder, 400))]
    expect(few).toBeGreaterThan(0)
    expect(many).toBeLessThanOrEqual(few * 8)
  }),
)

/** How often the disk is asked: a time would hang on the load of the machine. */
async function callsFor(path: string): Promise<number> {
  const spies = [spyOn(disk, "realpath"), spyOn(disk, "readlink")]
  for (const spy of spies) spy.mockClear()
  await deepRealPath(path)
  const calls = spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0)
  for (const spy of spies) spy.mockRestore()
  return calls
}
