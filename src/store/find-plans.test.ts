import { describe, expect, test } from "bun:test"
import { mkdir, symlink, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { withFolder } from "../../test/support/store-folder.ts"
import { findPlans } from "./find-plans.ts"

/** The plans that are found among these files. */
const found = (...files: readonly string[]) =>
  withFolder(async (root) => {
    for (const file of files) {
      await mkdir(dirname(join(root, file)), { recursive: true })
      await writeFile(join(root, file), "- [ ] 1. One\n")
    }
    return findPlans(root)
  })

describe("plans are found where design.md 5.1 looks for them", () => {
  test.each([
    { file: ".boulder/plans/a.md" },
    { file: ".omo/plans/a.md" },
    { file: ".sisyphus/plans/a.md" },
    { file: ".kiro/specs/search/tasks.md" },
    { file: "specs/001-search/tasks.md" },
    { file: "openspec/changes/add-2fa/tasks.md" },
    { file: ".planning/PLAN.md" },
    { file: ".planning/phases/01-base/01-01-PLAN.md" },
    { file: ".boulder/plans/名前 with blanks.md" },
  ])("$file", async ({ file }) => {
    expect(await found(file)).toEqual([file])
  })
  test.each([
    { file: ".boulder/plans/deep/a.md", why: "deeper than that folder" },
    { file: ".boulder/plans/a.txt", why: "another kind of file" },
    { file: ".boulder/a.md", why: "not among the plans" },
    { file: "specs/tasks.md", why: "no folder of its own" },
    { file: "specs/a/b/tasks.md", why: "too deep" },
    { file: "specs/a/design.md", why: "another file of a spec" },
    { file: "a/specs/b/tasks.md", why: "another root" },
    { file: ".planning/ROADMAP.md", why: "no plan by its name" },
    { file: ".planning/node_modules/x/PLAN.md", why: "an installed package" },
    { file: "README.md", why: "any other file" },
  ])("not $file: $why", async ({ file }) => {
    expect(await found(file)).toEqual([])
  })
  test("in the order of the places, sorted within each", async () => {
    const files = [
      ".boulder/plans/a.md",
      ".boulder/plans/b.md",
      ".omo/plans/a.md",
      "specs/b/tasks.md",
      ".planning/a/PLAN.md",
    ]
    expect(await found(...[...files].reverse())).toEqual(files)
  })
  test("none in an empty folder, and none where there is no folder", async () => {
    expect(await found()).toEqual([])
    expect(await findPlans("/nonexistent/root")).toEqual([])
  })
  test("a folder called like a plan is none, and a file where a folder is looked for does no harm", async () => {
    expect(await found(".boulder/plans/a.md/x.txt", "specs")).toEqual([])
  })
  test("links are not followed: they could lead out of the root, or in a circle", async () => {
    const paths = await withFolder(async (root) => {
      await mkdir(join(root, ".planning/a"), { recursive: true })
      await mkdir(join(root, ".boulder/plans"), { recursive: true })
      await symlink(join(root, ".planning"), join(root, ".planning/a/circle"))
      await symlink("/etc/hostname", join(root, ".boulder/plans/out.md"))
      return findPlans(root)
    })
    expect(paths).toEqual([])
  })
  test("at most 500", async () => {
    const many = Array.from({ length: 520 }, (_, index) => `.boulder/plans/${1_000 + index}.md`)
    const paths = await found(...many)
    expect(paths).toHaveLength(500)
    expect(paths[0]).toBe(".boulder/plans/1000.md")
  })
})
