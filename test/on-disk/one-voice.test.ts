import { expect, test } from "bun:test"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { LEAD, PLAN, started, ticked } from "../support/long-run-project.ts"
import { withFolder } from "../support/store-folder.ts"

const PLAN_TEXT =
  "# Plan\n\n## TODOs\n\n- [ ] 1. Build it\n- [ ] 2. Paint it\n\n## Final Verification Wave\n\n- [ ] F1. Review it\n"
const WARN = { orchestrator_writes: "warn" }
const OPTIONS = { ...WARN, long_run: { checkpoint_every: 1 } }

const frames = (text: string) =>
  [...text.matchAll(/<boulder>\n([\s\S]*?)\n<\/boulder>/g)].map(([, words]) => words ?? "")

test("the end of a round and a result of the same tool are one text", async () => {
  await withFolder(async (root) => {
    const { plugin, edit, plan } = await started(root, PLAN_TEXT, OPTIONS)
    await plugin.tellTokens(LEAD, 61_000)
    const result = await plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_child1" })
    expect(frames(result)).toHaveLength(1)
    expect(result).toContain("Then end this turn: your context has reached its soft limit")
    expect(result).not.toContain("Preferred reuse session")
    await edit(ticked(await plan(), 1))
    const again = await plugin.delegate({ lead: LEAD, key: "todo:2", child: "ses_child2" })
    expect(frames(again)).toHaveLength(1)
    expect(again).toMatch(/end this turn/i)
    expect(again).not.toMatch(/go on with|send it back/i)
  })
})

test("a wave that is back is asked about, whatever else the tool has ended", async () => {
  await withFolder(async (root) => {
    const { plugin, edit } = await started(root, PLAN_TEXT, OPTIONS)
    await edit(ticked(PLAN_TEXT, 1, 2))
    await plugin.tellTokens(LEAD, 61_000)
    const result = await plugin.delegate({
      lead: LEAD,
      key: "final-wave:f1",
      child: "ses_child1",
      output: "It is good.\nVERDICT: APPROVE",
    })
    expect(frames(result)).toHaveLength(1)
    expect(result).toContain("ask with `question`: header `Final wave`")
    expect(result).not.toContain("starts automatically")
    expect(result).not.toMatch(/tick its box/)
  })
})

test("a tick without any delegation is remarked on once a round", async () => {
  await withFolder(async (root) => {
    const { plugin, edit } = await started(root, PLAN_TEXT, WARN)
    await edit(ticked(PLAN_TEXT, 1))
    expect(await plugin.use(LEAD, "bash")).toContain("todo:1 was settled without a delegation")
    await edit(ticked(PLAN_TEXT, 1, 2))
    expect(await plugin.use(LEAD, "bash")).toBe("done")
  })
})

test("a task that was delegated is ticked without a remark", async () => {
  await withFolder(async (root) => {
    const { plugin, edit } = await started(root, PLAN_TEXT, WARN)
    await plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_child1" })
    await edit(ticked(PLAN_TEXT, 1))
    expect(await plugin.use(LEAD, "bash")).toBe("done")
  })
})

test("an edit of the plan that ticks is remarked on, too", async () => {
  await withFolder(async (root) => {
    const { plugin } = await started(root, PLAN_TEXT, WARN)
    await writeFile(join(root, PLAN), ticked(PLAN_TEXT, 1))
    const result = await plugin.use(LEAD, "edit", { filePath: join(root, PLAN) })
    expect(result).toContain("todo:1 was settled without a delegation")
  })
})
