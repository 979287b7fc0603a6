import { afterEach, expect, test } from "bun:test"
import { bulkyPlan, bulkyScript, tokensOf } from "../support/bulky-run.ts"
import { type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { reasonsOf, untilWork, workOn } from "../support/work-on-disk.ts"

const PLAN = ".boulder/plans/demo.md"
const QUIET = { continuation: { cooldown_seconds: 0, max_per_hour: 1_000 } }

let host: OpencodeHost
afterEach(() => host.stop())

test("48 tasks of 8,000 tokens each end without one request over the limit", async () => {
  host = await startHost({
    files: { [PLAN]: bulkyPlan(48) },
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
  const sizes = host.model.requests.filter((r) => r.kind !== "title").map(tokensOf)
  console.log(reasonsOf(host, session).join("\n"))
  console.log(
    sizes.length,
    Math.max(...sizes),
    sizes.reduce((a, b) => a + b, 0),
    sizes.slice(0, 40).join(" "),
  )
  console.log(JSON.stringify(workOn(host, "demo"), null, 1).slice(0, 3000))
}, 120_000)
