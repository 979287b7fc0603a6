import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { cpSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { hostHttp } from "../support/host-http.ts"
import { type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { planOf, roles } from "../support/plans.ts"
import { workOn } from "../support/work-on-disk.ts"

setDefaultTimeout(240_000)

const WAIT = { status: 429, headers: { "retry-after": "3600" }, errorBody: { error: {} } }

let host: OpencodeHost
beforeAll(async () => {
  host = await startHost({
    files: {
      ".boulder/plans/waits.md": planOf("One"),
      ".boulder/plans/turns.md": planOf("One"),
      "packages/one/package.json": "{}",
    },
    pluginOptions: { continuation: { cooldown_seconds: 0 } },
    script: roles({
      lead: (request) =>
        request.allText().includes("plan turns ") ? { text: "thinking", hang: true } : WAIT,
      child: () => ({ text: "no" }),
    }),
  })
})
afterAll(() => host.stop())

test("a folder that is disposed of while one lead waits and another turns stops neither", async () => {
  const begin = async (name: string): Promise<string> => {
    const session = await host.createSession()
    void host.command(session, "start-work", name).catch(() => undefined)
    return session
  }
  const turning = await begin("turns")
  const asked = () => host.model.mainRequests(turning).length
  await host.waitFor(() => asked() > 0, { what: "the request" })
  await begin("waits")
  await host.waitFor(() => workOn(host, "waits")?.limited, { what: "the wait" })
  const folder = encodeURIComponent(host.project)
  await fetch(`${host.url}/instance/dispose?directory=${folder}`, { method: "POST" })
  // Longer than a stop is held.
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  for (const name of ["waits", "turns"])
    expect(workOn(host, name)).toMatchObject({ status: "active", pause_reason: null })
  // Opened again, both are taken up.
  await host.createSession()
  const areTakenUp = () => workOn(host, "waits")?.pause_reason === "usage-limited" && asked() > 1
  await host.waitFor(areTakenUp, { what: "the works to be taken up", timeoutMs: 90_000 })
})

test("a second instance in a subfolder leaves the work of the first one alone, until that one is disposed of", async () => {
  const below = join(host.project, "packages/one")
  const { get, post } = hostHttp(() => host.url, below)
  await get("/command")
  const { id } = await post<{ id: string }>("/session", {})
  const hello = { parts: [{ type: "text", text: "hello" }] }
  void post(`/session/${id}/message`, hello).catch(() => undefined)
  const driver = workOn(host, "turns")?.driver
  const taken = () => host.journal().filter(({ reason }) => reason === "taken-up").length
  const before = taken()
  // It looks for works half a minute behind what it hears first.
  await new Promise((resolve) => setTimeout(resolve, 50_000))
  expect([taken(), workOn(host, "turns")?.driver]).toEqual([before, driver])
  const folder = encodeURIComponent(host.project)
  await fetch(`${host.url}/instance/dispose?directory=${folder}`, { method: "POST" })
  const isTaken = () => workOn(host, "turns")?.driver !== driver
  await host.waitFor(isTaken, { what: "the work to be taken up", timeoutMs: 90_000 })
})

test("opencode that is opened in a copy of a project prompts nothing into the sessions of the original, and says so", async () => {
  for (const folder of [host.project, join(host.project, "packages/one")]) {
    const encoded = encodeURIComponent(folder)
    await fetch(`${host.url}/instance/dispose?directory=${encoded}`, { method: "POST" })
  }
  const copy = join(dirname(host.project), "copy")
  cpSync(host.project, copy, { recursive: true })
  const session = workOn(host, "turns")?.lead_session_id ?? ""
  const before = host.model.mainRequests(session).length
  await hostHttp(() => host.url, copy).get("/command")
  const taken = () =>
    readFileSync(join(copy, ".boulder/journal.jsonl"), "utf8")
      .split("\n")
      .filter((line) => line.includes("for this folder"))
  await host.waitFor(() => taken().length === 2, { what: "two works left", timeoutMs: 90_000 })
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  expect(host.model.mainRequests(session)).toHaveLength(before)
})
