// What is said under a review that rejects, of the sessions it may need, and of a rejection that stands in the plan.
import { expect, test } from "bun:test"
import { edited, WAVE } from "../support/held-row.ts"
import { LEAD, started } from "../support/long-run-project.ts"
import { ours } from "../support/our-turns.ts"
import type { PluginInProcess } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const review = (plugin: PluginInProcess, row: string, output = "VERDICT: APPROVE") =>
  plugin.delegate({ lead: LEAD, key: `final-wave:${row}`, child: `ses_${row}`, output })
const work = (plugin: PluginInProcess, output = "Done.") =>
  plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_1", output })
const REJECT = "No tests.\nVERDICT: REJECT"
const sessionOf = (row: string) => `Preferred reuse session for final-wave:${row}: ses_${row}`

test("under a rejection no reviewer's session stands: the fix is of another task, which only the lead can tell", () =>
  withFolder(async (root) => {
    const { plugin } = await started(root, WAVE, {}, ours())
    await review(plugin, "f1")
    const told = await review(plugin, "f2", REJECT)
    expect(told).toContain("Delegate the fix under the key of the task that it concerns")
    expect(told).not.toContain("Preferred reuse session")
  }))

// A session that has not read the review's own notice: the row alone tells it, and its own key would make the fixer a reviewer.
test("the rejected row says under which key its fix is delegated, to a session that has taken over too", () =>
  withFolder(async (root) => {
    const { plugin } = await started(root, WAVE, {}, ours())
    await review(plugin, "f1")
    await review(plugin, "f2", REJECT)
    const row =
      "REJECTED: first delegate the fix under the key of the task that it concerns, then this row"
    await plugin.fallIdle(LEAD)
    expect(plugin.prompts.at(-1)).toContain(row)
    expect(await plugin.startWork("ses_next", ".boulder/plans/demo.md")).toContain(row)
  }))

test("the same while another row is older than the work, of which it is not told either", () =>
  withFolder(async (root) => {
    const { plugin } = await started(root, WAVE, {}, ours())
    await review(plugin, "f1")
    await work(plugin)
    const told = await review(plugin, "f2", REJECT)
    expect(told).not.toContain("Preferred reuse session")
  }))

test("where reviews are to be run again, the session of each is named, and that of the result where there is room", () =>
  withFolder(async (root) => {
    const { plugin } = await started(root, WAVE, {}, ours())
    await review(plugin, "f1")
    await review(plugin, "f2", REJECT)
    const told = await work(plugin)
    expect(told).toContain("delegate final-wave:f1 and final-wave:f2 again")
    expect(told).toContain(
      "\nPreferred reuse session for final-wave:f1: ses_f1, for final-wave:f2: ses_f2, for todo:1: ses_1 (pass it as task_id)\n",
    )
    const half = await review(plugin, "f1")
    expect(half).toContain("delegate final-wave:f2 again")
    expect(half).toContain(sessionOf("f2"))
    expect(half).not.toContain(sessionOf("f1"))
  }))

test("the same under any other tool", () =>
  withFolder(async (root) => {
    const { plugin, plan, edit } = await started(root, WAVE, {}, ours())
    for (const row of ["f1", "f2"]) await review(plugin, row)
    await edit((await plan()).replace("[x] 1.", "[ ] 1."))
    await edited(plugin, root)
    await work(plugin)
    await edit((await plan()).replace("[ ] 1.", "[x] 1."))
    const told = await edited(plugin, root)
    expect(told).toContain("Delegate final-wave:f1 and final-wave:f2 again")
    expect(told).toContain(`${sessionOf("f1")}, for final-wave:f2: ses_f2 (pass it as task_id)`)
  }))

const IN_PLAN = WAVE.replace("- [ ] F2. Read it\n", "- [ ] F2. Read it\n  VERDICT: REJECT\n")

test("a rejection in the plan's own text outlasts a review that passes: each text says so, until it is taken out", () =>
  withFolder(async (root) => {
    const { plugin, plan, edit } = await started(root, IN_PLAN, {}, ours())
    await review(plugin, "f1")
    const told = await review(plugin, "f2")
    expect(told).toContain(
      "final-wave:f2 is back (1/3 settled): no objection. Remove the rejection that its text in the plan still states, and leave its box as it is.",
    )
    await plugin.fallIdle(LEAD)
    const shown = plugin.prompts.at(-1) ?? ""
    expect(shown).toContain(
      "  It is back without an objection. Remove the rejection that its text in the plan still states.",
    )
    expect(shown).not.toContain("REJECTED")
    expect(shown).not.toContain(sessionOf("f2"))
    await plugin.fallIdle(LEAD)
    expect(plugin.prompts.at(-1)).toContain(
      "Remove the rejection of final-wave:f2 from the plan now.",
    )
    await edit((await plan()).replace("  VERDICT: REJECT\n", ""))
    expect(await edited(plugin, root)).toContain("ask with `question`")
  }))

test("before a review has passed, the fix comes first", () =>
  withFolder(async (root) => {
    const { plugin } = await started(root, IN_PLAN, {}, ours())
    await review(plugin, "f1")
    await plugin.fallIdle(LEAD)
    expect(plugin.prompts.at(-1)).toContain(
      "REJECTED: first delegate the fix under the key of the task that it concerns, then this row",
    )
  }))
