import { describe, expect, test } from "bun:test"
import { aSituation, at, aWork, CHILD, NOW } from "../../test/support/builders.ts"
import type { Work } from "../boulder/boulder.ts"
import { reserveContinuation } from "../boulder/continuation-record.ts"
import { reserveCompaction } from "../boulder/round-record.ts"
import {
  decidePromptFailed,
  decidePromptUnanswered,
  decideShown,
  giveBack,
  type Meanwhile,
} from "./decide-shown.ts"

const work = aWork()
const going = { kind: "continue", reason: "continue", noProgressStreak: 0 } as const
const written = { decision: going, situation: { ...aSituation(), work }, work, heard: "msg_1" }
const quiet: Meanwhile = {
  heard: "msg_1",
  human: { abortedAt: null, rejectedAt: null, waitingFor: null },
  isUsersTurn: false,
  now: NOW,
}
const HOLD = { title_hash: "h", why: "why" }
const paused = aWork({ status: "paused", pause_reason: "stopped-by-user" })
const moved: readonly { name: string; newest: Work }[] = [
  { name: "it was stopped", newest: paused },
  { name: "another session leads it", newest: aWork({ lead_session_id: CHILD }) },
  { name: "it was set going again", newest: aWork({ resumed_at: at(-1) }) },
]
const said = ({ kind, reason }: { kind: string; reason: string }) => `${kind} ${reason}`

describe("a decision that is written is shown", () => {
  test("while nothing has moved", () => {
    expect(decideShown(written, aWork(), quiet)).toBe(going)
  })
  test.each(moved)("but not where $name", ({ newest }) => {
    expect(said(decideShown(written, newest, quiet))).toBe("retry superseded")
  })
  test.each<{ name: string; now: Partial<Meanwhile> }>([
    { name: "another message has come", now: { heard: "msg_2" } },
    { name: "a message waits for its turn", now: { heard: null } },
    { name: "the user has stopped it", now: { human: { ...quiet.human, abortedAt: NOW } } },
    { name: "the user has said no", now: { human: { ...quiet.human, rejectedAt: NOW } } },
    { name: "a question is open", now: { human: { ...quiet.human, waitingFor: "question" } } },
  ])("nor where $name", ({ now }) => {
    const { kind, ...rest } = decideShown(written, aWork(), { ...quiet, ...now })
    expect([kind, rest]).toMatchObject(["retry", { reason: "superseded", at: NOW + 1_000 }])
  })
  test("nor where the work is gone", () => {
    expect(said(decideShown(written, undefined, quiet))).toBe("retry superseded")
  })
})

describe("what was reserved for a prompt that is not sent", () => {
  const before = aWork({ driver: "1-1-1-1", round: { ...work.round, ended: "soft-limit" } })
  const situation = { ...aSituation(), work: before }
  const reserve = { now: at(0), noProgressStreak: 1, fingerprint: "f", messageId: "msg_1" }
  const reserved = reserveContinuation(reserve)(before)
  const compaction = { kind: "compact", reason: "round-ended", noProgressStreak: 0 } as const
  const continued = { decision: going, situation, work: reserved }
  const compacted = { decision: compaction, situation, work: reserveCompaction(reserve)(before) }

  test("is given back: its count, its cooldown and its place in the hour, not the turn that it has counted", () => {
    const { continuation } = giveBack(continued, reserved)
    expect(continuation).toEqual({
      ...before.continuation,
      no_progress_streak: 1,
      fingerprint: "f",
      counted_message_id: "msg_1",
    })
  })
  test("is given back where the work was stopped meanwhile, which stays so", () => {
    const after = giveBack(continued, { ...reserved, status: "paused" })
    expect([after.status, after.continuation.count]).toEqual(["paused", 0])
  })
  test("and so is the attempt behind a limit", () => {
    const limited = { since: at(-9), until: at(-9), goes_on_at: null, attempts: 1, said: "" }
    const { limited: after } = giveBack(continued, { ...reserved, limited } as never)
    expect(after?.attempts).toBe(0)
  })
  test("and so is the round that it had begun, unless the host has compacted meanwhile", () => {
    const begun = { ...reserved, round: { ...before.round, number: 1, ended: null } }
    const next = { ...continued, work: begun }
    expect(giveBack(next, begun).round).toEqual(before.round)
    const compactions = { ...begun.compactions, epoch: 1 }
    expect(giveBack(next, { ...begun, compactions }).round).toEqual(begun.round)
  })
  test("and so are the checks that it has asked for; what was held since stays", () => {
    const one = { ...HOLD, times: 1 }
    const then = { ...reserved, held: { "todo:1": { ...one, asked: true } } }
    const was = { ...situation, work: { ...before, held: { "todo:1": one } } }
    const now = { "todo:1": { ...one, asked: true }, "todo:2": one }
    const after = giveBack({ ...continued, situation: was, work: then }, { ...then, held: now })
    expect(after.held).toEqual({ "todo:1": one, "todo:2": one })
  })
  test("and so is the compaction of a round", () => {
    expect(compacted.work.round.compacted).toBe(true)
    expect(giveBack(compacted, compacted.work).round.compacted).toBe(false)
  })
  const compactedSince = { ...compacted.work, compactions: { ...work.compactions, epoch: 1 } }
  test.each<{ name: string; of: typeof continued | typeof compacted; newest: Work }>([
    {
      name: "another opencode drives the work by now",
      of: continued,
      newest: { ...reserved, driver: "2-2-2-2" },
    },
    {
      name: "another continuation was reserved since",
      of: continued,
      newest: reserveContinuation({ ...reserve, now: at(1) })(reserved),
    },
    { name: "the count begins anew", of: continued, newest: before },
    { name: "the host has compacted meanwhile", of: compacted, newest: compactedSince },
    { name: "the next round has begun", of: compacted, newest: before },
  ])("stays as it is where $name", ({ of, newest }) => {
    expect(giveBack(of, newest)).toBe(newest)
  })
})

describe("a prompt that has failed", () => {
  const failed = { ...quiet, isRefused: false, hasBegun: false }
  test("is a failure, and tried again after a pause", () => {
    const { decision, work: after } = decidePromptFailed(written, work, failed)
    expect(decision).toEqual({ kind: "retry", reason: "prompt-failed", at: NOW + 5_000 })
    expect(after.continuation).toMatchObject({ failures: 1, failed_at: at(0) })
  })
  test.each([
    { name: "its turn runs", hasBegun: true, isUsersTurn: false, becomes: "continue continue" },
    { name: "the user has spoken", hasBegun: true, isUsersTurn: true, becomes: "retry superseded" },
    { name: "a compaction has ended", hasBegun: false, becomes: "retry superseded" },
  ])("is none where $name", ({ hasBegun, isUsersTurn = false, becomes }) => {
    const now = { ...failed, heard: "msg_2", hasBegun, isUsersTurn }
    const { decision, work: after } = decidePromptFailed(written, work, now)
    expect([said(decision), after]).toEqual([becomes, work])
  })
  test.each(moved)("counts no failure where $name", ({ newest }) => {
    const { decision, work: after } = decidePromptFailed(written, newest, failed)
    expect([said(decision), after]).toEqual(["retry superseded", newest])
  })

  const reserve = { now: at(0), noProgressStreak: 0, fingerprint: "f", messageId: null }
  const reserved = { ...written, work: reserveContinuation(reserve)(work) }
  const stopped = { ...reserved.work, status: "paused", pause_reason: "stopped-by-user" } as const
  test.each([
    { name: "the host has refused it", now: {}, newest: reserved.work, count: 0 },
    { name: "and a compaction has ended", now: { heard: "m" }, newest: reserved.work, count: 0 },
    { name: "and the work was stopped", now: {}, newest: stopped, count: 0 },
    { name: "but its message is there", now: { hasBegun: true }, newest: reserved.work, count: 1 },
    {
      name: "the host has not answered it",
      now: { isRefused: false },
      newest: reserved.work,
      count: 1,
    },
  ])("leaves a count of $count where $name", ({ now, newest, count }) => {
    const { work: after } = decidePromptFailed(reserved, newest, {
      ...failed,
      isRefused: true,
      ...now,
    })
    expect(after.continuation.count).toBe(count)
  })
})

describe("a prompt that the host has taken, and begun no turn for", () => {
  const turn = { messageId: "msg_ours", now: NOW }
  test("is a failed turn, known by its message", () => {
    const { decision, work: after } = decidePromptUnanswered(written, work, turn)
    expect(said(decision)).toBe("retry prompt-unanswered")
    expect(after.continuation).toMatchObject({ failures: 1, failed_message_id: "msg_ours" })
  })
  test.each(moved)("counts nothing where $name", ({ newest }) => {
    const { decision, work: after } = decidePromptUnanswered(written, newest, turn)
    expect([said(decision), after]).toEqual(["retry superseded", newest])
  })
})
