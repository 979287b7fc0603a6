import { describe, expect, test } from "bun:test"
import { mkdir, symlink, writeFile } from "node:fs/promises"
import { join, relative } from "node:path"
import { temporaryFolder } from "../../../test/support/temporary-folder.ts"
import { writtenName } from "./written-name.ts"

const PLAN = ".boulder/plans/demo.md"

async function withProject(run: (root: string) => Promise<void>): Promise<void> {
  const root = temporaryFolder("written")
  await mkdir(join(root, "docs"))
  await mkdir(join(root, "src"))
  await run(root)
}

/** The name of a write, with the root for `<root>`. */
async function nameOf(root: string, path: string, planPath = PLAN): Promise<string> {
  const name = await writtenName({ root, directory: root, path, planPath })
  return name.replaceAll(root, "<root>")
}

describe("a project without links", () => {
  test.each([
    { path: PLAN, is: PLAN },
    { path: `./${PLAN}`, is: PLAN },
    { path: "src/../.boulder//plans/demo.md", is: PLAN },
    { path: ".boulder/boulder.json", is: ".boulder/boulder.json" },
    { path: "./.boulder/works/w/shards/001.md", is: ".boulder/works/w/shards/001.md" },
    { path: ".boulder", is: ".boulder" },
    { path: ".boulder/plans", is: ".boulder/plans" },
    { path: ".boulder/", is: ".boulder" },
    { path: ".BOULDER/boulder.json", is: ".boulder/boulder.json" },
    { path: ".Boulder/Plans/other.md", is: ".boulder/plans/other.md" },
    { path: ".boulder./boulder.json", is: ".boulder/boulder.json" },
    { path: ".boulder /boulder.json", is: ".boulder/boulder.json" },
    { path: "src/new.ts", is: "src/new.ts" },
    { path: "src/.boulder/x", is: "src/.boulder/x" },
    { path: ".boulders/x", is: ".boulders/x" },
    { path: "..boulder/x", is: "..boulder/x" },
    { path: "/etc/passwd", is: "/etc/passwd" },
  ])("$path: $is", ({ path, is }) =>
    withProject(async (root) => {
      await mkdir(join(root, ".boulder/plans"), { recursive: true })
      await writeFile(join(root, PLAN), "- [ ] 1. One\n")
      expect(await nameOf(root, path)).toBe(is)
      if (!path.startsWith("/")) expect(await nameOf(root, join(root, path))).toBe(is)
    }),
  )
  test("of a folder below the root paths are as the host takes them", () =>
    withProject(async (root) => {
      const given = { root, directory: join(root, "src"), planPath: PLAN }
      expect(await writtenName({ ...given, path: "a.ts" })).toBe("src/a.ts")
      expect(await writtenName({ ...given, path: "../.boulder/x" })).toBe(".boulder/x")
    }))
})

describe("links", () => {
  test("the plans' folder behind a link is the plans' folder by both names", () =>
    withProject(async (root) => {
      await mkdir(join(root, ".boulder"))
      await symlink("../docs", join(root, ".boulder/plans"))
      await writeFile(join(root, "docs/demo.md"), "- [ ] 1. One\n")
      expect(await nameOf(root, PLAN)).toBe(PLAN)
      expect(await nameOf(root, "docs/demo.md")).toBe(PLAN)
      expect(await nameOf(root, "docs/demo.md", "docs/demo.md")).toBe("docs/demo.md")
      expect(await nameOf(root, PLAN, "docs/demo.md")).toBe("docs/demo.md")
    }))
  test("the plans' folder outside the project too", () =>
    withProject(async (elsewhere) => {
      await writeFile(join(elsewhere, "demo.md"), "- [ ] 1. One\n")
      await withProject(async (root) => {
        await mkdir(join(root, ".boulder"))
        await symlink(elsewhere, join(root, ".boulder/plans"))
        expect(await nameOf(root, PLAN)).toBe(PLAN)
        expect(await nameOf(root, join(elsewhere, "demo.md"))).toBe(PLAN)
        expect(await nameOf(root, join(elsewhere, "new.md"))).toBe(".boulder/plans/new.md")
      })
    }))
  test("our folder behind a link is our folder by both names", () =>
    withProject(async (root) => {
      await mkdir(join(root, "state/plans"), { recursive: true })
      await symlink("state", join(root, ".boulder"))
      expect(await nameOf(root, ".boulder/boulder.json")).toBe(".boulder/boulder.json")
      expect(await nameOf(root, "state/boulder.json")).toBe(".boulder/boulder.json")
      expect(await nameOf(root, "state/plans/new.md")).toBe(".boulder/plans/new.md")
    }))
  test("a link into our folder is what it points at, also where nothing is there yet", () =>
    withProject(async (root) => {
      await mkdir(join(root, ".boulder/plans"), { recursive: true })
      await symlink("../.boulder", join(root, "src/state"))
      await symlink("../.boulder/boulder.json", join(root, "src/a.ts"))
      await symlink("a.ts", join(root, "src/b.ts"))
      await symlink("../boulder.json", join(root, ".boulder/plans/demo.md"))
      for (const path of ["src/a.ts", "src/b.ts", "src/state/boulder.json", PLAN])
        expect(await nameOf(root, path)).toBe(".boulder/boulder.json")
      await writeFile(join(root, ".boulder/boulder.json"), "{}")
      for (const path of ["src/a.ts", "src/b.ts", "src/state/boulder.json", PLAN])
        expect(await nameOf(root, path)).toBe(".boulder/boulder.json")
    }))
  test("a folder behind a link and its parent are those of the file system, too", () =>
    withProject(async (root) => {
      await mkdir(join(root, ".boulder/plans"), { recursive: true })
      await symlink("../.boulder/plans", join(root, "src/plans"))
      const path = `${root}/src/plans/../boulder.json`
      expect(await nameOf(root, path)).toBe(".boulder/boulder.json")
    }))
  test("a ring of links is no endless way", () =>
    withProject(async (root) => {
      await symlink("b", join(root, "a"))
      await symlink("a", join(root, "b"))
      expect(relative(".", await nameOf(root, "a/x"))).not.toContain(".boulder")
    }))
  test("a project that is reached by a link", () =>
    withProject(async (elsewhere) => {
      await withProject(async (root) => {
        await symlink(root, join(elsewhere, "link"))
        const given = { root: join(elsewhere, "link"), directory: root, planPath: PLAN }
        expect(await writtenName({ ...given, path: ".boulder/x" })).toBe(".boulder/x")
        expect(await writtenName({ ...given, path: "src/a.ts" })).toBe("src/a.ts")
      })
    }))
})
