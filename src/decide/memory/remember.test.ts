import { describe, expect, test } from "bun:test"
import { NOW } from "../../../test/support/builders.ts"
import { NO_GROWTH } from "./context-growth.ts"
import type { HostEvent } from "./host-event.ts"
import { remember } from "./remember.ts"
import { NOTHING_REMEMBERED, type SessionMemory } from "./session-memory.ts"

const sessionId = "ses_a"
const after = (...events: readonly HostEvent[]): SessionMemory =>
  events.reduce(remember, NOTHING_REMEMBERED)
const asked = (requestId: string): HostEvent => ({ kind: "question-asked", sessionId, requestId })
const wanted = (requestId: string): HostEvent => ({
  kind: "permission-asked",
  sessionId,
  requestId,
})
const replied = (requestId: string, rejected = false): HostEvent => ({
  kind: "question-answered",
  sessionId,
  requestId,
  rejected,
  at: NOW,
})
const permitted = (requestId: string, rejected = false): HostEvent => ({
  kind: "permission-answered",
  sessionId,
  requestId,
  rejected,
  at: NOW,
})
const aborted: HostEvent = { kind: "session-aborted", sessionId, at: NOW }
const assistant = (createdAt: number): HostEvent => ({
  kind: "assistant-started",
  sessionId,
  createdAt,
  at: Math.max(NOW, createdAt),
})
const filled = (contextTokens: number): HostEvent => ({
  kind: "assistant-started",
  sessionId,
  createdAt: NOW,
  at: NOW,
  contextTokens,
})
const returned: HostEvent = { kind: "tool-returned", sessionId, chars: 400 }
const command: HostEvent = {
  kind: "command-answered",
  sessionId,
  name: "start-work",
  text: "Started.",
}
const message: HostEvent = {
  kind: "message-received",
  sessionId,
  messageId: "msg_1",
  at: 0,
  isUsers: true,
}

describe("tokens that were spent", () => {
  const answered = (messageId: string, tokens: number, usd: number | null = null): HostEvent => ({
    kind: "assistant-started",
    sessionId,
    createdAt: NOW,
    at: NOW,
    spent: { messageId, tokens, output: 1, usd, isFinal: false },
  })
  const booked: HostEvent = { kind: "spent-booked", sessionId }
  const returned: HostEvent = {
    kind: "spent-returned",
    sessionId,
    spent: { tokens: 7, usd: 0, unpricedTokens: 0 },
  }
  test.each<{ name: string; events: readonly HostEvent[]; is: number }>([
    { name: "an answer", events: [answered("msg_1", 5)], is: 5 },
    { name: "one told twice", events: [answered("msg_1", 5), answered("msg_1", 5)], is: 5 },
    { name: "one that grew", events: [answered("msg_1", 5), answered("msg_1", 9)], is: 9 },
    { name: "two answers", events: [answered("msg_1", 5), answered("msg_2", 5)], is: 10 },
    {
      name: "an older one told again behind a newer",
      events: [answered("msg_1", 100), answered("msg_2", 50), answered("msg_1", 100)],
      is: 150,
    },
    { name: "booked", events: [answered("msg_1", 5), booked], is: 0 },
    {
      name: "booked, and told again",
      events: [answered("msg_1", 5), booked, answered("msg_1", 5)],
      is: 0,
    },
    { name: "given back", events: [answered("msg_1", 5), booked, returned], is: 7 },
  ])("$name", ({ events, is }) => {
    expect(after(...events).spent.tokens).toBe(is)
  })
  test.each<{ name: string; events: readonly HostEvent[]; usd: number; unpriced: number }>([
    { name: "with a price", events: [answered("msg_1", 5, 0.25)], usd: 0.25, unpriced: 0 },
    { name: "without one", events: [answered("msg_1", 5)], usd: 0, unpriced: 5 },
    {
      name: "whose price grows, told twice",
      events: [
        answered("msg_1", 5, 0.25),
        answered("msg_1", 5, 0.5),
        answered("msg_1", 5, 0.5),
        answered("msg_1", 5, 0.25),
      ],
      usd: 0.5,
      unpriced: 0,
    },
    {
      name: "whose price comes late",
      events: [answered("msg_1", 5), answered("msg_1", 5, 0.25), answered("msg_1", 5)],
      usd: 0.25,
      unpriced: 0,
    },
    {
      name: "whose price comes behind its booking: what was booked is taken back",
      events: [answered("msg_1", 5), booked, answered("msg_1", 5, 0.25)],
      usd: 0.25,
      unpriced: -5,
    },
    {
      name: "of both kinds",
      events: [answered("msg_1", 5, 0.25), answered("msg_2", 7)],
      usd: 0.25,
      unpriced: 7,
    },
  ])("an answer $name is counted once", ({ events, usd, unpriced }) => {
    expect(after(...events).spent).toMatchObject({ usd, unpricedTokens: unpriced })
  })
  const untold = (
    tokens: number,
    given: { usd?: number | null; answeredAt?: number },
  ): HostEvent => ({
    ...{ kind: "assistant-started", sessionId, createdAt: NOW, at: NOW },
    spent: { messageId: "msg_u", tokens, output: 0, usd: null, isFinal: true, ...given },
  })
  const whole = { answeredAt: NOW }
  test.each<{ name: string; events: readonly HostEvent[]; answers: number }>([
    { name: "whole, told twice", events: [untold(0, whole), untold(0, whole)], answers: 1 },
    { name: "still under way", events: [untold(0, {})], answers: 0 },
    { name: "with tokens", events: [untold(5, whole)], answers: 0 },
    { name: "with a price alone", events: [untold(0, { ...whole, usd: 1 })], answers: 0 },
    { name: "whose tokens come late", events: [untold(0, whole), untold(5, whole)], answers: 0 },
    {
      name: "whose tokens come behind its booking: it is taken back",
      events: [untold(0, whole), booked, untold(5, whole)],
      answers: -1,
    },
  ])("an answer without usage is counted as one: $name", ({ events, answers }) => {
    expect(after(...events).spent.unknownAnswers ?? 0).toBe(answers)
  })
  test("no more than 64 answers are kept to tell them again", () => {
    const events = Array.from({ length: 200 }, (_, index) => answered(`msg_${index}`, 1))
    expect(after(...events)).toMatchObject({ spent: { tokens: 200 }, counted: { length: 64 } })
  })
})

describe("what each event leaves in memory", () => {
  test.each<{ name: string; events: readonly HostEvent[]; is: Partial<SessionMemory> }>([
    {
      name: "a child knows its parent",
      events: [{ kind: "session-created", sessionId, parentId: "ses_p" }],
      is: { parentId: "ses_p" },
    },
    {
      name: "a root knows that it has none",
      events: [{ kind: "session-created", sessionId, parentId: null }],
      is: { parentId: null },
    },
    {
      name: "a question is open until it is answered (omo#1888)",
      events: [asked("q1"), asked("q2"), replied("q1")],
      is: { questions: ["q2"], rejectedAt: null },
    },
    {
      name: "a question asked twice is one",
      events: [asked("q1"), asked("q1")],
      is: { questions: ["q1"] },
    },
    {
      name: "an answer to an unknown question changes nothing",
      events: [asked("q1"), replied("q9")],
      is: { questions: ["q1"] },
    },
    {
      name: "a dismissed question is a no",
      events: [asked("q1"), replied("q1", true)],
      is: { questions: [], rejectedAt: NOW },
    },
    {
      name: "a permission is open until it is given",
      events: [wanted("p1"), permitted("p1")],
      is: { permissions: [], rejectedAt: null },
    },
    {
      name: "a rejected permission is a no",
      events: [wanted("p1"), permitted("p1", true)],
      is: { permissions: [], rejectedAt: NOW },
    },
    {
      name: "questions and permissions are not mixed",
      events: [asked("x"), permitted("x")],
      is: { questions: ["x"] },
    },
    {
      name: "a no is over with the next assistant message",
      events: [permitted("p1", true), assistant(NOW + 1)],
      is: { rejectedAt: null },
    },
    {
      name: "a message that had begun before the no leaves it",
      events: [permitted("p1", true), assistant(NOW - 1)],
      is: { rejectedAt: NOW },
    },
    {
      name: "the message that asked, told once more behind a clock that was set back, leaves it",
      events: [
        permitted("p1", true),
        { kind: "assistant-started", sessionId, createdAt: NOW + 9, at: NOW + 1 },
      ],
      is: { rejectedAt: NOW },
    },
    {
      name: "a later yes does not undo a no",
      events: [permitted("p1", true), permitted("p2")],
      is: { rejectedAt: NOW },
    },
    {
      name: "an abort closes what was open",
      events: [asked("q1"), wanted("p1"), aborted],
      is: { abortedAt: NOW, questions: [], permissions: [] },
    },
    {
      name: "a stop whose pause is written is forgotten",
      events: [aborted, { kind: "stop-written", sessionId }],
      is: { abortedAt: null, rejectedAt: null },
    },
    {
      name: "a message lifts a stop that is not written yet",
      events: [aborted, message],
      is: { abortedAt: null },
    },
    {
      name: "what a command of ours answers lifts none",
      events: [aborted, { ...message, isCommands: true }],
      is: { abortedAt: NOW, isUsersTurn: true },
    },
    {
      name: "a command is remembered until its message",
      events: [command],
      is: { command: { name: "start-work", text: "Started." } },
    },
    { name: "a message tells whose turn it begins", events: [message], is: { isUsersTurn: true } },
    { name: "and no longer", events: [command, message], is: { command: null } },
    {
      name: "a reminder is given once a round",
      events: [{ kind: "told-of-writes", sessionId }],
      is: { toldOfWrites: true },
    },
    {
      name: "a message begins the next round",
      events: [{ kind: "told-of-writes", sessionId }, message],
      is: { toldOfWrites: false },
    },
    {
      name: "a model's context is known",
      events: [{ kind: "model-told", sessionId, contextLimit: 9, compactsAt: 8 }],
      is: { model: { contextLimit: 9, compactsAt: 8 } },
    },
    {
      name: "a turn's growth is counted from its first answer",
      events: [filled(8_000), message, assistant(NOW), filled(9_000), returned],
      is: {
        contextTokens: 9_000,
        growth: { ...NO_GROWTH, begunAt: 9_000, tokens: 9_000, createdAt: NOW, newChars: 400 },
      },
    },
    {
      name: "and anew after a compaction",
      events: [filled(9_000), { kind: "session-compacted", sessionId }, filled(10_000)],
      is: {
        contextTokens: 10_000,
        growth: { ...NO_GROWTH, begunAt: 10_000, tokens: 10_000, createdAt: NOW },
      },
    },
    {
      name: "what no compaction takes away is known from the first answer behind one",
      events: [filled(9_000), { kind: "session-compacted", sessionId }, filled(700), filled(900)],
      is: { contextTokens: 900, base: 700 },
    },
    { name: "and not before", events: [filled(9_000)], is: { base: 0 } },
  ])("$name", ({ events, is }) => {
    expect(after(...events)).toMatchObject(is)
  })
})

describe("memory", () => {
  test("what says nothing new leaves the very same object", () => {
    const known = after({ kind: "model-told", sessionId, contextLimit: 9, compactsAt: 8 })
    expect(remember(known, { kind: "model-told", sessionId, contextLimit: 9, compactsAt: 8 })).toBe(
      known,
    )
    expect(remember(known, assistant(NOW))).toBe(known)
    expect(remember(known, { kind: "session-idle", sessionId, at: NOW })).toBe(known)
    const busy = after({ kind: "session-busy", sessionId })
    expect(remember(busy, { kind: "session-busy", sessionId })).toBe(busy)
  })
  test("never changes in place", () => {
    const before = Object.freeze({ ...NOTHING_REMEMBERED, questions: Object.freeze(["q1"]) })
    expect(() =>
      [asked("q2"), replied("q1"), aborted].map((event) => remember(before, event)),
    ).not.toThrow()
  })
  test("pending lists are bounded, the latest kept", () => {
    const many = Array.from({ length: 500 }, (_, index) => asked(`q${index}`))
    const { questions } = after(...many)
    expect(questions.length).toBeLessThanOrEqual(64)
    expect(questions.at(-1)).toBe("q499")
  })
})

describe("the host waits for the provider by itself", () => {
  const waits = remember(NOTHING_REMEMBERED, {
    kind: "session-waits",
    ...{ sessionId, at: NOW, until: NOW + 9 },
  })
  test("it runs meanwhile; the next request or an error ends the wait", () => {
    expect(waits).toMatchObject({ running: { waitsUntil: NOW + 9 }, abortedAt: null })
    expect(remember(waits, { kind: "session-busy", sessionId })).toMatchObject({
      running: { waitsUntil: null },
    })
    const failure = { kind: "transient", words: "", at: NOW } as const
    const failed = remember(waits, { kind: "session-failed", sessionId, failure })
    expect(remember(failed, { kind: "session-idle", sessionId, at: NOW })).toMatchObject({
      failure,
      running: null,
      abortedAt: null,
    })
  })
  test("so does a refusal of its request as too long, each time", () => {
    const tooLong = (at: number): HostEvent => ({
      kind: "session-too-long",
      ...{ sessionId, at, words: "too long" },
    })
    const once = remember(waits, tooLong(NOW))
    expect(once.running).toEqual({ waitsUntil: null })
    const again = { kind: "session-waits", ...{ sessionId, at: NOW, until: NOW + 9 } } as const
    for (const at of [NOW, NOW + 1]) {
      const refused = remember(remember(once, again), tooLong(at))
      const idle = remember(refused, { kind: "session-idle", sessionId, at: NOW + 2 })
      expect(idle).toMatchObject({ running: null, abortedAt: null })
    }
    expect(remember(NOTHING_REMEMBERED, tooLong(NOW)).running).toBeNull()
  })
  test("an idle in its midst is the user's stop", () => {
    expect(remember(waits, { kind: "session-idle", sessionId, at: NOW })).toMatchObject({
      running: null,
      abortedAt: NOW,
    })
  })
})

test("a prompt of ours that is taken back is in no doubt; another's removal changes nothing", () => {
  const received: HostEvent = {
    ...{ kind: "message-received", sessionId, messageId: "msg_ours", at: NOW },
    ...{ isUsers: false, isOurs: true },
  }
  const removed = (messageId: string): HostEvent => ({
    ...{ kind: "message-removed", sessionId, messageId },
  })
  const asked = after(received)
  expect(asked.unansweredSince).toBe(NOW)
  expect(remember(asked, removed("msg_ours")).unansweredSince).toBeNull()
  expect(remember(asked, removed("msg_other"))).toBe(asked)
  expect(remember(NOTHING_REMEMBERED, removed("msg_ours"))).toBe(NOTHING_REMEMBERED)
})

describe("a request that is too long", () => {
  const refusedAt = (at: number): HostEvent => ({
    kind: "session-too-long",
    ...{ sessionId, at, words: "too long" },
  })
  const first = refusedAt(NOW - 1)
  const refused = refusedAt(NOW)
  const compacted: HostEvent = { kind: "session-compacted", sessionId }
  const answer = (createdAt: number, given: object = { hasAnswered: true }): HostEvent => ({
    kind: "assistant-started",
    ...{ sessionId, createdAt, at: NOW + 9, ...given },
  })
  const prompt: HostEvent = {
    kind: "message-received",
    ...{ sessionId, messageId: "msg_1", at: NOW, isUsers: false },
  }
  const failure = { kind: "refused", words: "too long", at: NOW } as const
  test.each<{ name: string; events: readonly HostEvent[]; is: typeof failure | null }>([
    { name: "is mended by the host's compaction", events: [refused], is: null },
    { name: "is refused for good behind one", events: [compacted, prompt, refused], is: failure },
    {
      name: "is refused for good where the compaction is too long",
      events: [first, refused],
      is: failure,
    },
    {
      name: "is told behind the compaction of it as well",
      events: [first, compacted, refused, compacted],
      is: failure,
    },
    {
      name: "is mended again behind an answer",
      events: [compacted, answer(NOW - 1), refused],
      is: null,
    },
    {
      name: "is not, behind an answer that was cut off",
      events: [compacted, answer(NOW - 1, {}), refused],
      is: failure,
    },
    {
      name: "is over with an answer behind it",
      events: [first, refused, answer(NOW + 1)],
      is: null,
    },
    {
      name: "is not, with one that is told of again",
      events: [first, refused, answer(NOW - 1)],
      is: failure,
    },
    { name: "is over with a message", events: [first, refused, prompt], is: null },
    {
      name: "is none more, behind that message",
      events: [first, first, prompt, refused],
      is: failure,
    },
  ])("$name", ({ events, is }) => {
    expect(after(...events).failure).toEqual(is)
  })
})

test("the model is told of the limits once", () =>
  expect(after({ kind: "told-of-limits", sessionId }).toldOfLimits).toBe(true))

test("a child is that of its own call", () => {
  const began = (callId: string): HostEvent => ({
    kind: "call-begun",
    sessionId,
    call: { callId, workId: "w", task: null, childId: null, isBack: false },
  })
  const told = (callId: string, childId: string | null): HostEvent => ({
    kind: "task-part",
    sessionId,
    callId,
    status: "running",
    childId,
  })
  const childrenAfter = (...events: readonly HostEvent[]) =>
    after(began("call_1"), began("call_2"), ...events).calls.map(({ childId }) => childId)
  expect(childrenAfter(told("call_2", "ses_b"))).toEqual([null, "ses_b"])
  expect(childrenAfter(told("call_2", "ses_b"), told("call_2", null))).toEqual([null, "ses_b"])
})

test("what is seen while a list is written down stays, wherever it stands", () => {
  const write = (path: string, second: number) =>
    ({
      kind: "write",
      at: `2026-01-01T00:00:0${second}.000Z`,
      path,
      session: "",
      task: null,
    }) as const
  const [first, beside] = [write("a", 1), write("b", 5)]
  const run = { ...write("c", 2), call: "call_a" }
  const begun = { session: "", call: "call_a", at: run.at, hash: null, tree: null }
  const seen = (...entries: readonly (typeof first)[]) =>
    ({ kind: "seen", sessionId, entries }) as const
  const events = [
    seen(first),
    { kind: "call-begins", sessionId, ...begun },
    seen(beside),
    seen(run),
  ] as const
  const words = (...all: readonly HostEvent[]) =>
    after(...all).seen.map((entry) => ("path" in entry ? entry.path : entry.kind))
  expect(words(...events)).toEqual(["a", "call", "c", "b"])
  const written = new Set([first, beside])
  expect(words(...events, { kind: "seen-written", sessionId, entries: written })).toEqual([
    "call",
    "c",
  ])
})
