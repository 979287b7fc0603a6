import { expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { REPO } from "../../../test/support/host-version.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import { isOfRegistry, ownSpec } from "./own-spec.ts"

const lock = (resolved: string) =>
  JSON.stringify({ packages: { "node_modules/opencode-boulder": { resolved } } })

test.each([
  {
    says: lock("https://registry.npmjs.org/opencode-boulder/-/opencode-boulder-0.1.0.tgz"),
    is: true,
  },
  { says: lock("file:opencode-boulder-0.1.0.tgz"), is: false },
  { says: JSON.stringify({ packages: [] }), is: false },
  { says: "{ torn", is: false },
  { says: null, is: false },
])("npm's list says $says: it is of a registry: $is", ({ says, is }) =>
  withFolder(async (root) => {
    const folder = join(root, "node_modules", "opencode-boulder")
    await mkdir(folder, { recursive: true })
    if (says !== null) await writeFile(join(dirname(folder), ".package-lock.json"), says)
    expect(await isOfRegistry(folder)).toBe(is)
  }),
)

test("a checkout is named by where it lies", async () => {
  expect(await ownSpec()).toBe(pathToFileURL(REPO).href)
})
