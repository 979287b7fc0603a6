import { describe, expect, test } from "bun:test"
import { at, aWork, LEAD, NOW } from "../../test/support/builders.ts"
import type { Work } from "./boulder.ts"
import {
  recordFailure,
  recordTurn,
  reserveContinuation,
  withinTheHour,
} from "./continuation-record.ts"

const counters = aWork().continuation
const counted = (given: Partial<Work["continuation"]>) =>
  aWork({ continuation: { ...counters, ...given } })
const reserved = { now: at(0), noProgressStreak: 1, fingerprint: "marks:1", messageId: "msg_1" }

describe("a continuation is reserved before its prompt is sent", () => {
  test("counted, timed, and with progress as it stands", () => {
    expect(reserveContinuation(reserved)(aWork()).continuation).toEqual({
      ...counters,
      count: 1,
      no_progress_streak: 1,
      last_at: at(0),
      recent: [at(0)],
      fingerprint: "marks:1",
      counted_message_id: "msg_1",
    })
  })
  test("times over an hour old are forgotten", () => {
    const work = reserveContinuation(reserved)(
      counted({ recent: [at(-3_601), at(-3_600), at(-3_599)] }),
    )
    expect(work.continuation.recent).toEqual([at(-3_599), at(0)])
  })
  test("no more than 1,000 times are kept", () => {
    const recent = Array.from({ length: 1_000 }, () => at(-1))
    const work = reserveContinuation(reserved)(counted({ recent }))
    expect(work.continuation.recent).toHaveLength(1_000)
    expect(work.continuation.recent.at(-1)).toBe(at(0))
  })
  test("what is written down as in flight below an idle lead has died", () => {
    const dispatch = {
      task_key: "todo:1",
      title_hash: "0",
      parent_session_id: LEAD,
      session_id: null,
      agent: "general",
      resumes: null,
      started_at: at(-9),
    }
    const work = reserveContinuation(reserved)(aWork({ dispatches: { call_1: dispatch } }))
    expect(work.dispatches).toEqual({})
  })
  test("failures are left: only a turn that went well forgets them", () => {
    const work = counted({ failures: 3, failed_at: at(-99) })
    expect(reserveContinuation(reserved)(work).continuation.failures).toBe(3)
  })
})

describe("failures", () => {
  const failed = (messageId: string) => ({ messageId, failed: true, endedAt: NOW })
  test("a prompt that could not be sent counts", () => {
    const { continuation } = recordFailure(null, at(0))(counted({ failed_message_id: "msg_0" }))
    expect(continuation).toMatchObject({
      failures: 1,
      failed_at: at(0),
      failed_message_id: "msg_0",
    })
  })
  test("a turn's failure counts once, however often its idle comes (docs/HOST.md, events)", () => {
    const once = recordTurn(failed("msg_1"), at(0))(aWork())
    expect(once.continuation).toMatchObject({ failures: 1, failed_message_id: "msg_1" })
    expect(recordTurn(failed("msg_1"), at(1))(once)).toBe(once)
    expect(recordTurn(failed("msg_2"), at(2))(once).continuation.failures).toBe(2)
  })
  test.each([
    {
      name: "a turn that went well forgets them",
      given: { failures: 2, failed_at: at(-10) },
      endedAt: NOW,
      failures: 0,
    },
    {
      name: "one from before the failure does not",
      given: { failures: 2, failed_at: at(10) },
      endedAt: NOW,
      failures: 2,
    },
    {
      name: "one of the same moment does not",
      given: { failures: 2, failed_at: at(0) },
      endedAt: NOW,
      failures: 2,
    },
  ])("$name", ({ given, endedAt, failures }) => {
    const turn = { messageId: "msg_9", failed: false, endedAt }
    expect(recordTurn(turn, at(20))(counted(given)).continuation.failures).toBe(failures)
  })
  test("a good turn without failures before it writes nothing", () => {
    const work = aWork()
    expect(recordTurn({ messageId: "msg_1", failed: false, endedAt: NOW }, at(0))(work)).toBe(work)
  })
})

describe("the last hour", () => {
  test("ends after 3,600 s", () => {
    expect(withinTheHour([at(-3_600), at(-3_599), at(0), at(9)], NOW)).toEqual([
      at(-3_599),
      at(0),
      at(9),
    ])
  })
})
