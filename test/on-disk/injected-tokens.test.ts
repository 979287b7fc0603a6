import { expect, test } from "bun:test"
import { encode } from "gpt-tokenizer/encoding/o200k_base"
import { LEAD, started } from "../support/long-run-project.ts"
import { withFolder } from "../support/store-folder.ts"

const TASKS = 40

/** A plan of sections of ten tasks, each with these details below it. */
const planOf = (details: (task: number) => readonly string[]): string =>
  `# Move the shop to sessions\n\n## Context\n\nMust NOT have: a new framework.\n\n## TODOs\n\n${Array.from(
    { length: TASKS },
    (_, index) => {
      const section = index % 10 === 0 ? `### Part ${index / 10 + 1}\n\n` : ""
      const lines = details(index + 1).map((line) => `  ${line}\n`)
      return `${section}- [ ] ${index + 1}. Write the module for step ${index + 1} of the checkout\n${lines.join("")}`
    },
  ).join("\n")}`

/** As most planners write them: three lines of details a task. */
const SHORT = planOf((task) => [
  `What to do: src/checkout/step-${task}.ts with a pure function and its errors`,
  "Must not: touch the billing tables",
  "Acceptance: its test passes",
])
/** As omo's planner does. */
const FULL = planOf((task) => [
  "**What to do**:",
  `- src/checkout/step-${task}.ts with a pure function and its errors`,
  "- Validate all its inputs by the schema of docs/schema.md, and give the errors of each field",
  "- Tests for the empty cart, for one item, for many",
  "**Must NOT do**:",
  "- touch the billing tables",
  "- add a dependency",
  "**References**:",
  "- src/checkout/step-0.ts: the pattern to follow",
  "- docs/checkout.md: what each step is for",
  "**Acceptance Criteria**:",
  `- [ ] its test passes: \`bun test src/checkout/step-${task}.test.ts\``,
  "- [ ] no type error",
])

const OURS = /<boulder>\n[\s\S]*?\n<\/boulder>/g
const tokensIn = (text: string): number =>
  [...text.matchAll(OURS)].reduce((sum, [frame]) => sum + encode(frame).length, 0)

test.each([
  { plan: SHORT, with: "short details", most: 7_000 },
  { plan: FULL, with: "full details", most: 8_500 },
  { plan: SHORT, with: "a compaction at each round's end", compacts: true, most: 8_500 },
])(
  "a run of 40 tasks with $with has at most $most tokens of ours in it: start, prompts, results, saves and subagents' prompts",
  async (given) => {
    await withFolder(async (root) => {
      const { plugin, text, plan } = await started(root, given.plan, {
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
        if (!/nd this turn/.test(behind) || task === TASKS) continue
        if (given.compacts === true) {
          const properties = { sessionID: LEAD }
          await plugin.hooks.event?.({ event: { type: "session.compacted", properties } })
        }
        await plugin.fallIdle(LEAD)
      }
      for (const prompt of plugin.prompts) spent.prompts += tokensIn(prompt)
      const all = Object.values(spent).reduce((sum, tokens) => sum + tokens, 0)
      console.log(
        `    injected: ${all} tokens with ${given.with} (${JSON.stringify(spent)}), ${plugin.prompts.length} prompts`,
      )
      expect((await plan()).split("- [x]").length - 1).toBe(TASKS)
      expect(plugin.prompts.length).toBeGreaterThan(TASKS / 4)
      expect(turn).toBe(TASKS)
      expect(all).toBeLessThanOrEqual(given.most)
    })
  },
)
