import { afterEach, expect, test } from "bun:test"
import { runInFolder } from "../support/cli-in-process.ts"
import { type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { orchestratorScript } from "../support/orchestrator.ts"
import { planOf } from "../support/plans.ts"
import { untilWork, workOn } from "../support/work-on-disk.ts"

const PLAN = ".boulder/plans/demo.md"
const CEILING = 0.05

let host: OpencodeHost
afterEach(() => host.stop())

/** What these sessions have cost by the host's own messages, in US dollars to the millionth. */
async function costOf(sessions: readonly string[]): Promise<number> {
  const messages = (await Promise.all(sessions.map((id) => host.messages(id)))).flat()
  const costs = messages.map(({ info }) => (info.role === "assistant" ? info.cost : 0))
  return Math.round(costs.reduce((sum, cost) => sum + cost, 0) * 1e6) / 1e6
}

test.each([
  { name: "with a price, up to its ceiling", price: { input: 1, output: 10 } },
  { name: "without one, unknown", price: undefined },
])(
  "a work costs what the host's own messages say, lead and subagents: $name",
  async ({ price }) => {
    const orchestrator = orchestratorScript({
      project: () => host.project,
      planPath: PLAN,
      tasksPerTurn: 1,
    })
    host = await startHost({
      files: { [PLAN]: planOf(...Array.from({ length: 6 }, (_, at) => `Build part ${at + 1}`)) },
      pluginOptions: { continuation: { cooldown_seconds: 0, max_cost_per_work: CEILING } },
      ...(price === undefined ? {} : { price }),
      script: async (request) => {
        const reply = await orchestrator(request)
        return reply && { ...reply, usage: { input: 2_000, output: 100 } }
      },
    })
    const session = await host.createSession()
    await host.command(session, "start-work", "demo")
    if (price === undefined) {
      await host.waitFor(() => workOn(host, "demo")?.status === "completed")
      const { out } = await runInFolder(host.project, "cost")
      expect(out).toMatch(/demo: unknown \([\d,]+ tokens without a price\), ceiling \$0\.05/)
      return
    }
    const paused = await untilWork(host, "demo", "budget-spent")
    await host.waitIdle(session)
    const children = (await host.children(session)).map(({ id }) => id)
    const { cost } = paused
    expect(cost.usd).toBeCloseTo(await costOf([session, ...children]), 6)
    expect(cost.lead.usd).toBeCloseTo(await costOf([session]), 6)
    expect(cost.unpriced_tokens).toBe(0)
    expect(cost.usd).toBeGreaterThanOrEqual(CEILING)
    expect(paused.spent_budget).toMatchObject({ of: "dollars", limit: CEILING })
    for (const { session_id: id, cost: own } of Object.values(paused.task_sessions))
      expect(own?.usd).toBeCloseTo(await costOf([id]), 6)
  },
  120_000,
)
