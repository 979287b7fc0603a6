import { expect, test } from "bun:test"
import { encode } from "gpt-tokenizer/encoding/o200k_base"
import { LEAD, started } from "../support/long-run-project.ts"
import { withFolder } from "../support/store-folder.ts"

const TASKS = 40
const BUDGET = 7_000

/** A plan as planners write them: three lines of details a task, sections of ten. */
const PLAN_TEXT = `# Move the shop to sessions\n\n## Context\n\nMust NOT have: a new framework.\n\n## TODOs\n\n${Array.from(
  { length: TASKS },
  (_, index) => {
    const section = index % 10 === 0 ? `### Part ${index / 10 + 1}\n\n` : ""
    return `${section}- [ ] ${index + 1}. Write the module for step ${index + 1} of the checkout\n  What to do: src/checkout/step-${index + 1}.ts with a pure function and its errors\n  Must not: touch the billing tables\n  Acceptance: its test passes\n`
  },
).join("\n")}`

const OURS = /<boulder>\n[\s\S]*?\n<\/boulder>/g
const tokensIn = (text: string): number =>
  [...text.matchAll(OURS)].reduce((sum, [frame]) => sum + encode(frame).length, 0)

test("a run of 40 tasks has at most 7,000 tokens of ours in it: start, prompts, results, saves and subagents' prompts", async () => {
  await withFolder(async (root) => {
    const { plugin, text, plan } = await started(root, PLAN_TEXT, {
      continuation: { cooldown_seconds: 0, max_per_hour: 1_000 },
    })
    const spent = { start: tokensIn(text), prompts: 0, results: 0, saves: 0, subagents: 0 }
    let turn = 0
    for (let task = 1; task <= TASKS; task++) {
      const key = `todo:${task}`
      const child = `ses_${String(task).padStart(12, "0")}ab1c2d3e4f5g6h`
      const args = { description: key, prompt: "Do it.", subagent_type: "general" }
      const told = { tool: "task", sessionID: LEAD, callID: `call_told_${task}` }
      await plugin.hooks["tool.execute.before"]?.(told, { args })
      spent.subagents += tokensIn(args.prompt)
      await plugin.hooks.event?.({
        event: {
          type: "message.part.updated",
          properties: {
            part: {
              type: "tool",
              tool: "task",
              sessionID: LEAD,
              callID: told.callID,
              state: { status: "error", metadata: {} },
            },
          },
        } as never,
      })
      spent.results += tokensIn(await plugin.delegate({ lead: LEAD, key, child }))
      const save = { summary: "It is done and checked.", status: "complete", task: key } as never
      const context = { sessionID: LEAD, agent: "build" } as never
      const output = await plugin.hooks.tool?.["save_task_progress"]?.execute(save, context)
      spent.saves += tokensIn(String(output))
      const behind = await plugin.use(LEAD, "save_task_progress")
      spent.results += tokensIn(behind)
      turn += 1
      if (/nd this turn/.test(behind) && task < TASKS) await plugin.fallIdle(LEAD)
    }
    for (const prompt of plugin.prompts) spent.prompts += tokensIn(prompt)
    const all = Object.values(spent).reduce((sum, tokens) => sum + tokens, 0)
    console.log(
      `    injected: ${all} tokens (${JSON.stringify(spent)}), ${plugin.prompts.length} prompts`,
    )
    expect((await plan()).split("- [x]").length - 1).toBe(TASKS)
    expect(plugin.prompts.length).toBeGreaterThan(TASKS / 4)
    expect(turn).toBe(TASKS)
    expect(all).toBeLessThanOrEqual(BUDGET)
  })
})
