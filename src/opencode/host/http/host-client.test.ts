import { expect, test } from "bun:test"
import { planArgument } from "../../../boulder/plan-argument.ts"
import { expectAnswer, type HostClient, hostClient } from "./host-client.ts"
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

test.each([
  {
    name: "the list of commands",
    status: 500,
    run: (client: HostClient) => client.commandNames(),
    says: (url: string) =>
      `RunError: opencode at ${url} refused the list of commands: {"name":"Bad"}`,
  },
  {
    name: "a request without its password",
    status: 401,
    run: (client: HostClient) => client.waiting(),
    says: (url: string) =>
      `RunError: Expected the password of opencode at ${url}; none is set. Set OPENCODE_SERVER_PASSWORD (and OPENCODE_SERVER_USERNAME) to those of the server.`,
  },
])("what a server refuses is said whole: $name", async ({ status, run, says }) => {
  const server = Bun.serve({ port: 0, fetch: () => Response.json({ name: "Bad" }, { status }) })
  const url = `http://127.0.0.1:${server.port}`
  const access = serverAccess(url, {})
  const { signal } = new AbortController()
  try {
    const client = access && hostClient(access, { directory: "/", signal })
    expect(client && (await run(client).catch(String))).toBe(says(url))
  } finally {
    await server.stop(true)
  }
})

test("that nothing answers is said with what the system says of it", async () => {
  const access = serverAccess("http://127.0.0.1:9", {})
  const { signal } = new AbortController()
  const { fetch } = globalThis
  // As in Node, where the command line runs.
  const cause = new Error("connect ECONNREFUSED 127.0.0.1:9")
  const refused = () => Promise.reject(new TypeError("fetch failed", { cause }))
  globalThis.fetch = Object.assign(refused, { preconnect: () => undefined })
  try {
    const said = access && (await expectAnswer(access, signal, "Start it.").catch(String))
    expect(said).toBe(
      "RunError: Expected opencode to answer at http://127.0.0.1:9; found: fetch failed (connect ECONNREFUSED 127.0.0.1:9). Start it.",
    )
  } finally {
    globalThis.fetch = fetch
  }
})

test.each([
  { status: 200, is: [{ type: "a" }] },
  { status: 503, is: "refused its events: HTTP 503" },
])("the events of a server that answers $status: $is", async ({ status, is }) => {
  const fetch = () => new Response('data: {"type":"a"}\n\n', { status })
  const server = Bun.serve({ port: 0, fetch })
  const access = serverAccess(`http://127.0.0.1:${server.port}`, {})
  const { signal } = new AbortController()
  try {
    const client = access && hostClient(access, { directory: "/", signal })
    const heard: unknown[] = []
    const hear = async () => {
      for await (const event of (await client?.events(signal)) ?? []) heard.push(event)
    }
    const said = await hear().catch(String)
    if (typeof is === "string") expect(said).toContain(is)
    else expect(heard).toEqual([...is])
  } finally {
    await server.stop(true)
  }
})

test("what is asked of a person is answered at the address of its own request", async () => {
  const heard: unknown[] = []
  const fetch = async (request: Request) => {
    heard.push([new URL(request.url).pathname, await request.json()])
    return Response.json(true)
  }
  const server = Bun.serve({ port: 0, fetch })
  const access = serverAccess(`http://127.0.0.1:${server.port}`, {})
  const { signal } = new AbortController()
  try {
    const client = access && hostClient(access, { directory: "/", signal })
    await client?.answerQuestion("que_1/2", [["Yes"]])
    await client?.answerQuestion("que_1", null)
    await client?.answerPermission("per_1", "once")
    expect(heard).toEqual([
      ["/question/que_1%2F2/reply", { answers: [["Yes"]] }],
      ["/question/que_1/reject", {}],
      ["/permission/per_1/reply", { reply: "once" }],
    ])
  } finally {
    await server.stop(true)
  }
})
