import { expect, test } from "bun:test"
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { aWork } from "../../../test/support/builders.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import { putWork } from "../../boulder/change-work.ts"
import { openFileBoulderStore } from "../revisions/file-boulder-store.ts"
import { plansHere } from "./plans-here.ts"

const withPlan = (run: (root: string) => Promise<void>) =>
  withFolder(async (root) => {
    await mkdir(join(root, ".boulder/plans"), { recursive: true })
    await mkdir(join(root, "notes"))
    await writeFile(join(root, ".boulder/plans/demo.md"), "## TODOs\n\n- [ ] 1. One\n")
    await writeFile(join(root, "notes/far.md"), "- [ ] One\n")
    const work = aWork({ active_plan: "notes/far.md" })
    const store = openFileBoulderStore({ root })
    for (const at of ["2026-01-01T00:00:00.000Z", "2026-01-02T00:00:00.000Z"])
      await store.update((boulder) => putWork(boulder, { ...work, updated_at: at }))
    await run(root)
  })

test("the plans of the project and of its works", () =>
  withPlan(async (root) => {
    expect([...(await plansHere(root))].sort()).toEqual([".boulder/plans/demo.md", "notes/far.md"])
  }))

test("a damaged state is left as it is: whoever restores it tells a person of it", () =>
  withPlan(async (root) => {
    const file = join(root, ".boulder/boulder.json")
    await writeFile(file, "{ damaged")
    const before = (await readdir(join(root, ".boulder"), { recursive: true })).sort()
    expect(await plansHere(root)).toContain(".boulder/plans/demo.md")
    expect((await readdir(join(root, ".boulder"), { recursive: true })).sort()).toEqual(before)
    expect(await readFile(file, "utf8")).toBe("{ damaged")
  }))
