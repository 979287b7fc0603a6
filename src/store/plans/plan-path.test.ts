import { describe, expect, test } from "bun:test"
import { mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { runInFolder } from "../../../test/support/cli-in-process.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import { findPlans } from "./find-plans.ts"
import { openPlanFiles } from "./plan-files.ts"
import { planInRoot } from "./plan-path.ts"
import { markTaskInPlan } from "./write-plan.ts"

const PLAN = "## TODOs\n\n- [ ] 1. One\n- [x] 2. Two\n"
const NAME = "plans/demo.md"

/** Runs in a fresh root with a plan in `plans`, beside a folder that is outside. */
function withPlan<Result>(
  run: (root: string, outside: string) => Promise<Result>,
): Promise<Result> {
  return withFolder((outside) =>
    withFolder(async (root) => {
      await mkdir(join(root, "plans"))
      await writeFile(join(root, NAME), PLAN)
      return run(root, outside)
    }),
  )
}

const mark = async (root: string, path: string) => {
  const reading = await openPlanFiles({ root, now: Date.now }).read(path)
  const task = reading.kind === "read" ? reading.plan.tasks[0] : undefined
  const { key, titleHash } = task ?? { key: "todo:1", titleHash: "" }
  return markTaskInPlan(root, path, { key, titleHash, state: "done", note: null })
}

const LEADS_OUT = "it is behind a link that points outside the project"

/** How a plan that is being carried out can come to lie outside. */
const WAYS_OUT = [
  {
    way: "the file becomes a link",
    go: async (root: string, outside: string) => {
      await rename(join(root, NAME), join(outside, "demo.md"))
      await symlink(join(outside, "demo.md"), join(root, NAME))
    },
  },
  {
    way: "its folder becomes a link",
    go: async (root: string, outside: string) => {
      await rename(join(root, "plans"), join(outside, "plans"))
      await symlink(join(outside, "plans"), join(root, "plans"))
    },
  },
] as const

describe.each(WAYS_OUT)("a running plan of which $way out of the project", ({ go }) => {
  test("is not read, with the reading of before in memory or without", () =>
    withPlan(async (root, outside) => {
      const plans = openPlanFiles({ root, now: () => Date.now() + 60_000 })
      const before = await plans.read(NAME)
      expect([before.kind, plans.keptHash(NAME)]).toEqual(["read", expect.any(String)])
      await go(root, outside)
      const refused = {
        kind: "unavailable",
        message: `Expected a plan at ${NAME}; ${LEADS_OUT}: put the file itself there.`,
      } as const
      expect(await plans.read(NAME)).toEqual(refused)
      expect(await openPlanFiles({ root, now: Date.now }).read(NAME)).toEqual(refused)
      expect(plans.keptHash(NAME)).toBeNull()
    }))

  test("is not marked", () =>
    withPlan(async (root, outside) => {
      await go(root, outside)
      expect(await mark(root, NAME)).toEqual({
        kind: "refused",
        message: `Expected a plan at ${NAME}; ${LEADS_OUT}: put the file itself there.`,
      })
      const kept = await readFile(join(root, NAME), "utf8")
      expect(kept).toBe(PLAN)
    }))

  test("is not found", () =>
    withPlan(async (root, outside) => {
      await mkdir(join(root, ".boulder"))
      await rename(join(root, "plans"), join(root, ".boulder", "plans"))
      await symlink(".boulder/plans", join(root, "plans"))
      expect((await findPlans(root, null)).paths).toEqual([".boulder/plans/demo.md"])
      await rm(join(root, "plans"))
      await rename(join(root, ".boulder", "plans"), join(root, "plans"))
      await go(root, outside)
      await symlink(join(root, "plans"), join(root, ".boulder", "plans"))
      expect((await findPlans(root, null)).paths).toEqual([])
    }))
})

test("a file that a person names is shown, also behind a link out of the project, and not written there", () =>
  withPlan(async (root, outside) => {
    await rename(join(root, NAME), join(outside, "demo.md"))
    await symlink(join(outside, "demo.md"), join(root, NAME))
    const { out } = await runInFolder(root, `plan ${NAME}`)
    expect(out).toContain("1/2 settled")
    const text = "# A plan\n\n## Steps\n\n1. One\n2. Two\n"
    await writeFile(join(outside, "demo.md"), text)
    await expect(runInFolder(root, `plan ${NAME} --add-boxes 5-6`)).rejects.toThrow("behind a link")
    expect(await readFile(join(outside, "demo.md"), "utf8")).toBe(text)
  }))

describe("a plan folder behind a link inside the project", () => {
  const withLink = <Result>(run: (root: string) => Promise<Result>) =>
    withPlan(async (root) => {
      await mkdir(join(root, ".boulder"))
      await symlink("../plans", join(root, ".boulder", "plans"))
      return run(root)
    })

  test("is the same plan by either path: read, marked, found and asked for by the real one", () =>
    withLink(async (root) => {
      const plans = openPlanFiles({ root, now: Date.now })
      expect((await findPlans(root, null)).paths).toEqual([NAME])
      expect(await plans.inRoot(".boulder/plans/demo.md")).toBe(NAME)
      expect(await planInRoot(root, ".boulder/plans/demo.md")).toEqual({
        path: NAME,
        file: join(root, NAME),
      })
      const byLink = await plans.read(".boulder/plans/demo.md")
      const byName = await plans.read(NAME)
      expect(byLink).toEqual(byName)
      expect((await mark(root, ".boulder/plans/demo.md")).kind).toBe("marked")
      expect(await readFile(join(root, NAME), "utf8")).toContain("- [x] 1. One")
    }))
})
