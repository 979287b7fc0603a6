import { afterEach, expect, setDefaultTimeout, test } from "bun:test"
import { planOf } from "../support/plans.ts"
import { openRunProject } from "../support/run-project.ts"
import type { Reply } from "../support/scripted-model.ts"

setDefaultTimeout(120_000)

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** A run whose provider says this to everything. */
const run = async (reply: Reply, ...args: readonly string[]) => {
  const plan = { path: ".boulder/plans/demo.md", text: planOf("Write a") }
  const { cli } = await openRunProject(plan, ends, { script: () => reply })
  return cli("run", "demo", ...args)
}
const USED: Reply = {
  status: 429,
  headers: { "retry-after": "-5" },
  errorBody: { error: { type: "usage_limit_reached", resets_in_seconds: 3_600, message: "used" } },
}
const WAITS: Reply = { status: 429, headers: { "retry-after": "3600" } }

test("a refusal ends it with 3, and with the provider's words", async () => {
  const { code, err } = await run({ status: 402, errorBody: { error: { message: "No credit" } } })
  expect(code).toBe(3)
  expect(err).toContain("(provider-refused)")
  expect(err).toContain("(No credit)")
})

test("a usage limit is waited for, with the time left; --timeout ends it with 1", async () => {
  const { code, out } = await run(USED, "--timeout", "60s")
  expect(code).toBe(1)
  expect(out).toMatch(
    /waits for the provider until \d{4}-\d\d-\d\d \d\d:\d\d UTC \(in 1 h [12] min\)/,
  )
  expect(out.match(/waits for the provider/g)).toHaveLength(1)
})

test("--no-wait ends it with 3, at a limit and where opencode itself waits", async () => {
  const used = await run(USED, "--no-wait")
  expect(used.code).toBe(3)
  expect(used.err).toContain("(usage-limited)")
  const waits = await run(WAITS, "--no-wait")
  expect(waits.code).toBe(3)
  expect(waits.err).toMatch(/\(provider-wait\): opencode waits for the provider until/)
})
