import { afterEach, expect, test } from "bun:test"
import { bulkyPlan, bulkyScript } from "../support/bulky-run.ts"
import { type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { tokensOf } from "../support/request-figures.ts"
import { workOn } from "../support/work-on-disk.ts"

const PLAN = ".boulder/plans/demo.md"
const QUIET = { continuation: { cooldown_seconds: 0, max_per_hour: 1_000 } }

let host: OpencodeHost
afterEach(() => host.stop())

test("12 tasks of 8,000 tokens each end without one request over the hard limit", async () => {
  host = await startHost({
    files: { [PLAN]: bulkyPlan(12) },
    pluginOptions: QUIET,
    contextLimit: 100_000,
    script: bulkyScript({ project: () => host.project, planPath: PLAN, outputTokens: 8_000 }),
  })
  const session = await host.createSession()
  await host.command(session, "start-work", "demo")
  await host.waitFor(() => workOn(host, "demo")?.status === "completed", {
    timeoutMs: 110_000,
    what: "the plan is complete",
  })
  const sizes = host.model.requests.filter((request) => request.kind !== "title").map(tokensOf)
  expect(Math.max(...sizes)).toBeLessThan(90_000)
}, 120_000)
