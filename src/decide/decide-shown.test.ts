import { describe, expect, test } from "bun:test"
import { aSituation, at, aWork, CHILD, NOW } from "../../test/support/builders.ts"
import type { Work } from "../boulder/boulder.ts"
import {
  decidePromptFailed,
  decidePromptUnanswered,
  decideShown,
  type Meanwhile,
} from "./decide-shown.ts"

const work = aWork()
const going = { kind: "continue", reason: "continue", noProgressStreak: 0 } as const
const written = { decision: going, situation: { ...aSituation(), work }, work, heard: "msg_1" }
const quiet: Meanwhile = {
  heard: "msg_1",
  human: { abortedAt: null, rejectedAt: null, waitingFor: null },
  isUsersTurn: false,
  hasBegun: false,
  now: NOW,
}
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

describe("a prompt that the host has not answered", () => {
  test("is a failure, and tried again after a pause", () => {
    const { decision, work: after } = decidePromptFailed(written, work, quiet)
    expect(decision).toEqual({ kind: "retry", reason: "prompt-failed", at: NOW + 5_000 })
    expect(after.continuation).toMatchObject({ failures: 1, failed_at: at(0) })
  })
  test.each([
    { name: "its turn runs", hasBegun: true, isUsersTurn: false, becomes: "continue continue" },
    { name: "the user has spoken", hasBegun: true, isUsersTurn: true, becomes: "retry superseded" },
    { name: "a compaction has ended", hasBegun: false, becomes: "retry superseded" },
  ])("is none where $name", ({ hasBegun, isUsersTurn = false, becomes }) => {
    const now = { ...quiet, heard: "msg_2", hasBegun, isUsersTurn }
    const { decision, work: after } = decidePromptFailed(written, work, now)
    expect([said(decision), after]).toEqual([becomes, work])
  })
  test.each(moved)("counts nothing where $name", ({ newest }) => {
    const { decision, work: after } = decidePromptFailed(written, newest, quiet)
    expect([said(decision), after]).toEqual(["retry superseded", newest])
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
