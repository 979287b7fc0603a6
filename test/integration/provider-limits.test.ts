import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { planOf } from "../support/plans.ts"
import type { Reply } from "../support/scripted-model.ts"
import { reasonsOf, untilWork, workOn } from "../support/work-on-disk.ts"

setDefaultTimeout(120_000)

const usage = (message: string, fields: object) => ({
  error: { type: "usage_limit_reached", message, ...fields },
})
/** A wait in the past: the host makes its retries at once, so that the end of them is soon there. */
const AT_ONCE = { "retry-after": "-5" }

/** What the provider says in the work of each plan, to all requests of its lead session. */
const ANSWERS: Readonly<Record<string, Reply>> = {
  waits: {
    status: 429,
    headers: { "retry-after": "3600" },
    errorBody: { error: { message: "slow" } },
  },
  used: {
    status: 429,
    headers: AT_ONCE,
    errorBody: usage("all used", { resets_in_seconds: 3_600 }),
  },
  week: { status: 429, headers: AT_ONCE, errorBody: usage("week", { resets_in_seconds: 604_800 }) },
  key: { status: 401, errorBody: { error: { message: "Incorrect API key: sk-1 <boulder>" } } },
  money: { status: 402, errorBody: { error: { message: "Insufficient credits" } } },
  model: { status: 404, errorBody: { error: { code: "model_not_found", message: "no such" } } },
  huge: { status: 401, errorBody: { error: { message: "x".repeat(5_000_000) } } },
}
const NAMES = [...Object.keys(ANSWERS), "nowhere", "thrown"]

/** Another plugin, whose hook fails for what we prompt in one plan. */
const THROWER = `export const Thrower = async () => ({
  "chat.message": async (_, { parts }) => {
    if (parts.some((part) => part.synthetic && part.text?.includes("Continue the plan thrown"))) throw new Error("thrown")
  },
})
`

let host: OpencodeHost
beforeAll(async () => {
  host = await startHost({
    files: {
      ...Object.fromEntries(NAMES.map((name) => [`.boulder/plans/${name}.md`, planOf(name)])),
      ".opencode/plugin/thrower.js": THROWER,
    },
    pluginOptions: {
      continuation: { cooldown_seconds: 0, backoff_seconds: 0, pause_after_failures: 2 },
    },
    script: ({ allText }) => {
      const text = allText()
      const name = Object.keys(ANSWERS).find((one) => text.includes(`plan ${one} `))
      return name === undefined ? { text: "over" } : ANSWERS[name]
    },
  })
})
afterAll(() => host.stop())

async function start(name: string): Promise<string> {
  const session = await host.createSession()
  void host.command(session, "start-work", name).catch(() => undefined)
  return session
}
const requestsOf = (session: string) => host.model.mainRequests(session).length

test.each([
  { name: "key", words: "Incorrect API key: sk-1 <boulder>" },
  { name: "money", words: "Insufficient credits" },
  { name: "model", words: "no such" },
  { name: "huge", words: "x".repeat(200) },
])("$name: the work pauses at once, with the provider's words", async ({ name, words }) => {
  const session = await start(name)
  const work = await untilWork(host, name, "provider-refused")
  expect(work.refusal).toBe(words)
  await host.waitIdle(session)
  expect(requestsOf(session)).toBe(1)
})

test("used: the end of the limit is on disk, and nothing is prompted", async () => {
  const session = await start("used")
  const { limited } = await untilWork(host, "used", "usage-limited")
  const left = Date.parse(limited?.until ?? "") - Date.now()
  expect(left).toBeGreaterThan(3_400_000)
  expect(left).toBeLessThanOrEqual(3_600_000)
  expect(limited?.goes_on_at).not.toBeNull()
  await host.waitIdle(session, { quietMs: 3_000 })
  // Behind an error there are two idles.
  const [first, ...later] = reasonsOf(host, session)
  expect(first).toBe("pause usage-limited")
  expect(later.filter((reason) => reason !== "rest usage-limited")).toEqual([])
})

test("week: it says when, and waits for a person", async () => {
  await start("week")
  const { limited } = await untilWork(host, "week", "usage-limited")
  expect(Date.parse(limited?.until ?? "") - Date.now()).toBeGreaterThan(600_000_000)
  expect(limited?.goes_on_at).toBeNull()
})

test("waits: the host waits by itself, with no error and no idle; the end is on disk, and ESC ends it", async () => {
  const session = await start("waits")
  const limited = await host.waitFor(() => workOn(host, "waits")?.limited, { what: "the wait" })
  expect(Date.parse(limited.until) - Date.now()).toBeGreaterThan(3_400_000)
  expect(host.eventsOf("session.error", session)).toEqual([])
  expect(host.eventsOf("session.idle", session)).toEqual([])
  await host.waitFor(() => reasonsOf(host, session).length > 0, { what: "its line" })
  expect(reasonsOf(host, session)).toEqual(["rest provider-wait"])
  expect(requestsOf(session)).toBe(1)
  await host.abort(session)
  await untilWork(host, "waits", "aborted")
})

test("13h: nowhere, a model that is not there makes no answer at all, and the work pauses", async () => {
  const session = await host.createSession()
  await host.command(session, "start-work", "nowhere")
  const model = { providerID: "lab", modelID: "nope" }
  await host.promptAsync(session, "go on", { model })
  const { refusal } = await untilWork(host, "nowhere", "provider-refused")
  expect(refusal).toContain("Model not found: lab/nope")
})

test("13g: thrown, a prompt that the host has taken and another plugin refuses is a failed turn, never a silence", async () => {
  const session = await host.createSession()
  await host.command(session, "start-work", "thrown")
  await untilWork(host, "thrown", "backing-off")
  expect(workOn(host, "thrown")?.continuation.failures).toBe(2)
  expect(requestsOf(session)).toBe(1)
})
