import { describe, expect, test } from "bun:test"
import { spawnSync } from "node:child_process"
import { chown, lchown, mkdir, rmdir, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { findProjectRoot, hostRoot } from "../../src/store/disk/project-root.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { countOf, countUp } from "../support/store-boulders.ts"
import { withFolder } from "../support/store-folder.ts"

/** A user of the machine that is not us. */
const STRANGER = 12_345

function git(cwd: string, ...args: string[]): void {
  const name = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
  const { status, stderr } = spawnSync("git", [...name, ...args], { cwd })
  if (status !== 0) throw new Error(String(stderr))
}

describe("the root of a project", () => {
  test("is one for its folder, a subfolder, a package and a link to it", () =>
    withFolder(async (folder) => {
      const root = join(folder, "app")
      await mkdir(join(root, "packages", "one"), { recursive: true })
      await writeFile(join(root, "packages", "one", "package.json"), "{}")
      git(root, "init", "-q")
      await symlink(root, join(folder, "link"))
      const entries = [root, join(root, "packages", "one"), join(folder, "link", "packages")]
      for (const cwd of entries) expect(await findProjectRoot(cwd)).toBe(root)
      expect(await hostRoot({ worktree: join(folder, "link"), directory: root })).toBe(root)

      const stores = await Promise.all(entries.map((cwd) => findProjectRoot(cwd)))
      for (const found of stores) await openFileBoulderStore({ root: found }).update(countUp("w"))
      expect(countOf((await openFileBoulderStore({ root }).read()).boulder, "w")).toBe(3)
    }))

  test("is its own for a linked worktree", () =>
    withFolder(async (folder) => {
      const root = join(folder, "app")
      await mkdir(root)
      git(root, "init", "-q")
      git(root, "commit", "-q", "--allow-empty", "-m", "first")
      git(root, "worktree", "add", "-q", join(folder, "linked"))
      await mkdir(join(folder, "linked", "sub"))
      expect(await findProjectRoot(join(folder, "linked", "sub"))).toBe(join(folder, "linked"))
    }))

  test.skipIf(process.getuid?.() !== 0).each([".git", ".boulder"])(
    "is none that another user makes with a %s above it, nor with a link to somebody else's",
    (name) =>
      withFolder(async (folder) => {
        const cwd = join(folder, "mine", "sub")
        await mkdir(cwd, { recursive: true })
        await mkdir(join(folder, "real"))
        await mkdir(join(folder, name))
        await chown(join(folder, name), STRANGER, STRANGER)
        expect(await findProjectRoot(cwd)).toBe(cwd)
        await chown(cwd, STRANGER, STRANGER)
        expect(await findProjectRoot(cwd)).toBe(folder)
        await chown(cwd, 0, 0)
        await rmdir(join(folder, name))
        await symlink("real", join(folder, name))
        expect(await findProjectRoot(cwd)).toBe(folder)
        await lchown(join(folder, name), STRANGER, STRANGER)
        expect(await findProjectRoot(cwd)).toBe(cwd)
      }),
  )

  test("without git is the folder with a .boulder, else the folder itself", () =>
    withFolder(async (folder) => {
      await mkdir(join(folder, "a", "b"), { recursive: true })
      expect(await findProjectRoot(join(folder, "a", "b"))).toBe(join(folder, "a", "b"))
      await mkdir(join(folder, ".boulder"))
      expect(await findProjectRoot(join(folder, "a", "b"))).toBe(folder)
      expect(await hostRoot({ worktree: "/", directory: join(folder, "a") })).toBe(
        join(folder, "a"),
      )
    }))
})
