import { expect, test } from "bun:test"
import { mkdir, symlink } from "node:fs/promises"
import { join } from "node:path"
import { withFolder } from "../../../test/support/store-folder.ts"
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
