import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import { PROBE, probeCalls } from "../support/host-probe.ts"
import { taskPart } from "../support/host-task-part.ts"
import { PINNED_VERSION, TESTED_VERSIONS } from "../support/host-version.ts"
import { type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { type Reply, scriptOf } from "../support/scripted-model.ts"

setDefaultTimeout(180_000)

/** Where the supported hosts differ. The first start of an older one installs it from npm. */

const delegate = (prompt: string): Reply => ({
  toolCalls: [
    { name: "task", args: { description: `do ${prompt}`, prompt, subagent_type: "general" } },
  ],
})
const question: Reply = {
  toolCalls: [
    {
      name: "question",
      args: {
        questions: [
          { question: "Which?", header: "Which", options: [{ label: "A", description: "a" }] },
        ],
      },
    },
  ],
}

describe.each(TESTED_VERSIONS)("opencode %s", (version) => {
  let host: OpencodeHost

  beforeAll(async () => {
    host = await startHost({
      ...PROBE,
      snapshots: true,
      version,
      permission: { "*": "allow", bash: "ask" },
      script: scriptOf({
        "delegate well": [delegate("SUB-OK"), { text: "all done" }],
        "SUB-OK": [{ text: "sub result" }],
        "delegate badly": [delegate("SUB-FAIL"), { text: "noticed nothing" }],
        "SUB-FAIL": [{ status: 400 }],
        "ask me": [question, { text: "answered" }],
        "run bash": [{ toolCalls: [{ name: "bash", args: { command: "ls", description: "" } }] }],
      }),
    })
  }, 400_000)

  afterAll(() => host.stop())

  test("loads the plugin and its command", async () => {
    expect(probeCalls(host, "server")).toHaveLength(1)
    expect(await host.commandNames()).toContain("probe")
  })

  test("the task tool's output and metadata name the child", async () => {
    const session = await host.createSession()
    await host.prompt(session, "delegate well")
    const id = String((await host.children(session))[0]?.id)
    const after = probeCalls(host, "tool.execute.after").at(-1)
    const older = `task_id: ${id} (for resuming to continue this task if needed)\n\n<task_result>\nsub result\n</task_result>`
    const newer = `<task id="${id}" state="completed">\n<task_result>\nsub result\n</task_result>\n</task>`
    expect(after?.output).toMatchObject({
      output: version === "1.14.41" ? older : newer,
      metadata: { sessionId: id },
    })
  })

  test("a child that fails: its own last message has the error; before 1.17 the call looks completed", async () => {
    const session = await host.createSession()
    await host.prompt(session, "delegate badly")
    const id = String((await host.children(session))[0]?.id)
    const looksCompleted = version !== PINNED_VERSION
    expect(taskPart(await host.messages(session))?.state).toMatchObject(
      looksCompleted
        ? {
            status: "completed",
            output: expect.stringContaining("<task_result>\n\n</task_result>"),
          }
        : { status: "error", metadata: { sessionId: id } },
    )
    const after = probeCalls(host, "tool.execute.after").at(-1)?.input["sessionID"]
    expect(after === session).toBe(looksCompleted)
    expect((await host.messages(id)).at(-1)?.info).toMatchObject({ error: { name: "APIError" } })
  })

  test("the session's agent: from the session where it is kept, else from the last user message", async () => {
    const session = await host.createSession()
    await host.prompt(session, "hello", { agent: "plan" })
    const expected = version === "1.14.41" ? undefined : "plan"
    expect((await host.session(session)).agent).toBe(expected as string)
    expect((await host.messages(session))[0]?.info).toMatchObject({
      role: "user",
      agent: "plan",
      model: { providerID: "lab", modelID: "m" },
    })
  })

  test("a dismissed question and a rejected permission give the pinned host's events", async () => {
    const session = await host.createSession()
    const asking = host.prompt(session, "ask me")
    const asked = await host.waitFor(async () => (await host.questions())[0])
    await host.rejectQuestion(asked.id)
    await asking
    const running = host.prompt(session, "run bash")
    const wanted = await host.waitFor(async () => (await host.permissions())[0])
    await host.replyPermission(wanted.id, "reject")
    await running
    await host.waitIdle(session)
    const [question, permission] = [asked.id, wanted.id]
    expect(propertiesOf("question.asked")).toMatchObject({ id: question, sessionID: session })
    expect(propertiesOf("question.rejected")).toMatchObject({ requestID: question })
    expect(propertiesOf("permission.asked")).toMatchObject({ id: permission, permission: "bash" })
    expect(propertiesOf("permission.replied")).toMatchObject({
      requestID: permission,
      reply: "reject",
    })
    expect(host.eventsOf("session.idle", session)).toHaveLength(2)
    expect(host.eventsOf("session.error", session)).toHaveLength(0)
  })

  const propertiesOf = (type: string) => host.eventsOf(type).at(-1)?.properties
})
