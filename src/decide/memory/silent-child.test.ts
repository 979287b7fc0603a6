import { describe, expect, test } from "bun:test"
import { NOW } from "../../../test/support/builders.ts"
import { heardIn, translateEvent } from "../../opencode/host/v1/translate-event.ts"
import { remember } from "./remember.ts"
import { NOTHING_REMEMBERED, type SessionMemory } from "./session-memory.ts"
import { silenceOf } from "./silent-child.ts"

const MINUTE = 60_000
const limits = { childMs: 20 * MINUTE, toolMs: 60 * MINUTE }
const sessionID = "ses_child"

/** An event of the host, so many minutes behind the first look. */
type Told = readonly [minutes: number, type: string, properties: object]

const BUSY: Told = [0, "session.status", { status: { type: "busy" } }]
const words = (minutes: number): Told => [minutes, "message.part.delta", {}]
const tool = (minutes: number, status: string): Told => [
  minutes,
  "message.part.updated",
  { part: { type: "tool", tool: "bash", callID: "call_1", sessionID, state: { status } } },
]
const retry = (minutes: number, waits: number): Told => [
  minutes,
  "session.status",
  { status: { type: "retry", attempt: 1, message: "", next: NOW + (minutes + waits) * MINUTE } },
]

const users = (minutes: number): Told => [
  minutes,
  "message.updated",
  { info: { id: "msg_1", role: "user", sessionID } },
]

/** A subagent's memory behind these events, looked at each minute for so long; the clock stands at `NOW` in all of them. */
function after(minutes: number, ...events: readonly Told[]): SessionMemory {
  let memory = NOTHING_REMEMBERED
  for (let minute = 0; minute <= minutes; minute++) {
    for (const [, type, properties] of events.filter(([at]) => at === minute)) {
      const event = { type, properties: { sessionID, ...properties } }
      const at = NOW + minute * MINUTE
      for (const told of [heardIn(event, at), translateEvent(event, at)])
        if (told !== null) memory = remember(memory, told)
    }
    memory = remember(memory, { kind: "watched", sessionId: sessionID, forMs: MINUTE })
  }
  return memory
}
const saidOf = (memory: SessionMemory, given = limits) => silenceOf(memory, given)?.kind ?? null

describe("a subagent that runs", () => {
  test.each<{
    name: string
    events: readonly Told[]
    minutes: number
    is: "hung" | "long-tool" | null
  }>([
    {
      name: "hangs while its model writes a tool's arguments",
      events: [BUSY, tool(0, "pending")],
      minutes: 20,
      is: "hung",
    },
    { name: "nothing was heard of it yet", events: [], minutes: 19, is: null },
    { name: "nothing was ever heard of it", events: [], minutes: 20, is: "hung" },
    { name: "silent for 19 minutes", events: [BUSY], minutes: 19, is: null },
    { name: "silent for 20", events: [BUSY], minutes: 20, is: "hung" },
    { name: "it still writes", events: [BUSY, words(15)], minutes: 34, is: null },
    { name: "its last word is old", events: [BUSY, words(15)], minutes: 35, is: "hung" },
    { name: "its tool runs", events: [BUSY, tool(1, "running")], minutes: 59, is: null },
    { name: "for an hour", events: [BUSY, tool(1, "running")], minutes: 60, is: "long-tool" },
    {
      name: "its tool is over",
      events: [BUSY, tool(1, "running"), tool(2, "completed")],
      minutes: 22,
      is: "hung",
    },
    { name: "its host waits", events: [BUSY, retry(1, 120)], minutes: 139, is: null },
    { name: "behind the wait", events: [BUSY, retry(1, 120)], minutes: 141, is: "hung" },
    {
      name: "the wait was cut short",
      events: [BUSY, retry(1, 120), [5, "session.status", { status: { type: "busy" } }]],
      minutes: 25,
      is: "hung",
    },
    {
      name: "its user writes while its host waits",
      events: [BUSY, retry(1, 120), users(2)],
      minutes: 139,
      is: null,
    },
    {
      name: "its user has written, behind the wait",
      events: [BUSY, retry(1, 120), users(2)],
      minutes: 141,
      is: "hung",
    },
    {
      name: "its user has written, and the wait was cut short",
      events: [BUSY, retry(1, 120), users(2), [5, "session.status", { status: { type: "busy" } }]],
      minutes: 25,
      is: "hung",
    },
    {
      name: "its turn ended in the midst of the wait, and its call hangs",
      events: [BUSY, retry(1, 120), [5, "session.idle", {}]],
      minutes: 25,
      is: "hung",
    },
  ])("$name: $is", ({ events, minutes, is }) => {
    const memory = after(minutes, ...events)
    expect(saidOf(memory)).toBe(is)
    expect(saidOf(memory, { childMs: 0, toolMs: 0 })).toBeNull()
  })
  test.each([{ asks: { questions: ["q"] } }, { asks: { permissions: ["p"] } }])(
    "that asks a person is not silent, and is counted anew behind the answer",
    ({ asks }) => {
      const asking = { ...after(15, BUSY), ...asks }
      const longer = remember(asking, { kind: "watched", sessionId: sessionID, forMs: 99 * MINUTE })
      expect(saidOf(longer)).toBeNull()
      const answered = { ...longer, questions: [], permissions: [] }
      const watched = (forMs: number) =>
        remember(answered, { kind: "watched", sessionId: sessionID, forMs })
      expect(saidOf(watched(19 * MINUTE))).toBeNull()
      expect(saidOf(watched(20 * MINUTE))).toBe("hung")
    },
  )
})

test("a tool whose session waits for its person does not run meanwhile", () => {
  const asking = { ...after(1, BUSY, tool(1, "running")), permissions: ["per_1"] }
  const watched = (memory: SessionMemory, minutes: number) =>
    remember(memory, { kind: "watched", sessionId: sessionID, forMs: minutes * MINUTE })
  const answered = { ...watched(asking, 480), permissions: [] }
  expect(saidOf(watched(answered, 58))).toBeNull()
  expect(saidOf(watched(answered, 59))).toBe("long-tool")
})

test("a long tool is told once; a hung subagent is ended once, until it is heard of again", () => {
  const told = remember(after(99, tool(0, "running")), {
    kind: "told-of-tool",
    sessionId: sessionID,
    callId: "call_1",
  })
  expect(saidOf(told)).toBeNull()
  const ended = remember(after(20, BUSY), { kind: "ended-silent", sessionId: sessionID })
  expect(saidOf(ended)).toBeNull()
  const heard = heardIn({ type: "message.part.delta", properties: { sessionID } }, NOW)
  if (heard === null) throw new Error("A word is heard")
  let again = remember(ended, heard)
  expect(saidOf(again)).toBeNull()
  for (let looks = 0; looks <= 20; looks++)
    again = remember(again, { kind: "watched", sessionId: sessionID, forMs: MINUTE })
  expect(saidOf(again)).toBe("hung")
})

test("words of a moment change nothing that is remembered", () => {
  const hear = (at: number, memory: SessionMemory) => {
    const heard = heardIn({ type: "message.part.delta", properties: { sessionID } }, at)
    return heard === null ? memory : remember(memory, heard)
  }
  const once = hear(NOW, NOTHING_REMEMBERED)
  expect(hear(NOW + 900, once)).toBe(once)
})
