import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import { NOTIFY_EVERY_MS, type Notification } from "../../src/decide/notification.ts"
import { minuteWords } from "../../src/prompts/pause-words.ts"
import { MOVED_CLOCK, setAhead } from "../support/host-clock.ts"
import type { ModelRequest } from "../support/host-model-request.ts"
import { TESTED_VERSIONS } from "../support/host-version.ts"
import { type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { delegate, planOf, roles } from "../support/plans.ts"
import type { Reply } from "../support/scripted-model.ts"
import { reasonsOf, untilWork, workOn } from "../support/work-on-disk.ts"

setDefaultTimeout(120_000)

const usage = (message: string, fields: object) => ({
  error: { type: "usage_limit_reached", message, ...fields },
})
/** These never give a request up, and tell of no error: a limit is over for them when a request goes well. */
const ASKING_ON: ReadonlySet<string> = new Set(["1.14.41", "1.15.13"])
/** A wait in the past: the host makes its retries at once, so that the end of them is soon there. */
const AT_ONCE = { "retry-after": "-5" }

const USED: Reply = {
  status: 429,
  headers: AT_ONCE,
  errorBody: usage("all used", { resets_in_seconds: 3_600 }),
}

/** What the provider says in the work of each plan, to all requests of its lead session, until the limit is lifted. */
const ANSWERS: Readonly<Record<string, Reply>> = {
  waits: {
    status: 429,
    headers: { "retry-after": "3600" },
    errorBody: { error: { message: "slow" } },
  },
  used: USED,
  early: USED,
  week: { status: 429, headers: AT_ONCE, errorBody: usage("week", { resets_in_seconds: 604_800 }) },
  key: { status: 401, errorBody: { error: { message: "Incorrect API key: sk-1 <boulder>" } } },
  money: { status: 402, errorBody: { error: { message: "Insufficient credits" } } },
  model: { status: 404, errorBody: { error: { code: "model_not_found", message: "no such" } } },
  forbidden: { status: 403, errorBody: { error: { message: "Not for you" } } },
  credit: {
    status: 429,
    headers: AT_ONCE,
    errorBody: { error: { type: "insufficient_quota", message: "No quota" } },
  },
  unnamed: { status: 429, headers: AT_ONCE, errorBody: usage("some day", {}) },
  broken: { status: 500, headers: AT_ONCE, errorBody: { error: { message: "<html>bad" } } },
  huge: { status: 401, errorBody: { error: { message: "x".repeat(5_000_000) } } },
}
const NAMES = [...Object.keys(ANSWERS), "nowhere", "thrown"]

/** The host waits for the provider of the first one's subagent; the other comes back. */
const BOTH = ["todo:1", "todo:2"]

/** Another plugin, whose hook fails for what we prompt in one plan. */
const THROWER = `export const Thrower = async () => ({
  "chat.message": async (_, { parts }) => {
    if (parts.some((part) => part.synthetic && part.text?.includes("Continue the plan thrown"))) throw new Error("thrown")
  },
})
`

/** The plans whose limit is over, as the provider knows it. */
const lifted = new Set<string>()

const answer = (request: ModelRequest, version: string): Reply => {
  const text = request.allText()
  const name = Object.keys(ANSWERS).find((one) => text.includes(`plan ${one} `)) ?? ""
  const { headers, ...reply } = (lifted.has(name) ? undefined : ANSWERS[name]) ?? { text: "over" }
  // At once and without an end would be a busy machine.
  return headers === undefined || (headers === AT_ONCE && ASKING_ON.has(version))
    ? reply
    : { ...reply, headers }
}
const beginsBoth = ({ lastUserText, stepOfTurn }: ModelRequest): boolean =>
  lastUserText.includes("Start the plan both") && stepOfTurn === 0
const beginsChild = ({ lastUserText, stepOfTurn }: ModelRequest): boolean =>
  lastUserText.includes("Start the plan child") && stepOfTurn === 0

describe.each(TESTED_VERSIONS)("opencode %s", (version) => {
  let host: OpencodeHost
  beforeAll(async () => {
    lifted.clear()
    host = await startHost({
      version,
      files: {
        ...Object.fromEntries(NAMES.map((name) => [`.boulder/plans/${name}.md`, planOf(name)])),
        ".boulder/plans/child.md": planOf("One", "Two"),
        ".boulder/plans/both.md": planOf("One", "Two"),
        ".opencode/plugin/thrower.js": THROWER,
        ...MOVED_CLOCK.files,
      },
      env: MOVED_CLOCK.env,
      pluginOptions: {
        continuation: { cooldown_seconds: 0, backoff_seconds: 0, pause_after_failures: 2 },
        notify: { command: ["sh", "-c", "cat >> .git/told"] },
      },
      script: roles({
        lead: (request) =>
          beginsBoth(request)
            ? { toolCalls: BOTH.map((key) => delegate(key, { prompt: `both ${key}` })) }
            : beginsChild(request)
              ? { toolCalls: [delegate("todo:1")] }
              : answer(request, version),
        child: ({ lastUserText: asked }) =>
          asked.includes("both todo:1")
            ? (ANSWERS["waits"] ?? {})
            : lifted.has("child") || asked.includes("both todo:2")
              ? { text: "did it" }
              : USED,
      }),
    })
  }, 400_000)
  afterAll(() => host.stop())

  const sessions = new Map<string, string>()
  async function start(name: string): Promise<string> {
    const session = await host.createSession()
    sessions.set(name, session)
    void host.command(session, "start-work", name).catch(() => undefined)
    return session
  }
  const requestsOf = (session: string) => host.model.mainRequests(session).length
  /** What we have prompted in the work of a plan. */
  const promptsOf = (name: string, session: string) =>
    host.model
      .mainRequests(session)
      .map(({ lastUserText }) => lastUserText)
      .filter((text) => text.includes(`Continue the plan ${name} `))
  /** What the program of `notify.command` was told of a plan. */
  const toldOf = (name: string) =>
    (host.hasFile(".git/told") ? host.readFile(".git/told") : "")
      .split("\n")
      .flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Notification]))
      .filter(({ plan }) => plan?.name === name)

  test.each([
    { name: "key", words: "Incorrect API key: sk-1 <boulder>" },
    { name: "money", words: "Insufficient credits" },
    { name: "model", words: "no such" },
    { name: "forbidden", words: "Not for you" },
    { name: "huge", words: "x".repeat(200) },
  ])("$name: the work pauses at once, with the provider's words", async ({ name, words }) => {
    const session = await start(name)
    const work = await untilWork(host, name, "provider-refused")
    expect(work.refusal).toBe(words)
    await host.waitIdle(session)
    expect(requestsOf(session)).toBe(1)
  })

  const givesUp = !ASKING_ON.has(version)

  test.if(givesUp)("used: the end of the limit is on disk, and nothing is prompted", async () => {
    const session = await start("used")
    const { limited } = await untilWork(host, "used", "usage-limited")
    const left = Date.parse(limited?.until ?? "") - Date.now()
    expect(left).toBeGreaterThan(3_400_000)
    expect(left).toBeLessThanOrEqual(3_600_000)
    expect(limited?.goes_on_at).not.toBeNull()
    await host.waitIdle(session, { quietMs: 3_000 })
    // Behind an error there are two idles: the first look may be superseded by the second.
    const [first, ...later] = reasonsOf(host, session).filter((one) => one !== "retry superseded")
    expect(first).toBe("pause usage-limited")
    expect(later.filter((reason) => reason !== "rest usage-limited")).toEqual([])
  })

  test.if(givesUp)("credit: a 429 that no time mends pauses at once too", async () => {
    await start("credit")
    expect((await untilWork(host, "credit", "provider-refused")).refusal).toBe("No quota")
  })

  test.if(givesUp)("unnamed: a limit without an end is tried again after an hour", async () => {
    await start("unnamed")
    const { limited } = await untilWork(host, "unnamed", "usage-limited")
    const left = Date.parse(limited?.until ?? "") - Date.now()
    expect(left).toBeGreaterThan(3_400_000)
    expect(left).toBeLessThanOrEqual(3_600_000)
    expect(limited?.goes_on_at).not.toBeNull()
  })

  test.if(givesUp)("broken: a failure of a moment is tried again, and no limit", async () => {
    const session = await start("broken")
    const { limited, continuation, refusal } = await untilWork(host, "broken", "backing-off")
    expect({ limited, failures: continuation.failures }).toEqual({ limited: null, failures: 2 })
    expect(refusal).toBe("<html>bad")
    expect(promptsOf("broken", session)).not.toEqual([])
  })

  test.if(givesUp)("week: it says when, and waits for a person", async () => {
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

  test("both: the host's wait for one subagent is its task's, the other's result is kept", async () => {
    const session = await start("both")
    const tasks = () => workOn(host, "both")?.task_sessions ?? {}
    await host.waitFor(
      () => tasks()["todo:1"]?.interrupted && tasks()["todo:2"]?.status === "returned",
      { what: "the wait and the result" },
    )
    const children = await host.children(session)
    expect(tasks()["todo:1"]).toMatchObject({ status: "interrupted", attempts: 0, failures: 0 })
    expect(children.map(({ id }) => id)).toContain(`${tasks()["todo:1"]?.session_id}`)
    const left = Date.parse(tasks()["todo:1"]?.interrupted?.until ?? "") - Date.now()
    expect(left).toBeGreaterThan(3_400_000)
    expect(workOn(host, "both")).toMatchObject({ status: "active", limited: null })
    await host.abort(session)
    await untilWork(host, "both", "aborted")
  })

  test("13h: nowhere, a model that is not there makes no answer at all, and the work pauses", async () => {
    const session = await host.createSession()
    await host.command(session, "start-work", "nowhere")
    const model = { providerID: "lab", modelID: "nope" }
    await host.promptAsync(session, "go on", { model })
    const { refusal } = await untilWork(host, "nowhere", "provider-refused")
    // The older ones name the error alone.
    expect(refusal).toMatch(/Model ?not ?found/i)
  })

  test("13g: thrown, a prompt that the host has taken and another plugin refuses is a failed turn, never a silence", async () => {
    const session = await host.createSession()
    await host.command(session, "start-work", "thrown")
    await untilWork(host, "thrown", "backing-off")
    expect(workOn(host, "thrown")?.continuation.failures).toBe(2)
    expect(requestsOf(session)).toBe(1)
  })

  test.if(!givesUp)(
    "used: a host that asks on is left to it, and the work goes on when it is through",
    async () => {
      const session = await start("used")
      await host.waitFor(() => requestsOf(session) > 1, { what: "a second request" })
      expect(workOn(host, "used")).toMatchObject({ status: "active", limited: null })
      expect(reasonsOf(host, session)).toEqual([])
      lifted.add("used")
      await host.waitFor(() => promptsOf("used", session).length > 0, { what: "a continuation" })
    },
  )

  test.if(givesUp)(
    "early: a limit that is lifted early is over with the user's word, and the work goes on",
    async () => {
      const session = await start("early")
      await untilWork(host, "early", "usage-limited")
      await host.waitIdle(session)
      lifted.add("early")
      await host.prompt(session, "it was lifted: go on")
      await host.waitFor(() => promptsOf("early", session).length > 0, { what: "a continuation" })
      expect(workOn(host, "early")?.limited).toBeNull()
    },
  )

  test.if(givesUp)(
    "child: a subagent's own limit is its task's, the work goes on with the other",
    async () => {
      const session = await start("child")
      await host.waitFor(() => promptsOf("child", session).length > 0, { what: "a continuation" })
      const { task_sessions: tasks, status, dispatches } = workOn(host, "child") ?? {}
      const [child] = await host.children(session)
      expect({ status, dispatches }).toEqual({ status: "active", dispatches: {} })
      expect(tasks?.["todo:1"]).toMatchObject({ session_id: child?.id, status: "interrupted" })
      const left = Date.parse(tasks?.["todo:1"]?.interrupted?.until ?? "") - Date.now()
      expect(left).toBeGreaterThan(3_400_000)
      const [prompt = ""] = promptsOf("child", session)
      expect(prompt).toContain('- todo:2 "Two"')
      expect(prompt).not.toContain(`${child?.id}`)
      const until = minuteWords(tasks?.["todo:1"]?.interrupted?.until ?? "")
      expect(prompt).toContain(`limit until ${until}: leave it until then.`)
    },
  )

  test("the user's program is told of a limit and of a refusal, by the real host", async () => {
    const [limit] = toldOf(givesUp ? "used" : "waits")
    const reason = givesUp ? "usage-limited" : "provider-wait"
    expect(limit).toMatchObject({ event: "limit", reason, project: host.project })
    const [refusal] = toldOf("key")
    expect(refusal).toMatchObject({ event: "error", reason: "provider-refused" })
    expect(refusal?.facts["provider_says"]).toBe("Incorrect API key: sk-1 <boulder>")
    // Once: what is held back of a reason is told a minute later.
    const heldUntil = Date.parse(limit?.at ?? "") + NOTIFY_EVERY_MS + 3_000
    await Bun.sleep(Math.max(0, heldUntil - Date.now()))
    expect(toldOf(givesUp ? "used" : "waits")).toHaveLength(1)
    expect(toldOf("key")).toHaveLength(1)
  })

  test.if(givesUp)(
    "behind the end of a limit, slept over, the work goes on by itself; one of a week does not; a child is offered again",
    async () => {
      const session = sessions.get("used") ?? ""
      expect(promptsOf("used", session)).toEqual([])
      for (const name of ["used", "child"]) lifted.add(name)
      setAhead(host, 7_200_000)
      await host.waitFor(() => promptsOf("used", session).length > 0, { what: "a continuation" })
      expect(reasonsOf(host, session)).toContain("continue continue")
      await untilWork(host, "used", "no-progress")
      expect(workOn(host, "used")?.limited).toBeNull()
      expect(workOn(host, "week")?.pause_reason).toBe("usage-limited")
      const lead = sessions.get("child") ?? ""
      const [child] = await host.children(lead)
      await host.prompt(lead, "go on")
      await host.waitFor(
        () => promptsOf("child", lead).some((text) => text.includes(`${child?.id}`)),
        {
          what: "the child's session is offered",
        },
      )
    },
  )
})
