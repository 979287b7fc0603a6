// Which of several configurations says where handoffs live: the nearest that names the plugin, as in the host.
import { expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { runInFolder } from "../support/cli-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const plugin = (...entry: readonly unknown[]) =>
  JSON.stringify({ plugin: [["opencode-boulder", ...entry]] })
const SHARED = plugin({
  handoffs: { store: "postgres", scope: "shop", url: "env:BOULDER_TEST_NO_SUCH_URL" },
})

test.each([
  { of: "a plain entry", near: plugin(), isShared: false },
  { of: "an entry with other options", near: plugin({ reuse: "auto" }), isShared: false },
  {
    of: "an entry that says files",
    near: plugin({ handoffs: { store: "files" } }),
    isShared: false,
  },
  { of: "another plugin", near: '{ "plugin": ["postgres"] }', isShared: true },
  { of: "the word in another field", near: '{ "agent": "opencode-boulder" }', isShared: true },
])("handoffs live where the nearest entry says: $of", ({ near, isShared }) =>
  withFolder(async (root) => {
    await mkdir(join(root, ".opencode"))
    await writeFile(join(root, "opencode.json"), SHARED)
    for (const name of ["opencode.jsonc", ".opencode/opencode.json"]) {
      await writeFile(join(root, name), near)
      const { out } = await runInFolder(root, "handoffs")
      expect([name, out.includes("database")]).toEqual([name, isShared])
      await writeFile(join(root, name), "{}")
    }
  }),
)
