import { afterAll, expect, test } from "bun:test"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { rename } from "./quick-files.ts"

/** Beside the sources, which lie on a disk: the folders of tests may lie in memory. */
const folder = mkdtempSync(join(import.meta.dir, "renames-"))
afterAll(() => rmSync(folder, { recursive: true }))
const [from, to] = [join(folder, "from"), join(folder, "to")]
const opened = () => (existsSync("/proc/self/fd") ? readdirSync("/proc/self/fd").length : 0)

test("a file that another takes the place of is let go, however many do", async () => {
  const before = opened()
  for (let at = 0; at < 200; at++) {
    writeFileSync(from, `${at}`)
    await rename(from, to)
    expect(readFileSync(to, "utf8")).toBe(`${at}`)
  }
  // Threads free them, on a busy machine late; one that is never let go ends this by its own limit.
  while (opened() > before + 8) await Bun.sleep(10)
})

test("a rename that fails replaces nothing, and says why", async () => {
  writeFileSync(to, "as it was")
  await expect(rename(join(folder, "none"), to)).rejects.toMatchObject({ code: "ENOENT" })
  expect(readFileSync(to, "utf8")).toBe("as it was")
})
