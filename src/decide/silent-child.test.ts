import { describe, expect, test } from "bun:test"
import { NOW } from "../../test/support/builders.ts"
import { heardIn } from "../opencode/host/v1/translate-event.ts"
import { remember } from "./remember.ts"
import { NOTHING_REMEMBERED, type SessionMemory } from "./session-memory.ts"
import { silenceOf } from "./silent-child.ts"

const MINUTE = 60_000
const limits = { childMs: 20 * MINUTE, toolMs: 60 * MINUTE }
const sessionID = "ses_child"
const BUSY = [0, "session.status", { status: { type: "busy" } }] as const

/** A subagent's memory behind these events of the host, each so many minutes behind `NOW`. */
const after = (
  ...events: readonly (readonly [minutes: number, type: string, properties: object])[]
): SessionMemory =>
  events.reduce((memory, [minutes, type, properties]) => {
    const heard = heardIn(
      { type, properties: { sessionID, ...properties } },
      NOW + minutes * MINUTE,
    )
    return heard === null ? memory : remember(memory, heard)
  }, NOTHING_REMEMBERED)
const tool = (minutes: number, status: string) =>
  [
    minutes,
    "message.part.updated",
    { part: { type: "tool", tool: "bash", callID: "call_1", sessionID, state: { status } } },
  ] as const
const words = (minutes: number) => [minutes, "message.part.delta", {}] as const
const said = (memory: SessionMemory, minutes: number, given = limits) =>
  silenceOf(memory, NOW + minutes * MINUTE, given)?.kind ?? null

describe("a subagent that runs", () => {
  const busy = after(BUSY)
  test.each([
    { name: "nothing was ever heard of it", memory: NOTHING_REMEMBERED, minutes: 99, is: null },
    { name: "silent for 19 minutes", memory: busy, minutes: 19, is: null },
    { name: "silent for 20", memory: busy, minutes: 20, is: "hung" },
    { name: "it still writes", memory: after(BUSY, words(15)), minutes: 30, is: null },
    { name: "its last word is old", memory: after(BUSY, words(15)), minutes: 35, is: "hung" },
    { name: "its tool runs", memory: after(BUSY, tool(1, "running")), minutes: 60, is: null },
    { name: "for an hour", memory: after(BUSY, tool(1, "running")), minutes: 61, is: "long-tool" },
    {
      name: "its tool is over",
      memory: after(BUSY, tool(1, "running"), tool(2, "completed")),
      minutes: 22,
      is: "hung",
    },
    { name: "it asks", memory: { ...busy, questions: ["q"] }, minutes: 99, is: null },
    {
      name: "it needs a permission",
      memory: { ...busy, permissions: ["p"] },
      minutes: 99,
      is: null,
    },
    {
      name: "its host waits",
      memory: { ...busy, running: { waitsUntil: NOW } },
      minutes: 99,
      is: null,
    },
    { name: "the clock is set back by a day", memory: busy, minutes: -1_440, is: "hung" },
  ])("$name: $is", ({ memory, minutes, is }) => {
    expect(said(memory, minutes)).toBe(is as never)
    expect(said(memory, minutes, { childMs: 0, toolMs: 0 })).toBeNull()
  })
})

test("a long tool is told once, a hung subagent ended once", () => {
  const told = remember(after(tool(0, "running")), {
    kind: "told-of-tool",
    sessionId: sessionID,
    callId: "call_1",
  })
  expect(said(told, 99)).toBeNull()
  const ended = remember(after(BUSY), { kind: "ended-silent", sessionId: sessionID })
  expect(said(ended, 99)).toBeNull()
})

test("words of a moment change nothing that is remembered", () => {
  const once = after(words(0))
  const heard = heardIn({ type: "message.part.delta", properties: { sessionID } }, NOW + 900)
  expect(heard === null ? null : remember(once, heard)).toBe(once)
})
