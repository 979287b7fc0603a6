import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { CHILD, LEAD, NOW } from "../../../../test/support/builders.ts"
import type { HostEvent } from "../../../decide/memory/host-event.ts"
import { translateEvent } from "./translate-event.ts"

const event = (type: string, properties: unknown) => ({ id: "evt_1", type, properties })
const sessionID = LEAD
const sessionId = LEAD
const part = (
  given: object,
  state: object = { status: "running", metadata: { sessionId: CHILD } },
) =>
  event("message.part.updated", {
    sessionID,
    part: { type: "tool", tool: "task", sessionID, callID: "call_1", state, ...given },
  })

const called = {
  kind: "task-part",
  sessionId,
  callId: "call_1",
  words: { description: "", resumes: null, output: "" },
} as const
const said = {
  kind: "text-part",
  sessionId,
  messageId: "msg_1",
  partId: "prt_1",
  text: "hi",
} as const
const text = (given: object) =>
  event("message.part.updated", {
    part: { id: "prt_1", type: "text", sessionID, messageID: "msg_1", text: "hi", ...given },
  })
const answer = (tokens: object, time: object, cost?: unknown) =>
  event("message.updated", {
    info: { id: "msg_2", sessionID, role: "assistant", time, tokens, cost },
  })
const answered = (spent: {
  tokens: number
  output: number
  usd: number | null
  isFinal: boolean
  answeredAt?: number
}) =>
  ({
    kind: "assistant-started",
    sessionId,
    createdAt: 7,
    at: NOW,
    contextTokens: spent.tokens,
    spent: { messageId: "msg_2", ...spent },
  }) as const

describe("the host's events in our words (docs/HOST.md, events)", () => {
  test.each<{ name: string; given: unknown; is: HostEvent }>([
    {
      name: "a root session",
      given: event("session.created", { sessionID, info: { id: LEAD } }),
      is: { kind: "session-created", sessionId, parentId: null },
    },
    {
      name: "a child session",
      given: event("session.created", { info: { id: CHILD, parentID: LEAD } }),
      is: { kind: "session-created", sessionId: CHILD, parentId: LEAD },
    },
    {
      name: "a wait of the host's",
      given: event("session.status", {
        sessionID,
        status: { type: "retry", attempt: 1, message: "slow down", next: NOW + 9 },
      }),
      is: { kind: "session-waits", sessionId, at: NOW, until: NOW + 9 },
    },
    {
      name: "a provider's error",
      given: event("session.error", {
        sessionID,
        error: { name: "APIError", data: { message: "no", statusCode: 401 } },
      }),
      is: {
        kind: "session-failed",
        sessionId,
        failure: { kind: "refused", words: "no", at: NOW },
      },
    },
    {
      name: "a request that is too long",
      given: event("session.error", {
        sessionID,
        error: { name: "ContextOverflowError", data: { message: "too\nlong" } },
      }),
      is: { kind: "session-too-long", sessionId, at: NOW, words: "too long" },
    },
    {
      name: "a request that is too long, without words",
      given: event("session.error", { sessionID, error: { name: "ContextOverflowError" } }),
      is: { kind: "session-too-long", sessionId, at: NOW, words: "ContextOverflowError" },
    },
    {
      name: "a deleted session",
      given: event("session.deleted", { info: { id: LEAD } }),
      is: { kind: "session-deleted", sessionId },
    },
    {
      name: "a deleted session without its info",
      given: event("session.deleted", { sessionID }),
      is: { kind: "session-deleted", sessionId },
    },
    {
      name: "a message that was taken back",
      given: event("message.removed", { sessionID, messageID: "msg_1" }),
      is: { kind: "message-removed", sessionId, messageId: "msg_1" },
    },
    {
      name: "busy",
      given: event("session.status", { sessionID, status: { type: "busy" } }),
      is: { kind: "session-busy", sessionId },
    },
    {
      name: "idle",
      given: event("session.idle", { sessionID }),
      is: { kind: "session-idle", sessionId, at: NOW },
    },
    {
      name: "the user's stop",
      given: event("session.error", {
        sessionID,
        error: { name: "MessageAbortedError", data: { message: "Aborted" } },
      }),
      is: { kind: "session-aborted", sessionId, at: NOW },
    },
    {
      name: "a question",
      given: event("question.asked", {
        id: "que_1",
        sessionID,
        questions: [{ question: "Which?", header: "W" }],
      }),
      is: {
        kind: "question-asked",
        sessionId,
        requestId: "que_1",
        detail: "Which?",
        request: {
          kind: "question",
          id: "que_1",
          sessionId,
          questions: [{ text: "Which?", choices: [], isMultiple: false }],
        },
      },
    },
    {
      name: "its answer",
      given: event("question.replied", { sessionID, requestID: "que_1", answers: [["a", 1], 2] }),
      is: {
        kind: "question-answered",
        sessionId,
        requestId: "que_1",
        rejected: false,
        at: NOW,
        answers: [["a"], []],
      },
    },
    {
      name: "a question for the approval of the final wave",
      given: event("question.asked", {
        id: "que_1",
        sessionID,
        questions: [
          { header: "Which" },
          { header: "final wave ", options: [{ label: "Approve" }, { label: "Not yet" }] },
        ],
      }),
      is: {
        kind: "question-asked",
        sessionId,
        requestId: "que_1",
        detail: "",
        waveQuestion: 1,
        request: expect.anything(),
      },
    },
    {
      name: "two of them",
      given: event("question.asked", {
        id: "que_1",
        sessionID,
        questions: [1, 2].map(() => ({ header: "Final wave", options: [{ label: "Approve" }] })),
      }),
      is: {
        kind: "question-asked",
        sessionId,
        requestId: "que_1",
        detail: "",
        request: expect.anything(),
      },
    },
    {
      name: "its dismissal",
      given: event("question.rejected", { sessionID, requestID: "que_1" }),
      is: { kind: "question-answered", sessionId, requestId: "que_1", rejected: true, at: NOW },
    },
    {
      name: "a permission",
      given: event("permission.asked", {
        id: "per_1",
        sessionID,
        permission: "bash",
        patterns: ["rm *", "mv *"],
      }),
      is: {
        kind: "permission-asked",
        sessionId,
        requestId: "per_1",
        detail: "bash rm *, mv *",
        request: expect.anything(),
      },
    },
    {
      name: "a permission of older hosts",
      given: event("permission.updated", { id: "per_1", sessionID, type: "bash", title: "ls" }),
      is: {
        kind: "permission-asked",
        sessionId,
        requestId: "per_1",
        detail: "ls",
        request: expect.anything(),
      },
    },
    {
      name: "a permission given",
      given: event("permission.replied", { sessionID, requestID: "per_1", reply: "once" }),
      is: { kind: "permission-answered", sessionId, requestId: "per_1", rejected: false, at: NOW },
    },
    {
      name: "a permission rejected",
      given: event("permission.replied", { sessionID, requestID: "per_1", reply: "reject" }),
      is: { kind: "permission-answered", sessionId, requestId: "per_1", rejected: true, at: NOW },
    },
    {
      name: "a permission rejected in older hosts",
      given: event("permission.replied", { sessionID, permissionID: "per_1", response: "reject" }),
      is: { kind: "permission-answered", sessionId, requestId: "per_1", rejected: true, at: NOW },
    },
    {
      name: "an assistant's message",
      given: event("message.updated", {
        sessionID,
        info: { role: "assistant", sessionID, time: { created: 7 } },
      }),
      is: { kind: "assistant-started", sessionId, createdAt: 7, at: NOW },
    },
    {
      name: "an answer that goes on: its tokens, and what it has written of them",
      given: answer({ total: 100, input: 1, output: 2 }, { created: 7 }),
      is: answered({ tokens: 100, output: 2, usd: null, isFinal: false }),
    },
    {
      name: "an answer that is over, of a host that gives no total",
      given: answer(
        { input: 100, output: 10, cache: { read: 50, write: 5 } },
        { created: 7, completed: 8 },
      ),
      is: answered({ tokens: 165, output: 10, usd: null, isFinal: true, answeredAt: 8 }),
    },
    {
      name: "an answer that has failed: what it has cost, and no answer",
      given: event("message.updated", {
        info: {
          ...{ id: "msg_2", sessionID, role: "assistant", time: { created: 7, completed: 8 } },
          ...{ tokens: { total: 100, output: 2 }, error: { name: "APIError", data: {} } },
        },
      }),
      is: answered({ tokens: 100, output: 2, usd: null, isFinal: true }),
    },
    ...[
      { cost: 0.0375, usd: 0.0375 },
      // The host says 0 if it knows no price.
      { cost: 0, usd: null },
      { cost: -1, usd: null },
      { cost: Number.NaN, usd: null },
      { cost: 1e300, usd: null },
      { cost: "0.5", usd: null },
    ].map(({ cost, usd }) => ({
      name: `an answer at the price of ${cost}`,
      given: answer({ total: 100, output: 2 }, { created: 7, completed: 8 }, cost),
      is: answered({ tokens: 100, output: 2, usd, isFinal: true, answeredAt: 8 }),
    })),
    {
      name: "a user's message",
      given: event("message.updated", { info: { id: "msg_1", role: "user", sessionID } }),
      is: { kind: "user-message", sessionId, messageId: "msg_1" },
    },
    {
      name: "a text",
      given: text({}),
      is: { ...said, isOurs: false },
    },
    {
      name: "a text of ours",
      given: text({ metadata: { "opencode-boulder": "continuation" } }),
      is: { ...said, isOurs: true },
    },
    {
      name: "a completed task",
      given: part(
        {},
        {
          status: "completed",
          input: { description: "todo:1 One", task_id: CHILD },
          output: "done",
          metadata: { sessionId: CHILD },
        },
      ),
      is: {
        ...called,
        status: "completed",
        childId: CHILD,
        words: { description: "todo:1 One", resumes: CHILD, output: "done" },
      },
    },
    {
      name: "a running task",
      given: part({}),
      is: { ...called, status: "running", childId: CHILD },
    },
    {
      name: "a running task whose child is not known yet",
      given: part({}, { status: "running" }),
      is: { ...called, status: "running", childId: null },
    },
    {
      name: "a failed task",
      given: part({}, { status: "error", error: "Task cancelled", metadata: { sessionId: CHILD } }),
      is: { ...called, status: "error", childId: CHILD },
    },
    {
      name: "a task with a child of a wrong form",
      given: part({}, { status: "running", metadata: { sessionId: "../evil\u001b[31m" } }),
      is: { ...called, status: "running", childId: null },
    },
  ])("$name", ({ given, is }) => {
    expect(translateEvent(given, NOW)).toEqual(is)
  })
})

describe("anything else is none of our business", () => {
  test.each<{ name: string; given: unknown }>([
    { name: "another event", given: event("message.part.delta", { sessionID }) },
    {
      name: "a status of idle: session.idle tells it",
      given: event("session.status", { sessionID, status: { type: "idle" } }),
    },
    {
      name: "a retry without its time",
      given: event("session.status", { sessionID, status: { type: "retry", attempt: 1 } }),
    },
    { name: "an error without a name", given: event("session.error", { sessionID, error: {} }) },
    {
      name: "an abort of no session",
      given: event("session.error", { error: { name: "MessageAbortedError" } }),
    },
    {
      name: "a user's message without an id",
      given: event("message.updated", { info: { role: "user", sessionID, time: { created: 7 } } }),
    },
    {
      name: "an assistant's message without a time",
      given: event("message.updated", { info: { role: "assistant", sessionID } }),
    },
    { name: "another tool", given: part({ tool: "bash" }) },
    { name: "a task that is not yet called", given: part({}, { status: "pending" }) },
    { name: "a task without a call id", given: part({ callID: undefined }) },
    { name: "a text for the screen alone", given: text({ ignored: true }) },
    {
      name: "a text without ids",
      given: event("message.part.updated", { part: { type: "text", sessionID, text: "x" } }),
    },
    { name: "an id that is a number", given: event("session.idle", { sessionID: 7 }) },
    { name: "a question without an id", given: event("question.asked", { sessionID }) },
    {
      name: "an answer to no request",
      given: event("permission.replied", { sessionID, reply: "reject" }),
    },
    { name: "no properties", given: { type: "session.idle" } },
    { name: "no type", given: { properties: {} } },
    {
      name: "an answer that began at no time",
      given: answer({ total: 1 }, { created: Number.NaN }),
    },
    { name: "a type of the prototype", given: event("constructor", {}) },
    { name: "a type __proto__", given: event("__proto__", {}) },
    { name: "null", given: null },
    { name: "text", given: "session.idle" },
    { name: "nothing", given: undefined },
  ])("$name", ({ given }) => {
    expect(translateEvent(given, NOW)).toBeNull()
  })
})

const TYPES = [
  "session.created",
  "session.deleted",
  "session.status",
  "session.idle",
  "session.error",
  "question.asked",
  "question.replied",
  "question.rejected",
  "permission.asked",
  "permission.updated",
  "permission.replied",
  "message.updated",
  "message.part.updated",
]

describe("never throws", () => {
  test("on any JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        expect(() => translateEvent(json, NOW)).not.toThrow()
      }),
    )
  })
  test("on any JSON behind a type that it knows; what it gives has an id", () => {
    const known = fc.constantFrom("sessionID", "info", "part", "status", "error", "id", "requestID")
    const properties = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(known, fc.oneof(fc.jsonValue(), fc.constant(sessionID))),
    )
    fc.assert(
      fc.property(fc.constantFrom(...TYPES), properties, (type, given) => {
        const told = translateEvent(event(type, given), NOW)
        if (told !== null) expect(typeof told.sessionId).toBe("string")
      }),
      { numRuns: 1_000 },
    )
  })
})
