import { describe, expect, test } from "bun:test"
import { mkdir, symlink, utimes, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { withFolder } from "../../../test/support/store-folder.ts"
import { findPlans } from "./find-plans.ts"

/** A search that no busy machine cuts short: how long one may take is tested by itself. */
const UNHURRIED = { ms: Number.POSITIVE_INFINITY }

/** The plans that are found among these files. */
const found = (...files: readonly string[]) =>
  withFolder(async (root) => {
    for (const file of files) {
      await mkdir(dirname(join(root, file)), { recursive: true })
      await writeFile(join(root, file), "- [ ] 1. One\n")
    }
    return (await findPlans(root, null, UNHURRIED)).paths
  })

describe("plans are found where their tools keep them", () => {
  test.each([
    { file: ".boulder/plans/a.md" },
    { file: ".omo/plans/a.md" },
    { file: ".sisyphus/plans/a.md" },
    { file: ".kiro/specs/search/tasks.md" },
    { file: "specs/001-search/tasks.md" },
    { file: "openspec/changes/add-2fa/tasks.md" },
    { file: ".planning/PLAN.md" },
    { file: ".opencode/plans/a.md" },
    { file: "docs/superpowers/plans/2026-01-01-a.md" },
    { file: "docs/plans/a.md" },
    { file: ".claude/plans/a.plan.md" },
    { file: ".cursor/plans/a.plan.md" },
    { file: "conductor/tracks/a_2026/plan.md" },
    { file: "agent-os/specs/a/tasks.md" },
    { file: ".gsd/milestones/M001/slices/S01/S01-PLAN.md" },
    { file: ".gsd/ROADMAP.md" },
    { file: "backlog/tasks/task-1 - a.md" },
    { file: ".backlog/tasks/task-1 - a.md" },
    { file: "tasks/a.md" },
    { file: "task_plan.md" },
    { file: "IMPLEMENTATION_PLAN.md" },
    { file: "PLAN.md" },
    { file: "TODO.md" },
    { file: "todo.md" },
    { file: ".planning/ROADMAP.md" },
    { file: ".swarm/plan.md" },
    { file: ".opencode/todo.md" },
    { file: "fix_plan.md" },
    { file: "@fix_plan.md" },
    { file: ".ralph/fix_plan.md" },
    { file: ".ralph/@fix_plan.md" },
    { file: "prd.json" },
    { file: ".ralph/prd.json" },
    { file: "tasks/prd.json" },
    { file: "scripts/ralph/prd.json" },
    { file: "feature_list.json" },
    { file: ".taskmaster/tasks/tasks.json" },
    { file: "tasks/tasks.json" },
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
    { file: "specs/a/notes.md", why: "another file of a spec" },
    { file: "a/specs/b/tasks.md", why: "another root" },
    { file: ".planning/node_modules/x/PLAN.md", why: "an installed package" },
    { file: "README.md", why: "any other file" },
  ])("not $file: $why", async ({ file }) => {
    expect(await found(file)).toEqual([])
  })
  test("the newest first, whatever its place", async () => {
    const files = ["specs/b/tasks.md", ".boulder/plans/a.md", "PLAN.md", ".planning/a/PLAN.md"]
    const paths = await withFolder(async (root) => {
      for (const [at, file] of files.entries()) {
        await mkdir(dirname(join(root, file)), { recursive: true })
        await writeFile(join(root, file), "- [ ] 1. One\n")
        await utimes(join(root, file), 1_000, 2_000_000_000 - at)
      }
      return (await findPlans(root, null, UNHURRIED)).paths
    })
    expect(paths).toEqual(files)
  })
  test("none in an empty folder, and none where there is no folder", async () => {
    expect(await found()).toEqual([])
    expect((await findPlans("/nonexistent/root", null, UNHURRIED)).paths).toEqual([])
  })
  test("a folder called like a plan is none, and a file where a folder is looked for does no harm", async () => {
    expect(await found(".boulder/plans/a.md/x.txt", "specs")).toEqual([])
  })
  test("links that lead out of the root or in a circle give nothing", async () => {
    const paths = await withFolder(async (root) => {
      await mkdir(join(root, ".planning/a"), { recursive: true })
      await mkdir(join(root, ".boulder/plans"), { recursive: true })
      await symlink(join(root, ".planning"), join(root, ".planning/a/circle"))
      await symlink("/etc/hostname", join(root, ".boulder/plans/out.md"))
      return (await findPlans(root, null, UNHURRIED)).paths
    })
    expect(paths).toEqual([])
  })
  test("a link to a folder or a file inside the project is the same plan by either path", async () => {
    const paths = await withFolder(async (root) => {
      await mkdir(join(root, "docs/plans"), { recursive: true })
      await mkdir(join(root, ".omo"), { recursive: true })
      await mkdir(join(root, "specs"), { recursive: true })
      await mkdir(join(root, "elsewhere/search"), { recursive: true })
      await writeFile(join(root, "docs/plans/a.md"), "- [ ] 1. One\n")
      await writeFile(join(root, "elsewhere/search/tasks.md"), "- [ ] 1. One\n")
      await symlink("../docs/plans", join(root, ".omo/plans"))
      await symlink(join(root, "docs/plans/a.md"), join(root, "PLAN.md"))
      await symlink(join(root, "elsewhere/search"), join(root, "specs/search"))
      return (await findPlans(root, null, UNHURRIED)).paths
    })
    expect([...paths].sort()).toEqual(["docs/plans/a.md", "elsewhere/search/tasks.md"])
  })
  test("no folder that .gitignore names is led into; a place that is named whole is looked at", async () => {
    const paths = await withFolder(async (root) => {
      const files = [
        "specs/build/tasks.md",
        "specs/kept/tasks.md",
        ".planning/tmp/PLAN.md",
        ".omo/plans/a.md",
        "specs/whole/tasks.md",
        "specs/glob-1/tasks.md",
        "conductor/tracks/whole/plan.md",
      ]
      for (const file of files) {
        await mkdir(dirname(join(root, file)), { recursive: true })
        await writeFile(join(root, file), "- [ ] 1. One\n")
      }
      const ignored = "# build\nbuild/\r\ntmp\nkept\n!kept\n.omo/\n*.md\n/specs/whole/\nglob-*/\n"
      await writeFile(join(root, ".gitignore"), ignored)
      return (await findPlans(root, null, UNHURRIED)).paths
    })
    expect([...paths].sort()).toEqual([
      ".omo/plans/a.md",
      "conductor/tracks/whole/plan.md",
      "specs/kept/tasks.md",
    ])
  })
  test("no further than the limits: entries, time, plans", async () => {
    await withFolder(async (root) => {
      for (const folder of [".boulder/plans", ".planning/a", ".planning/b"]) {
        await mkdir(join(root, folder), { recursive: true })
        for (let at = 0; at < 10; at++)
          await writeFile(join(root, `${folder}/${at}-PLAN.md`), "- [ ] 1. One\n")
      }
      await writeFile(join(root, "PLAN.md"), "- [ ] 1. One\n")
      const limits = { entries: 2_000, ms: 60_000, plans: 500 }
      expect((await findPlans(root, null, limits)).paths).toHaveLength(31)
      expect((await findPlans(root, null, { ...limits, entries: 11 })).paths).toHaveLength(10)
      expect((await findPlans(root, null, { ...limits, plans: 7 })).paths).toHaveLength(7)
      // However slow the machine is: our own folder is read to its end.
      const late = await findPlans(root, null, { ...limits, ms: -1 })
      expect(late.isCut).toBe(true)
      expect(late.paths.filter((path) => path.startsWith(".boulder/"))).toHaveLength(10)
      expect(late.paths).toHaveLength(10)
    })
  })
  test("a full folder hides no other place", async () => {
    const full = Array.from({ length: 40 }, (_, index) => `.boulder/plans/${index}.md`)
    await withFolder(async (root) => {
      for (const path of [...full, "conductor/tracks/pond/plan.md"]) {
        await mkdir(join(root, path, ".."), { recursive: true })
        await writeFile(join(root, path), "- [ ] 1. One\n")
      }
      const limits = { entries: 20, ms: 60_000, plans: 500 }
      expect((await findPlans(root, null, limits)).paths).toContain("conductor/tracks/pond/plan.md")
    })
  })
  test("time is asked for before each plan, not only before each folder", async () => {
    await withFolder(async (root) => {
      for (let at = 0; at < 300; at++) await mkdir(join(root, `specs/${at}`), { recursive: true })
      await writeFile(join(root, "PLAN.md"), "- [ ] 1. One\n")
      expect(await findPlans(root, null, { ms: -1 })).toEqual({ paths: [], isCut: true })
    })
  })
  test("at most 2,000 entries, half of what is left in one folder", async () => {
    await withFolder(async (root) => {
      await mkdir(join(root, "docs/plans"), { recursive: true })
      for (let at = 0; at < 2_100; at++) await writeFile(join(root, `docs/plans/${at}.md`), "")
      const { paths, isCut } = await findPlans(root, null, { ms: 60_000, plans: 5_000 })
      expect(paths.length).toBeGreaterThan(990)
      expect(paths.length).toBeLessThan(1_010)
      expect(isCut).toBe(true)
    })
  })
  test("a full folder of another tool hides none of our own, nor a file that is named whole", async () => {
    await withFolder(async (root) => {
      for (let at = 0; at < 40; at++) await mkdir(join(root, `specs/${at}`), { recursive: true })
      for (let at = 0; at < 40; at++)
        await mkdir(join(root, `conductor/tracks/${at}`), { recursive: true })
      await mkdir(join(root, ".boulder/plans"), { recursive: true })
      const own = Array.from({ length: 9 }, (_, at) => `.boulder/plans/${at}.md`)
      for (const path of [...own, "PLAN.md"]) await writeFile(join(root, path), "- [ ] 1. One\n")
      const { paths, isCut } = await findPlans(root, null, { entries: 20, ms: 60_000 })
      expect([...paths].sort()).toEqual([...own, "PLAN.md"])
      expect(isCut).toBe(true)
    })
  })
  test("nothing is said to be cut where all was looked at", async () => {
    expect(await withFolder((root) => findPlans(root, null, { ms: 60_000 }))).toEqual({
      paths: [],
      isCut: false,
    })
  })
  test("at most 500", async () => {
    const many = Array.from({ length: 520 }, (_, index) => `.boulder/plans/${1_000 + index}.md`)
    const paths = await found(...many)
    expect(paths).toHaveLength(500)
  })
})
