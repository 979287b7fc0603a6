import { describe, expect, test } from "bun:test"
import { frameIn, refusalIn } from "./boulder-frame.ts"
import { eventStream } from "./event-stream.ts"
import { serverEventOf } from "./server-event.ts"

const LEAD = "ses_e02a05cf0ffeiVkhL7Rr1p5C1e"
const CHILD = "ses_e02a05cf0ffeiVkhL7Rr1p5CHI"

describe("events of the host", () => {
  test.each([
    [
      "session.created",
      { sessionID: CHILD, info: { id: CHILD, parentID: LEAD } },
      { kind: "session-created", sessionId: CHILD, parentId: LEAD },
    ],
    ["session.idle", { sessionID: LEAD }, { kind: "session-idle", sessionId: LEAD }],
    [
      "question.asked",
      { id: "que_1", sessionID: CHILD, questions: [{ question: "Which?", header: "W" }] },
      { kind: "question-asked", sessionId: CHILD, requestId: "que_1", detail: "Which?" },
    ],
    [
      "permission.asked",
      { id: "per_1", sessionID: LEAD, permission: "bash", patterns: ["rm *", "mv *"] },
      {
        kind: "permission-asked",
        sessionId: LEAD,
        requestId: "per_1",
        detail: "bash rm *, mv *",
      },
    ],
    [
      "permission.replied",
      { sessionID: LEAD, requestID: "per_1", reply: "once" },
      {
        kind: "permission-answered",
        sessionId: LEAD,
        requestId: "per_1",
        rejected: false,
        at: expect.any(Number),
      },
    ],
    [
      "message.updated",
      { info: { id: "msg_1", sessionID: LEAD, role: "user" } },
      { kind: "user-message", sessionId: LEAD, messageId: "msg_1" },
    ],
    [
      "message.updated",
      {
        info: {
          id: "msg_2",
          sessionID: LEAD,
          role: "assistant",
          time: { created: 1, completed: 2 },
          tokens: { input: 100, output: 10, cache: { read: 50, write: 5 } },
        },
      },
      { kind: "usage", sessionId: LEAD, messageId: "msg_2", input: 155, output: 10 },
    ],
    [
      "message.part.updated",
      {
        part: {
          id: "prt_1",
          type: "text",
          sessionID: LEAD,
          messageID: "msg_1",
          text: "<boulder>",
          metadata: { "opencode-boulder": "continuation" },
        },
      },
      {
        kind: "text",
        sessionId: LEAD,
        messageId: "msg_1",
        partId: "prt_1",
        text: "<boulder>",
        marked: true,
      },
    ],
    [
      "message.part.updated",
      {
        part: {
          type: "tool",
          tool: "task",
          sessionID: LEAD,
          callID: "call_1",
          state: {
            status: "completed",
            input: { description: "todo:1 One", task_id: CHILD },
            output: "done",
            metadata: { sessionId: CHILD },
          },
        },
      },
      {
        kind: "task",
        sessionId: LEAD,
        callId: "call_1",
        status: "completed",
        description: "todo:1 One",
        resumes: CHILD,
        childId: CHILD,
        output: "done",
      },
    ],
  ])("%s", (type, properties, expected) => {
    expect(serverEventOf({ type, properties })).toEqual(
      expected as ReturnType<typeof serverEventOf>,
    )
  })

  test.each([
    { name: "a path", metadata: { sessionId: "../evil\u001b[31m" } },
    { name: "a number", metadata: { sessionId: 7 } },
    { name: "nothing", metadata: {} },
  ])("a task's child without the form of an id is none: $name", ({ metadata }) => {
    const state = { status: "running", input: {}, metadata }
    const part = { type: "tool", tool: "task", sessionID: LEAD, callID: "call_1", state }
    const told = serverEventOf({ type: "message.part.updated", properties: { part } })
    expect(told).toMatchObject({ kind: "task", childId: null })
  })

  test("an answer's tokens are those that the plugin counts", () => {
    const time = { created: 1, completed: 2 }
    const tokens = { total: 100, input: 1, output: 2 }
    const info = { id: "msg_2", sessionID: LEAD, role: "assistant", time, tokens }
    const told = serverEventOf({ type: "message.updated", properties: { info } })
    expect(told).toMatchObject({ kind: "usage", input: 98, output: 2 })
  })

  test.each([
    [null],
    ["text"],
    [{ type: "toString", properties: {} }],
    [{ type: "session.created" }],
    [{ type: "session.created", properties: { info: 7 } }],
    [{ type: "question.asked", properties: { id: "que_1" } }],
    [{ type: "message.updated", properties: { info: { role: "assistant" } } }],
    [{ type: "message.part.updated", properties: { part: { type: "tool", tool: "bash" } } }],
    [{ type: "server.heartbeat", properties: {} }],
  ])("%j is of no use", (event) => {
    expect(serverEventOf(event)).toBeNull()
  })
})

describe("the plugin's frame in a text", () => {
  test.each([
    ["a\n<boulder>\nx\n</boulder>\nb", "<boulder>\nx\n</boulder>"],
    ["<boulder>\n1\n</boulder>\n<boulder>\n2\n</boulder>", "<boulder>\n2\n</boulder>"],
    ["<boulder>\nnever closed", null],
    ["no frame", null],
  ])("%j", (text, expected) => {
    expect(frameIn(text)).toBe(expected)
  })

  test("what /start-work said instead of starting", () => {
    const text =
      "<boulder>\nTell the user exactly this and do nothing else:\nNo plan.\nWrite one.\n</boulder>"
    expect(refusalIn(text)).toBe("No plan. Write one.")
    expect(refusalIn(`quoted: ${text}`)).toBeNull()
    expect(refusalIn("<boulder>\nStart the plan demo.\n</boulder>")).toBeNull()
  })
})

test("a stream of events is read whatever its chunks are, and nonsense is passed over", async () => {
  const text =
    'data: {"type":"a"}\n\n: comment\n\ndata: {broken\n\ndata: {"type":\ndata: "ü"}\r\n\r\ndata: {"cut'
  const bytes = new TextEncoder().encode(text)
  for (const size of [1, 2, 7, bytes.length]) {
    async function* chunks() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size)
    }
    const events: unknown[] = []
    for await (const event of eventStream(chunks())) events.push(event)
    expect(events).toEqual([{ type: "a" }, { type: "ü" }])
  }
})

test("a frame over 16 million characters is passed over, and what follows it is read", async () => {
  async function* chunks() {
    const encoder = new TextEncoder()
    for (const text of ['data: {"type":\ndata: "', "a".repeat(16_000_000), '"}\n'])
      yield encoder.encode(text)
    yield encoder.encode('data: {"type":"b"}\n\ndata: {"type":"c"}\n\n')
  }
  const events: unknown[] = []
  for await (const event of eventStream(chunks())) events.push(event)
  expect(events).toEqual([{ type: "c" }])
})
