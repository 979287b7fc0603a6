import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { planOf, roles } from "../support/plans.ts"
import { workOn } from "../support/work-on-disk.ts"

setDefaultTimeout(240_000)

const WAIT = { status: 429, headers: { "retry-after": "3600" }, errorBody: { error: {} } }

let host: OpencodeHost
beforeAll(async () => {
  host = await startHost({
    files: { ".boulder/plans/waits.md": planOf("One"), ".boulder/plans/turns.md": planOf("One") },
    pluginOptions: { continuation: { cooldown_seconds: 0 } },
    script: roles({
      lead: (request) =>
        request.allText().includes("plan turns ") ? { text: "thinking", hang: true } : WAIT,
      child: () => ({ text: "no" }),
    }),
  })
})
afterAll(() => host.stop())

test.each(["waits", "turns"])(
  "a folder that is disposed of while the lead %s is not stopped",
  async (name) => {
    const session = await host.createSession()
    void host.command(session, "start-work", name).catch(() => undefined)
    if (name === "waits")
      await host.waitFor(() => workOn(host, name)?.limited, { what: "the wait" })
    else
      await host.waitFor(() => host.model.mainRequests(session).length > 0, { what: "the request" })
    const folder = encodeURIComponent(host.project)
    await fetch(`${host.url}/instance/dispose?directory=${folder}`, { method: "POST" })
    // Longer than a stop is held.
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    expect(workOn(host, name)).toMatchObject({ status: "active", pause_reason: null })
    // Opened again, it is taken up.
    await host.createSession()
    const isTakenUp = () =>
      name === "waits"
        ? workOn(host, name)?.pause_reason === "usage-limited"
        : host.model.mainRequests(session).length > 1
    await host.waitFor(isTakenUp, { what: "the work to be taken up", timeoutMs: 90_000 })
  },
)
