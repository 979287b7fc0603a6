import { describe, expect, test } from "bun:test"
import { runInFolder } from "../support/cli-in-process.ts"
import { inSections, LEAD, PLAN, started, ticked } from "../support/long-run-project.ts"
import { withFolder } from "../support/store-folder.ts"

const CEILING = { continuation: { cooldown_seconds: 0, max_cost_per_work: 1.5 } }
const plan = inSections(12)

describe("the cost of a work", () => {
  test("is that of its lead session, its subagents and its rounds, each answer once", () =>
    withFolder(async (root) => {
      const { plugin, work } = await started(root, plan)
      await plugin.tellTokens(LEAD, 10_000, 0.25)
      await plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_child" })
      await plugin.tellTokens("ses_child", 4_000, 0.5)
      await plugin.tellTokens("ses_child", 3_000)
      await plugin.tellTokens("ses_stranger", 50_000, 7)
      await plugin.fallIdle(LEAD)
      await plugin.fallIdle(LEAD)
      const { cost, task_sessions } = await work()
      expect(cost).toEqual({
        usd: 0.75,
        unpriced_tokens: 3_000,
        lead: { usd: 0.25, unpriced_tokens: 0 },
        since_usd: 0,
        ceiling_usd: null,
        rounds: [{ number: 1, usd: 0.75, unpriced_tokens: 3_000 }],
      })
      expect(task_sessions["todo:1"]?.cost).toEqual({ usd: 0.5, unpriced_tokens: 3_000 })
    }))

  test("of a task is its own where its subagent speaks before the call is back", () =>
    withFolder(async (root) => {
      const { plugin, work } = await started(root, plan)
      const call = { tool: "task", sessionID: LEAD, callID: "call_a" }
      const args = { description: "todo:1", prompt: "do it", subagent_type: "general" }
      await plugin.hooks["tool.execute.before"]?.(call, { args })
      const part = {
        type: "tool",
        tool: "task",
        sessionID: LEAD,
        callID: "call_a",
        state: { status: "running", input: args, metadata: { sessionId: "ses_child" } },
      }
      const event = { type: "message.part.updated", properties: { part } }
      await plugin.hooks.event?.({ event: event as never })
      await plugin.tellTokens("ses_child", 4_000, 0.5)
      // A look that another delegation brings with it.
      await plugin.delegate({ lead: LEAD, key: "todo:2", child: "ses_other" })
      expect((await work()).dispatches["call_a"]?.cost?.usd).toBe(0.5)
      await plugin.tellTokens("ses_child", 4_000, 0.25)
      const output = { title: "", output: "did it", metadata: { sessionId: "ses_child" } }
      await plugin.hooks["tool.execute.after"]?.({ ...call, args }, output)
      expect((await work()).task_sessions["todo:1"]?.cost?.usd).toBe(0.75)
    }))
})

describe("the ceiling of dollars", () => {
  test("pauses the work with the figures, and a start gives a fresh budget", () =>
    withFolder(async (root) => {
      const { plugin, work } = await started(root, plan, CEILING)
      await plugin.tellTokens(LEAD, 10_000, 1.25)
      await plugin.fallIdle(LEAD)
      expect((await work()).status).toBe("active")
      await plugin.tellTokens(LEAD, 10_000, 0.5)
      await plugin.fallIdle(LEAD)
      expect(await work()).toMatchObject({
        pause_reason: "budget-spent",
        spent_budget: { of: "dollars", used: 1.75, limit: 1.5 },
      })
      expect(plugin.toasts.at(-1)).toContain("its budget is spent ($1.75 of $1.50)")
      const { out } = await runInFolder(root, "status")
      expect(out).toContain("cost: $1.75, ceiling $1.50")
      await plugin.startWork(LEAD, PLAN)
      expect(await work()).toMatchObject({ status: "active", cost: { usd: 1.75, since_usd: 1.75 } })
      for (const command of ["cost", "status"])
        expect((await runInFolder(root, command)).out.replace(/\s+/g, " ")).toContain(
          "$1.75, $0.00 of it since the budget was made fresh, ceiling $1.50",
        )
    }))

  test("holds up no work whose cost nobody knows, and says that it is unknown", () =>
    withFolder(async (root) => {
      const { plugin, work } = await started(root, plan, CEILING)
      await plugin.tellTokens(LEAD, 10_000)
      await plugin.fallIdle(LEAD)
      expect((await work()).status).toBe("active")
      const { out } = await runInFolder(root, "status")
      expect(out).toContain("cost: unknown (10,000 tokens without a price), ceiling $1.50")
      expect(out).not.toContain("$0")
    }))
})

describe("opencode-boulder cost", () => {
  test("shows a work, its tasks and rounds, and what the plan will have cost, with its basis", () =>
    withFolder(async (root) => {
      const { plugin, edit } = await started(root, plan)
      for (const number of [1, 2, 3]) {
        await plugin.delegate({ lead: LEAD, key: `todo:${number}`, child: `ses_child${number}` })
        await plugin.tellTokens(`ses_child${number}`, 4_000, 0.5)
      }
      await plugin.tellTokens(LEAD, 4_000, 0.3)
      await edit(ticked(plan, 1, 2))
      await plugin.fallIdle(LEAD)
      const early = await runInFolder(root, "cost")
      expect(early.out).toContain("$1.80")
      expect(early.out).toContain("not known until 3 tasks with a known price are settled")
      await edit(ticked(plan, 1, 2, 3))
      await plugin.fallIdle(LEAD)
      const { out } = await runInFolder(root, "cost")
      expect(out).toContain("about $7.20")
      expect(out).toContain("3 settled tasks")
      expect(out).toMatch(/todo:1 .*\$0\.50/)
      const { out: json } = await runInFolder(root, "cost --json")
      expect(JSON.parse(json)).toMatchObject({
        works: [
          {
            usd: 1.8,
            unpriced_tokens: 0,
            lead: { usd: 0.3 },
            elsewhere: { usd: 0 },
            tasks: [{ task: "todo:1", usd: 0.5 }, { task: "todo:2" }, { task: "todo:3" }],
            rounds: [{ number: 1, usd: 1.8 }],
            projection: { usd: 7.2, settled_tasks: 3, usd_a_task: 0.6, tasks_left: 9 },
          },
        ],
      })
    }))

  test("what the plan will have cost counts tasks that the lead has settled itself", () =>
    withFolder(async (root) => {
      const long = inSections(20)
      const { plugin, edit } = await started(root, ticked(long, 19, 20))
      for (const number of [1, 2, 3]) {
        await plugin.delegate({ lead: LEAD, key: `todo:${number}`, child: `ses_child${number}` })
        await plugin.tellTokens(`ses_child${number}`, 4_000, 1)
      }
      await plugin.tellTokens(LEAD, 36_000, 9)
      await edit(ticked(long, ...Array.from({ length: 12 }, (_, index) => index + 1), 19, 20))
      await plugin.fallIdle(LEAD)
      const { out } = await runInFolder(root, "cost --json")
      expect(JSON.parse(out).works[0]).toMatchObject({
        usd: 12,
        projection: { usd: 18, usd_a_task: 1, settled_tasks: 12, tasks_left: 6 },
      })
    }))

  test("and is said where nothing was delegated", () =>
    withFolder(async (root) => {
      const { plugin, edit } = await started(root, plan)
      await plugin.tellTokens(LEAD, 20_000, 5)
      await edit(ticked(plan, 1, 2, 3, 4, 5))
      await plugin.fallIdle(LEAD)
      expect((await runInFolder(root, "cost")).out).toContain("about $12.00 (5 settled tasks")
    }))

  test("says unknown where no answer had a price, and null in JSON", () =>
    withFolder(async (root) => {
      const { plugin } = await started(root, plan)
      await plugin.tellTokens(LEAD, 10_000)
      await plugin.fallIdle(LEAD)
      const { out } = await runInFolder(root, "cost")
      expect(out).toContain("unknown (10,000 tokens without a price)")
      expect(out).not.toContain("$0")
      const { out: json } = await runInFolder(root, "cost --json")
      expect(JSON.parse(json).works[0]).toMatchObject({
        usd: null,
        unpriced_tokens: 10_000,
        projection: null,
      })
    }))

  test.each(["cost", "status", "works", "works demo"])(
    "%s --json has no dollars where no answer had a price",
    (line) =>
      withFolder(async (root) => {
        const { plugin, edit } = await started(root, plan)
        await plugin.tellTokens(LEAD, 10_000)
        await plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_child" })
        await plugin.tellTokens("ses_child", 4_000)
        await edit(ticked(plan, 1))
        await plugin.fallIdle(LEAD)
        const { out } = await runInFolder(root, `${line} --json`)
        const dollars = new Set<unknown>()
        JSON.parse(out, (_, value) => {
          if (value?.unpriced_tokens > 0) dollars.add(value.usd).add(value.since_usd ?? null)
          return value
        })
        expect([...dollars]).toEqual([null])
      }),
  )

  test.each([
    { name: "none", priced: 0, usd: null, said: "unknown (4 answers without usage figures)" },
    {
      name: "one",
      priced: 0.5,
      usd: 0.5,
      said: "at least $0.50 (and 3 answers without usage figures)",
    },
  ])(
    "what a provider that tells no usage has cost is unknown, never 0 ($name has a price)",
    ({ priced, usd, said }) =>
      withFolder(async (root) => {
        const { plugin, edit, work } = await started(root, plan)
        await plugin.tellTokens(LEAD, 0)
        await plugin.tellTokens(LEAD, priced * 1_000, priced)
        for (const label of [1, 2])
          await plugin.delegate({
            ...{ lead: LEAD, key: `todo:${label}`, child: `ses_${label}` },
            during: () => plugin.tellTokens(`ses_${label}`, 0),
          })
        await edit(ticked(plan, 1, 2))
        await plugin.fallIdle(LEAD)
        const { out } = await runInFolder(root, "cost")
        expect(out).toContain(`demo: ${said}`)
        expect(out).toMatch(/todo:2 .*unknown \(1 answer without usage figures\)/)
        expect(out).not.toMatch(/\$0\.00|nothing yet/)
        const { out: json } = await runInFolder(root, "cost --json")
        const untold = { usd: null, unpriced_tokens: 0, unknown_answers: 1 }
        expect(JSON.parse(json).works[0]).toMatchObject({
          ...{ usd, unpriced_tokens: 0, unknown_answers: priced === 0 ? 4 : 3 },
          lead: { usd, unknown_answers: priced === 0 ? 2 : 1 },
          elsewhere: { usd: 0, unknown_answers: 0 },
          tasks: [untold, untold],
          rounds: [{ usd }],
        })
        expect((await runInFolder(root, "status")).out).toContain(`cost: ${said}`)
        const { out: status } = await runInFolder(root, "status --json")
        expect(JSON.parse(status).works[0].cost).toMatchObject({ usd, rounds: [{ usd }] })
        expect((await runInFolder(root, "report")).out).toContain(said)
        expect((await work()).status).toBe("active")
      }),
  )

  test("a work that is not there is refused; without any, it says how to start", () =>
    withFolder(async (root) => {
      expect((await runInFolder(root, "cost")).out).toContain("No work was started here yet")
      await started(root, plan)
      await expect(runInFolder(root, "cost nothing")).rejects.toThrow(
        "Expected a plan called nothing",
      )
    }))
})
