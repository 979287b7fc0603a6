import { expect, test } from "bun:test"
import { readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../../test/support/temporary-folder.ts"
import { versionToGreet } from "./first-start.ts"
import { ownVersion } from "./own-version.ts"

test("a version is greeted once, whoever of many starts first, and after another version once again", async () => {
  const root = temporaryFolder("state")
  const version = await ownVersion()
  const at = { XDG_STATE_HOME: join(root, "state") }
  const all = await Promise.all(Array.from({ length: 8 }, () => versionToGreet(at)))
  expect(all.filter((one) => one !== null)).toEqual([version])
  expect(await versionToGreet(at)).toBe(null)
  const folder = join(root, "state", "opencode-boulder")
  expect(readdirSync(folder)).toEqual([`greeted-${version}`])
  rmSync(join(folder, `greeted-${version}`))
  writeFileSync(join(folder, "greeted-0.0.1"), "")
  expect(await versionToGreet(at)).toBe(version)
  expect(await versionToGreet({ HOME: join(root, "home") })).toBe(version)
  expect(readdirSync(join(root, "home", ".local", "state"))).toEqual(["opencode-boulder"])
})

test("where it cannot be remembered nobody is greeted", async () => {
  expect(await versionToGreet({ XDG_STATE_HOME: "/dev/null" })).toBe(null)
})
