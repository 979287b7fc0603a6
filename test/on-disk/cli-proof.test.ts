import { describe, expect, test } from "bun:test"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { columnsOf } from "../../src/cli/views/columns.ts"
import { LEAD, NOW } from "../support/builders.ts"
import { runInFolder } from "../support/cli-in-process.ts"
import { ticked } from "../support/plans.ts"
import { openPlugin } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const PLAN = "plans/demo.md"
const TEXT = `## TODOs
- [ ] 1. Add the form
  Verify: \`npm test -- form\`
- [ ] 2. Add the route
  Verify: \`npm test -- route\`
- [ ] 3. Add the page
  Verify: \`npm test -- page\`
- [ ] 4. Write about it
`

/** A work of which the first task is proven, the second has failed, and the third is open. */
function inWork(run: (cli: (line: string, columns?: number) => Promise<string>) => Promise<void>) {
  return withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, PLAN), TEXT)
    const plugin = openPlugin(root, { now: () => NOW })
    await plugin.startWork(LEAD, PLAN)
    const during = () => plugin.bash("ses_child", "npm test -- form")
    await plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_child", during })
    await plugin.bash(LEAD, "npm test -- route", 1)
    await writeFile(
      join(root, PLAN),
      ["1", "2"].reduce(ticked, await readFile(join(root, PLAN), "utf8")),
    )
    await plugin.use(LEAD, "edit", { filePath: PLAN })
    await plugin.hooks.dispose?.()
    await run(async (line, columns = 80) => (await runInFolder(root, line, { columns })).out)
  })
}

describe("proof", () => {
  test("before the first tick nothing is counted", () =>
    withFolder(async (root) => {
      await mkdir(join(root, "plans"))
      await writeFile(join(root, PLAN), TEXT)
      const plugin = openPlugin(root, { now: () => NOW })
      await plugin.startWork(LEAD, PLAN)
      await plugin.hooks.dispose?.()
      expect((await runInFolder(root, "proof", { columns: 80 })).out).toStartWith(
        "demo: no task with a check is ticked yet; 1 without a check\n",
      )
    }))

  test("every task with its tier, its check, and the run", () =>
    inWork(async (cli) => {
      expect(
        await cli("proof"),
      ).toBe(`demo: 1 of 2 ticked tasks with checks are proven; 1 without a check

proven      todo:1 Add the form
    \`npm test -- form\` ended with 0
    last run 0 s ago in ses_child
failed      todo:2 Add the route
    \`npm test -- route\` last ended with 1
    last run 0 s ago in ${LEAD}
open        todo:3 Add the page
    check: npm test -- page
`)
    }))

  test("a plan without checks has nothing to prove, and how to name one", () =>
    withFolder(async (root) => {
      await mkdir(join(root, "plans"))
      await writeFile(join(root, PLAN), "## TODOs\n- [ ] 1. Add the form\n- [ ] 2. Add the page\n")
      await openPlugin(root, { now: () => NOW }).startWork(LEAD, PLAN)
      expect((await runInFolder(root, "proof", { columns: 80 })).out).toBe(
        "demo: no task of its plan names a check, such as: Verify: `npm test`\n",
      )
    }))

  test("to a program", () =>
    inWork(async (cli) => {
      const { version, counts, tasks } = JSON.parse(await cli("proof demo --json"))
      expect({ version, counts }).toEqual({
        version: 1,
        counts: { ticked: 2, proven: 1, without: 1 },
      })
      expect(tasks).toMatchObject([
        { key: "todo:1", tier: "proven", run: { exit: 0, session: "ses_child" }, changed: null },
        { key: "todo:2", tier: "failed", check: "npm test -- route", run: { exit: 1 } },
        { key: "todo:3", tier: null, checks: [{ command: "npm test -- page", line: 7 }] },
        { key: "todo:4", tier: null, checks: [] },
      ])
    }))

  test("no line is longer than the terminal is wide", () =>
    inWork(async (cli) => {
      for (const line of (await cli("proof", 40)).split("\n"))
        expect(columnsOf(line)).toBeLessThanOrEqual(40)
    }))
})

describe("elsewhere", () => {
  test("works <plan> shows the tier of each task", () =>
    inWork(async (cli) => {
      const out = await cli("works demo")
      expect(out).toContain("done        todo:1 Add the form (proven)")
      expect(out).toContain("done        todo:2 Add the route (failed)")
      expect(out).toContain("open        todo:3 Add the page\n")
      expect(JSON.parse(await cli("works demo --json")).plan_tasks).toMatchObject([
        { key: "todo:1", tier: "proven" },
        { key: "todo:2", tier: "failed" },
        { key: "todo:3", tier: null },
        { key: "todo:4", tier: null },
      ])
    }))

  test("status counts what is proven, and names what is not", () =>
    inWork(async (cli) => {
      expect(await cli("status")).toContain("proof: 1 of 2 ticked tasks with checks; todo:2 failed")
      expect(JSON.parse(await cli("status --json")).works[0].proof).toEqual({
        ticked: 2,
        proven: 1,
        unproven: [{ key: "todo:2", tier: "failed" }],
      })
    }))

  test("plan --json gives each task of a work its tier", () =>
    inWork(async (cli) => {
      const { tasks } = JSON.parse(await cli("plan plans/demo.md --json"))
      expect(tasks.map(({ tier }: { tier?: string }) => tier ?? null)).toEqual([
        "proven",
        "failed",
        null,
        null,
      ])
    }))

  test("report has the tier beside the state", () =>
    inWork(async (cli) => {
      const page = await cli("report")
      expect(page).toContain("done, proven")
      expect(page).toContain("done, failed")
    }))
})
