// What a lead reads under a result once its work was stopped from elsewhere, or its plan emptied, while the subagent
// worked: no order to work on a plan that nobody carries on, and of an empty plan nothing is said to be settled.
import { expect, test } from "bun:test"
import { runInFolder } from "../support/cli-in-process.ts"
import { inSections, LEAD, started } from "../support/long-run-project.ts"
import { withFolder } from "../support/store-folder.ts"

test.each([
  { what: "a result", output: "done" },
  { what: "a block", output: "BLOCKED: no key" },
])("the work was stopped in a terminal: $what is the last one of this turn", ({ output }) =>
  withFolder(async (root) => {
    const { plugin, work } = await started(root, inSections(3))
    const call = { lead: LEAD, key: "todo:1", child: "ses_child", output }
    const during = () => runInFolder(root, "stop")
    const said = await plugin.delegate({ ...call, during })
    expect((await work()).task_sessions["todo:1"]?.session_id).toBe("ses_child")
    expect(said.toLowerCase()).toContain("end this turn: the work was stopped.")
    expect(said).not.toContain("ontinue with")
    expect(said).not.toContain("ses_child")
  }),
)

test("the plan was emptied: nothing is said to be settled", () =>
  withFolder(async (root) => {
    const { plugin, edit } = await started(root, inSections(3))
    const during = () => edit("# Plan\n")
    const said = await plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_child", during })
    expect(said).toContain("end this turn: the plan has no task.")
  }))
