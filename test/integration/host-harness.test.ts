import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import { PROBE, probeCalls } from "../support/host-probe.ts"
import { taskPart } from "../support/host-task-part.ts"
import { type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { type Reply, scriptOf } from "../support/scripted-model.ts"

setDefaultTimeout(180_000)

/** What our plugin leans on in the pinned host, seen through a plugin that changes nothing. */

const delegate = (prompt: string): Reply => ({
  toolCalls: [
    { name: "task", args: { description: `do ${prompt}`, prompt, subagent_type: "general" } },
  ],
})
const options = [
  { label: "A", description: "a" },
  { label: "B", description: "b" },
]
const question: Reply = {
  toolCalls: [
    {
      name: "question",
      args: { questions: [{ question: "Which?", header: "Which", options }] },
    },
  ],
}
const bash: Reply = {
  toolCalls: [{ name: "bash", args: { command: "echo hi", description: "say hi" } }],
}

let host: OpencodeHost

beforeAll(async () => {
  host = await startHost({
    ...PROBE,
    snapshots: true,
    permission: { "*": "allow", bash: "ask" },
    script: scriptOf({
      "delegate well": [delegate("SUB-OK"), { text: "all done" }],
      "SUB-OK": [{ text: "sub result", usage: { input: 5_000, output: 7, cached: 2_000 } }],
      "delegate badly": [delegate("SUB-FAIL"), { text: "saw the failure" }],
      "SUB-FAIL": [{ status: 400 }],
      "delegate forever": [delegate("SUB-HANG"), { text: "never said" }],
      "SUB-HANG": [{ text: "thinking", hang: true }],
      "think forever": [{ text: "thinking", hang: true }],
      "ask me": [question, { text: "answered" }],
      "run bash": [bash, { text: "went on" }],
    }),
  })
}, 120_000)

afterAll(() => host.stop())

/** The events that tell the end of a turn, in order, without the repeats of "busy". */
const endOf = (sessionId: string) =>
  host.events.flatMap(({ type, properties }) => {
    if (properties.sessionID !== sessionId) return []
    if (type === "session.error") return [(properties["error"] as { name: string }).name]
    return type === "session.idle" ? ["idle"] : []
  })

const callsOf = (hook: string, sessionId: string) =>
  probeCalls(host, hook).filter((call) => call.input["sessionID"] === sessionId)

describe("a plain turn", () => {
  test("the answer, its tokens and the user message that it answers are stored", async () => {
    const session = await host.createSession()
    const answer = await host.prompt(session, "hello")
    const stored = await host.messages(session)
    expect(stored.map(({ info }) => info.role)).toEqual(["user", "assistant"])
    expect(stored[1]?.info).toMatchObject({
      id: answer.info.id,
      parentID: stored[0]?.info.id,
      agent: "build",
      finish: "stop",
      tokens: { input: 100, output: 10 },
    })
    expect(stored[0]?.info).toMatchObject({
      agent: "build",
      model: { providerID: "lab", modelID: "m" },
    })
    await host.waitIdle(session)
    expect(endOf(session)).toEqual(["idle"])
  })

  test("a session carries its agent and model, and the first turn asks for a title", async () => {
    const session = await host.createSession()
    await host.prompt(session, "hello")
    expect(await host.session(session)).toMatchObject({
      agent: "build",
      model: { id: "m", providerID: "lab" },
    })
    await host.waitFor(async () => (await host.session(session)).title === "Title")
    expect(host.model.mainRequests(session)[0]).toMatchObject({ turnOfSession: 0, stepOfTurn: 0 })
  })

  test("a command's hook comes before the chat.message of its text", async () => {
    const session = await host.createSession()
    await host.command(session, "probe", "a b")
    const hooks = probeCalls(host)
      .filter((call) => call.hook !== "event" && call.input["sessionID"] === session)
      .map((call) => call.hook)
    expect(hooks).toEqual(["command.execute.before", "chat.message"])
    expect(callsOf("command.execute.before", session)[0]?.input).toEqual({
      command: "probe",
      sessionID: session,
      arguments: "a b",
    })
    expect(host.model.mainRequests(session)[0]?.lastUserText).toBe("PROBE a b")
    await host.waitFor(() => host.eventsOf("command.executed", session).length === 1)
  })

  test("promptAsync keeps the agent that it names and the metadata of its parts", async () => {
    const session = await host.createSession()
    await host.prompt(session, "hello", { agent: "plan" })
    const text = { type: "text" as const, text: "go on", synthetic: true, metadata: { ours: true } }
    await host.client.session.promptAsync({
      path: { id: session },
      body: { agent: "plan", parts: [text] },
    })
    await host.waitFor(async () => (await host.messages(session)).length === 4)
    await host.waitIdle(session)
    expect((await host.session(session)).agent).toBe("plan")
    const injected = (await host.messages(session))[2]
    expect(injected?.info).toMatchObject({ role: "user", agent: "plan" })
    expect(injected?.parts[0]).toMatchObject({ synthetic: true, metadata: { ours: true } })
    const heard = callsOf("chat.message", session).at(-1)
    expect(heard?.input).toMatchObject({ agent: "plan" })
    expect(heard?.output).toMatchObject({ parts: [{ metadata: { ours: true } }] })
  })

  test("promptAsync without an agent switches the session to the default agent", async () => {
    const session = await host.createSession()
    await host.prompt(session, "hello", { agent: "plan" })
    await host.promptAsync(session, "go on")
    await host.waitFor(async () => (await host.messages(session)).length === 4)
    await host.waitIdle(session)
    expect((await host.session(session)).agent).toBe("build")
  })
})

describe("the task tool", () => {
  test("opens a child session, names it, and its after hook comes after the child's idle", async () => {
    const session = await host.createSession()
    await host.prompt(session, "delegate well")
    const [child] = await host.children(session)
    expect(child).toMatchObject({ parentID: session, agent: "general" })
    const id = String(child?.id)
    expect(id).toMatch(/^ses_[0-9a-f]{12}[0-9A-Za-z]{14}$/)
    const [after] = callsOf("tool.execute.after", session)
    expect(after?.output).toMatchObject({
      title: "do SUB-OK",
      output: `<task id="${id}" state="completed">\n<task_result>\nsub result\n</task_result>\n</task>`,
      metadata: { sessionId: id, parentSessionId: session },
    })
    expect(after?.input).toMatchObject({ tool: "task", args: { prompt: "SUB-OK" } })
    const order = probeCalls(host).flatMap(({ hook, input }) => {
      if (hook === "tool.execute.after" && input["sessionID"] === session) return ["after"]
      return JSON.stringify(input).includes(id) && input["type"] === "session.idle" ? ["idle"] : []
    })
    expect(order).toEqual(["idle", "after"])
    expect((await host.messages(id)).at(-1)?.info).toMatchObject({
      tokens: { input: 3_000, output: 7, cache: { read: 2_000 } },
    })
  })

  test("a child that fails: no after hook, a part with the error and the child's id", async () => {
    const session = await host.createSession()
    await host.prompt(session, "delegate badly")
    const [child] = await host.children(session)
    const id = String(child?.id)
    expect(callsOf("tool.execute.before", session)).toHaveLength(1)
    expect(callsOf("tool.execute.after", session)).toHaveLength(0)
    expect(taskPart(await host.messages(session))).toMatchObject({
      callID: callsOf("tool.execute.before", session)[0]?.input["callID"],
      state: {
        status: "error",
        error: `Subagent failed (task_id: ${id}): scripted error 400`,
        metadata: { sessionId: id },
      },
    })
    expect((await host.messages(id)).at(-1)?.info).toMatchObject({ error: { name: "APIError" } })
    expect(endOf(id)).toEqual(["APIError", "idle", "idle"])
    expect(host.model.mainRequests(id)).toHaveLength(1)
  })

  test("an abort while a child works: no after hook, both turns end in error and two idles", async () => {
    const session = await host.createSession()
    const turn = host.prompt(session, "delegate forever")
    const child = await host.waitFor(async () => (await host.children(session))[0]?.id)
    await host.waitFor(() => host.model.mainRequests(child).length === 1)
    await host.waitFor(async () => {
      const running = { status: "running", metadata: { sessionId: child } }
      expect(taskPart(await host.messages(session))?.state).toMatchObject(running)
      return true
    })
    await host.abort(session)
    expect((await turn).info).toMatchObject({ error: { name: "MessageAbortedError" } })
    await host.waitIdle(session)
    expect(endOf(session)).toEqual(["MessageAbortedError", "idle", "idle"])
    expect(endOf(child)).toEqual(["MessageAbortedError", "idle", "idle"])
    expect(callsOf("tool.execute.after", session)).toHaveLength(0)
    expect(taskPart(await host.messages(session))?.state).toMatchObject({
      status: "error",
      error: "Task cancelled",
      metadata: { sessionId: child },
    })
  })
})

describe("the user", () => {
  test("ends a turn with ESC: an error, then two idles; on an idle session one idle more", async () => {
    const session = await host.createSession()
    const turn = host.prompt(session, "think forever")
    await host.waitFor(() => host.model.mainRequests(session).length === 1)
    await host.abort(session)
    await turn
    await host.waitIdle(session)
    expect(endOf(session)).toEqual(["MessageAbortedError", "idle", "idle"])
    await host.abort(session)
    await host.waitFor(() => endOf(session).length === 4)
    expect(endOf(session).at(-1)).toBe("idle")
  })

  test("leaves a question open: the session is busy; dismissed: one idle and no error", async () => {
    const session = await host.createSession()
    const turn = host.prompt(session, "ask me")
    const asked = await openQuestion(session)
    expect(await host.isIdle(session)).toBe(false)
    expect(host.eventsOf("question.asked", session)[0]?.properties).toMatchObject({
      id: asked.id,
      sessionID: session,
      questions: [{ question: "Which?", header: "Which", options }],
      tool: { callID: asked.tool?.callID },
    })
    await host.rejectQuestion(asked.id)
    const { info } = await turn
    await host.waitIdle(session)
    expect(endOf(session)).toEqual(["idle"])
    expect(info).toMatchObject({ finish: "tool-calls" })
    expect(info).not.toHaveProperty("error")
    expect(host.eventsOf("question.rejected", session)[0]?.properties).toEqual({
      sessionID: session,
      requestID: asked.id,
    })
    expect(host.model.mainRequests(session)).toHaveLength(1)
  })

  test("answers a question: the model reads the answer and goes on", async () => {
    const session = await host.createSession()
    const turn = host.prompt(session, "ask me")
    const asked = await openQuestion(session)
    await host.replyQuestion(asked.id, [["A"]])
    await turn
    expect(host.model.mainRequests(session)[1]?.lastToolResults()[0]?.text).toContain('"A"')
    expect(host.eventsOf("question.replied", session)[0]?.properties).toMatchObject({
      requestID: asked.id,
      answers: [["A"]],
    })
  })

  test("rejects a permission: the turn ends in one idle; with a message the model goes on", async () => {
    const session = await host.createSession()
    const first = host.prompt(session, "run bash")
    await rejectPermission(session)
    expect((await first).info).not.toHaveProperty("error")
    await host.waitIdle(session)
    expect(endOf(session)).toEqual(["idle"])
    expect(host.model.mainRequests(session)).toHaveLength(1)
    const second = host.prompt(session, "run bash")
    await rejectPermission(session, "use ls")
    await second
    expect(host.model.mainRequests(session).at(-1)?.lastToolResults()[0]?.text).toEndWith("use ls")
    expect(
      host.eventsOf("permission.replied", session).map(({ properties }) => properties),
    ).toEqual([
      { sessionID: session, requestID: expect.any(String), reply: "reject" },
      { sessionID: session, requestID: expect.any(String), reply: "reject" },
    ])
  })
})

test("a killed host that starts again has its sessions, and loads the plugin again", async () => {
  const session = await host.createSession()
  await host.prompt(session, "hello")
  const before = await host.messages(session)
  const starts = probeCalls(host, "server").length
  await host.restart("kill")
  expect(await host.messages(session)).toEqual(before)
  expect(probeCalls(host, "server")).toHaveLength(starts + 1)
  // The host takes the newest message by its time: a machine's clock that was set back meanwhile would hide what is said now.
  const newest = Math.max(...before.map(({ info }) => info.time.created))
  await host.waitFor(() => Date.now() > newest, { what: "the clock is past the last message" })
  await host.prompt(session, "and again")
  expect(await host.messages(session)).toHaveLength(4)
})

function openQuestion(sessionId: string) {
  return host.waitFor(async () =>
    (await host.questions()).find(({ sessionID }) => sessionID === sessionId),
  )
}

async function rejectPermission(sessionId: string, message?: string): Promise<void> {
  const asked = await host.waitFor(async () =>
    (await host.permissions()).find(({ sessionID }) => sessionID === sessionId),
  )
  expect(asked).toMatchObject({ permission: "bash", patterns: ["echo hi"] })
  await host.replyPermission(asked.id, "reject", message)
}
