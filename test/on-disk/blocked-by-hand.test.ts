// What is said of a task that came back BLOCKED and is not marked so: where the agent marks the plan itself.

import { expect, test } from "bun:test"
import { LEAD, started } from "../support/long-run-project.ts"
import { ours } from "../support/our-turns.ts"
import { withFolder } from "../support/store-folder.ts"

const PLAN = "# P\n\n## TODOs\n\n- [ ] 1. A\n- [ ] 2. B\n"
const BACK = "A result is back: settle it"
const blockedAnd = (block: string) =>
  `Its last result was BLOCKED: if that still holds, ${block}, else send it back.`
const BY_HAND = blockedAnd("write `BLOCKED: why` below its row in the plan")

const rowOf = (text: string | undefined, key: string) =>
  text?.split(/^- /m).find((row) => row.startsWith(key))

test("a result that said BLOCKED is not one to settle, at a continuation and at a start", () =>
  withFolder(async (root) => {
    const byHand = { long_run: { partial_plan_updates: false } }
    const { plugin } = await started(root, PLAN, byHand, ours())
    const told = await plugin.delegate({
      lead: LEAD,
      key: "todo:2",
      child: "ses_4",
      output: "BLOCKED: the key is missing",
    })
    expect(told).toContain("Write `BLOCKED: why` below its row in the plan")
    await plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_3" })
    await plugin.fallIdle(LEAD)
    for (const text of [plugin.prompts.at(-1), await plugin.startWork(LEAD, "")]) {
      expect(rowOf(text, "todo:1")).toContain(BACK)
      expect(rowOf(text, "todo:2")).toContain(BY_HAND)
      expect(text).not.toContain("as `blocked`")
      expect(rowOf(text, "todo:2")).not.toContain(BACK)
      expect(rowOf(text, "todo:2")).toContain("Preferred reuse session for todo:2: ses_4")
    }
  }))

test("the next result that says nothing of the kind is one to settle", () =>
  withFolder(async (root) => {
    const byHand = { long_run: { partial_plan_updates: false } }
    const { plugin } = await started(root, PLAN, byHand, ours())
    const call = { lead: LEAD, key: "todo:1", child: "ses_3" }
    const told = await plugin.delegate({ ...call, output: "BLOCKED: no key" })
    expect(told).toContain("then continue with other tasks.")
    expect(told).not.toContain("Preferred reuse session")
    await plugin.delegate({ ...call, output: "Built." })
    await plugin.fallIdle(LEAD)
    expect(rowOf(plugin.prompts.at(-1), "todo:1")).toContain(BACK)
    expect(rowOf(plugin.prompts.at(-1), "todo:1")).not.toContain("BLOCKED")
  }))

test("a task that its user has unblocked is no result to settle either", () =>
  withFolder(async (root) => {
    const { plugin, plan, edit } = await started(root, PLAN, {}, ours())
    await plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_3", output: "BLOCKED: no key" })
    expect(await plan()).toContain("- [~] 1. A")
    await edit(PLAN)
    await plugin.fallIdle(LEAD)
    expect(rowOf(plugin.prompts.at(-1), "todo:1")).toContain(blockedAnd("save it as `blocked`"))
    await plugin.fallIdle(LEAD)
    expect(plugin.prompts.at(-1)).not.toContain("BLOCKED: why")
    expect(rowOf(plugin.prompts.at(-1), "todo:1")).not.toContain(BACK)
  }))
