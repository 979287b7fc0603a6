import { expect, test } from "bun:test"
import fc from "fast-check"
import type { HostEvent } from "../../src/decide/memory/host-event.ts"
import { remember } from "../../src/decide/memory/remember.ts"
import { NOTHING_REMEMBERED } from "../../src/decide/memory/session-memory.ts"
import { openSessions } from "../../src/opencode/host/sessions.ts"

const sessionId = fc.oneof(
  fc.constantFrom("ses_a", "ses_b", "__proto__", "constructor"),
  fc.nat(5_000).map((index) => `ses_${index}`),
)
const requestId = fc.nat(300).map((index) => `que_${index}`)
const at = fc.nat(1_000)
const event: fc.Arbitrary<HostEvent> = fc.oneof(
  fc.record({
    kind: fc.constant("session-created" as const),
    sessionId,
    parentId: fc.option(sessionId),
  }),
  fc.record({ kind: fc.constant("session-deleted" as const), sessionId }),
  fc.record({ kind: fc.constant("session-busy" as const), sessionId }),
  fc.record({ kind: fc.constant("session-idle" as const), sessionId, at }),
  fc.record({ kind: fc.constant("session-waits" as const), sessionId, at, until: at }),
  fc.record({
    kind: fc.constant("session-failed" as const),
    sessionId,
    failure: fc.record({ kind: fc.constant("transient" as const), words: fc.string(), at }),
  }),
  fc.record({
    kind: fc.constant("session-too-long" as const),
    ...{ sessionId, at, words: fc.string() },
  }),
  fc.record({ kind: fc.constant("session-aborted" as const), sessionId, at }),
  fc.record({
    kind: fc.constantFrom("question-asked" as const, "permission-asked" as const),
    sessionId,
    requestId,
  }),
  fc.record({
    kind: fc.constantFrom("question-answered" as const, "permission-answered" as const),
    sessionId,
    requestId,
    rejected: fc.boolean(),
    at,
  }),
  fc.record({ kind: fc.constant("assistant-started" as const), sessionId, createdAt: at, at }),
  fc.record({
    kind: fc.constant("command-answered" as const),
    sessionId,
    name: fc.string(),
    text: fc.string(),
  }),
  fc.record({
    kind: fc.constant("message-received" as const),
    sessionId,
    messageId: fc.constantFrom("msg_1", "msg_2"),
    at,
    isUsers: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("told-of-writes" as const), sessionId }),
  fc.record({ kind: fc.constant("lease-held" as const), sessionId, handoffId: requestId, at }),
  fc.record({ kind: fc.constant("lease-lost" as const), sessionId, handoffId: requestId }),
  fc.record({
    kind: fc.constant("call-begun" as const),
    sessionId,
    call: fc.record({
      callId: requestId,
      workId: fc.constant("work"),
      task: fc.constant(null),
      childId: fc.constant(null),
      isBack: fc.constant(false),
    }),
  }),
  fc.record({ kind: fc.constant("call-back" as const), sessionId, callId: requestId }),
  fc.record({ kind: fc.constant("call-ended" as const), sessionId, callId: requestId }),
  fc.record({
    kind: fc.constant("task-part" as const),
    sessionId,
    callId: requestId,
    status: fc.constantFrom("running" as const, "completed" as const, "error" as const),
    childId: fc.option(sessionId),
  }),
  fc.record({ kind: fc.constant("user-message" as const), sessionId, messageId: requestId }),
  fc.record({
    kind: fc.constant("text-part" as const),
    sessionId,
    messageId: requestId,
    partId: requestId,
    text: fc.string(),
    isOurs: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("said" as const), sessionId, said: fc.option(fc.string()) }),
  fc.record({
    kind: fc.constant("model-told" as const),
    sessionId,
    contextLimit: fc.nat(),
    compactsAt: fc.nat(),
  }),
)

test("memory never throws and stays bounded over any events", () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 400 }), (events) => {
      const memory = events.reduce(remember, NOTHING_REMEMBERED)
      expect(memory.questions.length).toBeLessThanOrEqual(64)
      expect(memory.permissions.length).toBeLessThanOrEqual(64)
      expect(memory.leases.length).toBeLessThanOrEqual(64)
      expect(memory.calls.length).toBeLessThanOrEqual(256)
      expect(new Set(memory.questions).size).toBe(memory.questions.length)
    }),
    { numRuns: 300 },
  )
})

test("an event told twice in a row is an event told once", () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 50 }), event, (events, last) => {
      const once = [...events, last].reduce(remember, NOTHING_REMEMBERED)
      expect(remember(once, last)).toEqual(once)
    }),
  )
})

test("a no is over once the same session's model has gone on, and only then", () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 50 }), at, (events, moment) => {
      const asked = events.reduce(remember, NOTHING_REMEMBERED)
      const said = { sessionId: "ses_a", requestId: "que_1", rejected: true, at: moment }
      const rejected = remember(asked, { kind: "permission-answered", ...said })
      expect(rejected.rejectedAt).toBe(moment)
      const later = {
        kind: "assistant-started",
        sessionId: "ses_a",
        createdAt: moment + 1,
        at: moment + 1,
      } as const
      expect(remember(rejected, later).rejectedAt).toBeNull()
    }),
  )
})

test("the memory of all sessions is bounded, and a deleted one is gone", () => {
  fc.assert(
    fc.property(fc.array(event, { minLength: 1_500, maxLength: 3_000 }), (events) => {
      const sessions = openSessions()
      for (const one of events) sessions.note(one)
      expect([...sessions.ids()].length).toBeLessThanOrEqual(1_000)
      const last = events.at(-1)
      // Its call may hang still: of what it said and asked nothing is left.
      const { questions, permissions, calls, leases, spent } = NOTHING_REMEMBERED
      if (last?.kind === "session-deleted")
        expect(sessions.of(last.sessionId)).toMatchObject({
          isDeleted: true,
          ...{ questions, permissions, calls, leases, spent },
        })
    }),
    { numRuns: 20 },
  )
})
