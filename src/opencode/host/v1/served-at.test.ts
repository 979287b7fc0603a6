import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import type { PluginInput } from "@opencode-ai/plugin"
import { servedAt } from "./served-at.ts"
import { sessionApiOf } from "./session-api-of.ts"

const ELSEWHERE = new URL("http://127.0.0.1:4096")

describe("where a call of ours is sent", () => {
  test.each([
    { name: "where the host serves", address: ELSEWHERE, origin: "http://127.0.0.1:4096" },
    {
      name: "as it is configured, where the host serves at none and names what it would",
      address: new URL("http://localhost:4096"),
      origin: undefined,
    },
    {
      name: "as it is configured, where the host names none",
      address: undefined,
      origin: undefined,
    },
  ])("$name", ({ address, origin }) => {
    expect(servedAt(address).baseUrl).toBe(origin)
  })
  test("to a server that answers, with what the client sends of itself", async () => {
    const paths: string[] = []
    const server = Bun.serve({
      port: 0,
      fetch: (request) => {
        paths.push(`${request.method} ${new URL(request.url).pathname}`)
        return new Response("there")
      },
    })
    const { fetch: send } = servedAt(server.url)
    const answer = await send?.(
      new Request(new URL("/session/ses_a/abort", server.url).href, { method: "POST" }),
    )
    expect(await answer?.text()).toBe("there")
    expect(paths).toEqual(["POST /session/ses_a/abort"])
    await server.stop(true)
  })
})

test("past a proxy, which must not get the server's password", async () => {
  const server = Bun.serve({ port: 0, fetch: () => new Response("there") })
  const proxy = Bun.serve({ port: 0, fetch: () => new Response("by proxy") })
  const script = `import { servedAt } from ${JSON.stringify(join(import.meta.dir, "served-at.ts"))}
    const { fetch: send } = servedAt(new URL(${JSON.stringify(server.url.href)}))
    console.log(await (await send(new Request(${JSON.stringify(server.url.href)}))).text())`
  const through = proxy.url.origin
  const env = {
    ...process.env,
    HTTP_PROXY: through,
    http_proxy: through,
    NO_PROXY: "",
    no_proxy: "",
  }
  const asked = Bun.spawn([process.execPath, "-e", script], { env, stdout: "pipe" })
  expect(await new Response(asked.stdout).text()).toBe("there\n")
  await Promise.all([server.stop(true), proxy.stop(true)])
})

/** Every method of the host's client, which records what it is given. */
function clientTelling(given: unknown[]): PluginInput["client"] {
  const method = async (options: unknown) => {
    given.push(options)
    return { data: [], error: undefined, response: { status: 404 } }
  }
  const group = new Proxy({}, { get: () => method })
  return new Proxy({}, { get: () => group }) as never
}

test("every call is sent where the host serves", async () => {
  const given: unknown[] = []
  const api = sessionApiOf(clientTelling(given), () => servedAt(ELSEWHERE))
  const identity = { agent: null, model: null, variant: null }
  const model = { providerId: "p", modelId: "m" }
  const calls = [
    api.session("ses_a"),
    api.lastTurn("ses_a"),
    api.refusedTurn("ses_a"),
    api.busySessions(),
    api.contextLimit(model),
    api.prompt("ses_a", "Go on", { identity, round: 1 }),
    api.compact("ses_a", model),
    api.abort("ses_a"),
    api.rename("ses_a", "Title"),
    api.pluginNames(),
    api.toast("Hello", "info"),
  ]
  await Promise.allSettled(calls)
  expect(calls).toHaveLength(Object.keys(api).length)
  expect(given).toHaveLength(calls.length)
  for (const one of given) expect(one).toMatchObject({ baseUrl: ELSEWHERE.origin })
})
