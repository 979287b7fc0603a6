import { afterEach, expect, setDefaultTimeout, test } from "bun:test"
import { type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { delegate, firstTurn, planOf, roles } from "../support/plans.ts"
import type { Reply } from "../support/scripted-model.ts"
import { workOn } from "../support/work-on-disk.ts"

setDefaultTimeout(120_000)

let host: OpencodeHost
afterEach(() => host.stop())

/** A work whose lead begins todo:1 in the background, and says no more. */
const withChild = (child: Reply): Promise<OpencodeHost> =>
  startHost({
    files: { ".boulder/plans/demo.md": planOf("Write a", "Write b") },
    env: { OPENCODE_EXPERIMENTAL_BACKGROUND_SUBAGENTS: "true" },
    pluginOptions: {
      continuation: { cooldown_seconds: 0, max_per_work: 1 },
      notify: { command: ["sh", "-c", "cat >> .git/told"] },
    },
    script: roles({
      lead: firstTurn(({ stepOfTurn }) =>
        stepOfTurn === 0
          ? { toolCalls: [delegate("todo:1", { background: true })] }
          : { text: "over" },
      ),
      child: () => child,
    }),
  })
const untilOf = () => workOn(host, "demo")?.task_sessions["todo:1"]?.interrupted?.until

test("a subagent in the background that the host waits for is told to the person, and nothing is prompted", async () => {
  host = await withChild({
    status: 429,
    headers: { "retry-after": "3600" },
    errorBody: { error: { message: "slow" } },
  })
  const session = await host.createSession()
  await host.command(session, "start-work", "demo")
  const told = await host.waitFor(
    () => (host.hasFile(".git/told") ? host.readFile(".git/told") : null),
    { what: "the notification" },
  )
  const until = untilOf() ?? ""
  expect(Date.parse(until) - Date.now()).toBeGreaterThan(3_400_000)
  expect(JSON.parse(told)).toMatchObject({
    ...{ event: "limit", reason: "provider-wait", facts: { limited_until: until } },
  })
  await host.waitIdle(session, { quietMs: 3_000 })
  expect(host.model.mainRequests(session)).toHaveLength(2)
  const rests = host.journal().filter(({ decision }) => decision === "rest")
  expect(rests.map(({ reason }) => reason)).toEqual(["provider-wait"])
})

test("the limit of a subagent in the background is its task's, and the plan goes on with the other", async () => {
  host = await withChild({
    status: 429,
    headers: { "retry-after": "-5" },
    errorBody: { error: { type: "usage_limit_reached", message: "all", resets_in_seconds: 7_200 } },
  })
  const session = await host.createSession()
  await host.command(session, "start-work", "demo")
  const texts = () => host.model.mainRequests(session).map(({ lastUserText }) => lastUserText)
  const prompt = await host.waitFor(
    () => texts().find((text) => text.includes("Continue the plan")),
    { what: "a continuation" },
  )
  expect(Date.parse(untilOf() ?? "") - Date.now()).toBeGreaterThan(7_000_000)
  expect(prompt).toContain('- todo:2 "Write b"')
  const limited = host.journal().find(({ reason }) => reason === "subagent-limited")
  expect(limited).toMatchObject({ session, facts: { task: "todo:1" } })
})
