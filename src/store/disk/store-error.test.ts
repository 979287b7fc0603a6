import { expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { withFolder } from "../../../test/support/store-folder.ts"
import { openFileBoulderStore } from "../revisions/file-boulder-store.ts"
import { nodeFilePort } from "./file-port.ts"
import { linkOrExplain } from "./link-or-explain.ts"
import { notAFile, onRegular, readBounded } from "./open-regular.ts"
import { StoreError } from "./store-error.ts"

const messageOf = async (failing: Promise<unknown>): Promise<string> => {
  try {
    await failing
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return "nothing was thrown"
}

test("an error says what was expected, what was found, and what to do", () => {
  const parts = { code: "io", expected: "a disk", found: "none", todo: "Buy one." } as const
  expect(new StoreError(parts).message).toBe("Expected a disk; found none. Buy one.")
  expect(notAFile("/x", "a folder").message).toBe(
    "Expected /x to be a file; found a folder. Move it away and try again.",
  )
})

test("a file in the place of our folder is to be moved away", () =>
  withFolder(async (root) => {
    await writeFile(join(root, ".boulder"), "")
    expect(await messageOf(openFileBoulderStore({ root }).read())).toEndWith(
      "A file is in the place of a folder. Move it away and try again.",
    )
  }))

test("without hard links it says which file wants one", async () => {
  const refused = Object.assign(new Error("no"), { code: "EPERM" })
  const files = { ...nodeFilePort(), link: () => Promise.reject(refused) }
  expect(await messageOf(linkOrExplain(files, "/a", "/b"))).toBe(
    "Expected /b to be on a file system with hard links; found EPERM. Nothing was changed. Keep the project on a local disk (ext4, xfs, btrfs, APFS, NTFS, tmpfs).",
  )
})

test("a file that has grown since it was opened is read to its limit and no further", () =>
  withFolder(async (root) => {
    const path = join(root, "a")
    await writeFile(path, "x".repeat(70_000))
    const message = await onRegular(path, "read", ({ handle, facts }) => {
      const grown = { handle, facts: Object.assign(Object.create(facts), { size: 1 }) }
      return messageOf(readBounded(grown, path, 66_000))
    })
    expect(message).toContain("70000 bytes, above the limit of 66000")
  }))

test("a state of a newer version is left as it is, and the error says which this one reads", () =>
  withFolder(async (root) => {
    const path = join(root, ".boulder", "boulder.json")
    await mkdir(join(root, ".boulder"))
    await writeFile(path, JSON.stringify({ schema_version: 99, revision: 1, works: {} }))
    expect(await messageOf(openFileBoulderStore({ root }).read())).toMatch(
      /^Expected \S+boulder\.json to have schema_version \d+ or an older one; found schema_version 99\. It was left as it is\./,
    )
  }))
