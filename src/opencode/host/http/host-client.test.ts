import { expect, test } from "bun:test"
import { planArgument } from "../../../decide/plan-argument.ts"
import { type HostClient, hostClient } from "./host-client.ts"
import { serverAccess } from "./server-access.ts"

type StartArgument = Parameters<HostClient["startWork"]>[1]["argument"]

test("what a run sends behind /start-work compiles from planArgument alone", () => {
  const sent = (argument: StartArgument): string => argument
  const plan = "specs/auth!`id`/tasks.md"
  // @ts-expect-error: a text as it came in
  expect(sent(plan)).toBe(plan)
  expect(sent(planArgument(plan))).toBe("plan:specs/auth%21%60id%60/tasks.md")
})

test("what a server refuses is said with its address and what was asked", async () => {
  const server = Bun.serve({ port: 0, fetch: () => new Response("no", { status: 500 }) })
  const url = `http://127.0.0.1:${server.port}`
  const access = serverAccess(url, {})
  const { signal } = new AbortController()
  try {
    const client = access && hostClient(access, { directory: "/", signal })
    const said = await client?.waiting().catch(String)
    expect(said).toMatch(new RegExp(`opencode at ${url} refused /(?:question|permission): 500$`))
  } finally {
    await server.stop(true)
  }
})
