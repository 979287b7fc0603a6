import { afterEach, expect, test } from "bun:test"
import { runInFolder } from "../support/cli-in-process.ts"
import { type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { orchestratorScript } from "../support/orchestrator.ts"
import { planOf } from "../support/plans.ts"
import { tokensOf } from "../support/request-figures.ts"
import { tokensSpent } from "../support/tokens-spent.ts"
import { untilWork, workOn } from "../support/work-on-disk.ts"

const PLAN = ".boulder/plans/demo.md"
const CEILING = 250_000

let host: OpencodeHost
afterEach(() => host.stop())

test("a work pauses at its token ceiling with the host's own figures, and a start gives a fresh budget", async () => {
  const orchestrator = orchestratorScript({
    project: () => host.project,
    planPath: PLAN,
    tasksPerTurn: 1,
  })
  host = await startHost({
    files: { [PLAN]: planOf(...Array.from({ length: 12 }, (_, at) => `Build part ${at + 1}`)) },
    pluginOptions: { continuation: { cooldown_seconds: 0, max_tokens_per_work: CEILING } },
    script: async (request) => {
      const reply = await orchestrator(request)
      return reply && { ...reply, usage: { input: tokensOf(request), output: 40 } }
    },
  })
  const session = await host.createSession()
  await host.command(session, "start-work", "demo")
  const paused = await untilWork(host, "demo", "budget-spent")
  await host.waitIdle(session)
  expect((await host.children(session)).length).toBeGreaterThan(1)
  const spent = await tokensSpent(host, session)
  expect(paused.tokens).toEqual({ spent, since: 0, ceiling: CEILING })
  expect(paused.spent_budget).toEqual({ of: "tokens", used: spent, limit: CEILING })
  expect(spent).toBeGreaterThanOrEqual(CEILING)
  expect(paused.completed_count).toBeLessThan(12)

  const figures = `${spent.toLocaleString("en-US")} of 250,000 tokens`
  const { out } = await runInFolder(host.project, "status", { now: Date.now })
  expect(out.replace(/\s+/g, " ")).toContain(
    `Its budget is spent (${figures}). To resume: run opencode-boulder resume (with a fresh budget)`,
  )
  await host.command(session, "work-status")
  expect(host.model.requests.at(-1)?.allText()).toContain(
    `Tokens: ${spent.toLocaleString("en-US")} in all, ceiling 250,000`,
  )
  const { out: resumed } = await runInFolder(host.project, "resume")
  expect(resumed).toContain("with a fresh budget")
  await host.waitFor(() => (workOn(host, "demo")?.completed_count ?? 0) > paused.completed_count, {
    what: "another task is settled",
  })
}, 120_000)
