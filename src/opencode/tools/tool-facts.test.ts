// What the orchestrator is told to go on with after a result.
import { expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { LEAD } from "../../../test/support/builders.ts"
import { planOf, ticked } from "../../../test/support/plans.ts"
import { openPlugin } from "../../../test/support/plugin-in-process.ts"
import { withFolder } from "../../../test/support/store-folder.ts"

const PLAN = planOf("Write one", "Write two")

test("behind a task that is settled by now, the session of the next one is offered", () =>
  withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, "plans/a.md"), PLAN)
    const plugin = openPlugin(root)
    await plugin.startWork(LEAD, "plans/a.md")
    await plugin.delegate({ lead: LEAD, key: "todo:2", child: "ses_two" })
    const said = await plugin.delegate({
      ...{ lead: LEAD, key: "todo:1", child: "ses_one" },
      during: () => writeFile(join(root, "plans/a.md"), ticked(PLAN, "1")),
    })
    expect(said).toContain("Preferred reuse session for todo:2: ses_two")
    await plugin.hooks.dispose?.()
  }))

test("a task that the lead has settled itself is told behind its next tool, once", () =>
  withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, "plans/a.md"), PLAN)
    const plugin = openPlugin(root)
    await plugin.startWork(LEAD, "plans/a.md")
    expect(await plugin.use(LEAD, "read")).toBe("done")
    await writeFile(join(root, "plans/a.md"), ticked(PLAN, "1"))
    expect(await plugin.use(LEAD, "read")).toContain("todo:1")
    expect(await plugin.use(LEAD, "read")).toBe("done")
    await plugin.hooks.dispose?.()
  }))
