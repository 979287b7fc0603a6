import { expect, test } from "bun:test"
import { mkdir, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { LEAD } from "../../../test/support/builders.ts"
import { planOf, ticked } from "../../../test/support/plans.ts"
import { openPlugin } from "../../../test/support/plugin-in-process.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import { findPlans } from "../../store/plans/find-plans.ts"

/** The answer to `/start-work request` if these plans are found. Those called `done` are complete. */
const answer = (request: string, paths: readonly string[], isCut = false) =>
  withFolder(async (root) => {
    for (const path of paths) {
      await mkdir(dirname(join(root, path)), { recursive: true })
      const plan = planOf("Write a")
      await writeFile(join(root, path), path.includes("done") ? ticked(plan, "1") : plan)
    }
    const plugin = openPlugin(root, { planPaths: async () => ({ paths, isCut }) })
    const text = await plugin.startWork(LEAD, request)
    await plugin.hooks.dispose?.()
    return text
  })

test("of several plans the user is asked for one, each by a line that starts it", async () => {
  const text = await answer("", ["plans/a.md", "plans/b.md", "docs/b.md", "plans/v1.md.md"])
  expect(text).toContain(
    [
      "Which plan? Name one:",
      "/start-work a",
      "/start-work plans/b.md",
      "/start-work docs/b.md",
      "/start-work plans/v1.md.md",
    ].join("\n"),
  )
})

test("a plan that is complete is not listed as one to start, unless all are", async () => {
  const some = await answer("", ["plans/a.md", "plans/done-1.md", "plans/b.md", "plans/done-2.md"])
  expect(some).toContain(
    "Which plan? Name one:\n/start-work a\n/start-work b\n2 more are complete\n",
  )
  expect(await answer("other", ["plans/done.md"])).toContain(
    "Plans here:\n/start-work done\nall are complete\n",
  )
})

test("without a name, the only plan that is not complete is started", async () => {
  const text = await answer("", ["plans/done-1.md", "plans/a.md", "plans/done-2.md"])
  expect(text).toContain("Start the plan a")
})

const OLD = ".sisyphus/plans/old.md"
const OMO = {
  active_plan: OLD,
  started_at: "2026-01-01T00:00:00.000Z",
  session_ids: ["ses_old"],
  plan_name: "old",
}

test.each([
  { what: "finished", plan: ticked(planOf("Write a"), "1"), isOmo: true },
  { what: "gone", plan: null, isOmo: true },
  { what: "finished by hand", plan: ticked(planOf("Write a"), "1"), isOmo: false },
  { what: "gone", plan: null, isOmo: false },
])("a work whose plan is $what does not stand before the only open plan ($isOmo)", (old) =>
  withFolder(async (root) => {
    const put = async (path: string, text: string) => {
      await mkdir(dirname(join(root, path)), { recursive: true })
      await writeFile(join(root, path), text)
    }
    const plugin = openPlugin(root, { planPaths: (boulder) => findPlans(root, boulder) })
    if (old.isOmo) await put(".sisyphus/boulder.json", JSON.stringify(OMO))
    else {
      await put(OLD, planOf("Write a"))
      await plugin.startWork(LEAD, "old")
      await plugin.command(LEAD, "stop-work")
    }
    if (old.plan === null) await rm(join(root, OLD), { force: true })
    else await put(OLD, old.plan)
    await put(".boulder/plans/new.md", planOf("Draw x"))
    expect(await plugin.startWork("ses_other", "")).toContain("Start the plan new")
    await plugin.hooks.dispose?.()
  }),
)

test.each([
  { what: "cannot be read", spoil: (file: string) => writeFile(file, "\0"), session: "ses_other" },
  { what: "is on another branch", spoil: (file: string) => rm(file), session: LEAD },
])("another plan is not begun for a work whose plan $what", ({ spoil, session }) =>
  withFolder(async (root) => {
    await mkdir(join(root, "docs/plans"), { recursive: true })
    for (const name of ["mine", "other"])
      await writeFile(join(root, `docs/plans/${name}.md`), planOf("Write a"))
    const plugin = openPlugin(root, { planPaths: (boulder) => findPlans(root, boulder) })
    await plugin.startWork(LEAD, "mine")
    await spoil(join(root, "docs/plans/mine.md"))
    expect(await plugin.startWork(session, "")).toContain("Expected a plan at docs/plans/mine.md")
    await plugin.hooks.dispose?.()
  }),
)

test("where there is no plan, it says where to put one", async () => {
  const text = await answer("", [])
  expect(text).toContain("No plan was found. Put one at .boulder/plans/")
  expect(text).not.toContain("Plans here:")
})

test("a name that no plan has is answered with those that there are", async () => {
  const text = await answer("other", ["plans/a.md"], true)
  expect(text).toContain("Expected a plan called other, found none.\nPlans here:\n/start-work a")
  expect(text).toContain("This folder is too large to search all of it")
})

test("the person is told it in one line that reads as sentences", () =>
  withFolder(async (root) => {
    const paths = ["plans/a.md", "plans/b.md"]
    const plugin = openPlugin(root, { planPaths: async () => ({ paths, isCut: false }) })
    await plugin.startWork(LEAD, "other")
    expect(plugin.toasts).toEqual([
      "Expected a plan called other, found none. Plans here: /start-work a, /start-work b",
    ])
    await plugin.hooks.dispose?.()
  }))
