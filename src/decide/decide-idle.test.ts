import { describe, expect, test } from "bun:test"
import { aPlan, aSituation, aTask, at, aWork, CHILD, NOW } from "../../test/support/builders.ts"
import { IN_OPENCODE } from "../../test/support/by-name.ts"
import type { Work } from "../boulder/boulder.ts"
import { pauseNotice } from "../prompts/notice-text.ts"
import { pauseWords } from "../prompts/pause-words.ts"
import { decideIdle, goingOn, type IdleFacts } from "./decide-idle.ts"
import type { Situation } from "./situation.ts"

const gathered = (given: Partial<Situation> = {}, work: Work = aWork()): IdleFacts => ({
  situation: { ...aSituation(given), work },
  planHash: "now",
  heard: "msg_1",
})
const counted = (work: Work): Work => ({ ...work, completed_count: 77 })
const decided = (
  of: IdleFacts,
  newest: Work = of.situation.work,
  heard: string | null = "msg_1",
) => {
  const { decision, work } = decideIdle(of, newest, {
    heard,
    human: of.situation,
    counted,
    lacks: [],
  })
  return { said: `${decision.kind} ${decision.reason}`, decision, work }
}
const { work: went } = decided(gathered())

describe("what is decided is written with it", () => {
  test("a continuation is reserved, with what the reading gave", () => {
    expect(went).toMatchObject({ completed_count: 77, continuation: { count: 1, last_at: at(0) } })
  })
  test("a pause keeps the ceiling that was reached", () => {
    const limits = { ...aSituation().limits, maxPerWork: 0 }
    const { said, work } = decided(gathered({ limits }))
    expect(said).toBe("pause budget-spent")
    expect(work.spent_budget).toEqual({ of: "continuations", used: 0, limit: 0 })
  })
  test("an end completes the work", () => {
    const plan = aPlan([aTask({ label: "1", state: "done" })])
    const { said, work } = decided(gathered({ plan: { kind: "read", plan } }))
    expect([said, work.status]).toEqual(["finish plan-complete", "completed"])
  })
  test("what rests or waits is left as it is", () => {
    const of = gathered({ waitingFor: "question" })
    expect(decided(of).work).toBe(of.situation.work)
  })
  test("a failed turn is counted once, whatever is decided", () => {
    const error = { ...aSituation().lastTurn, error: "APIError" } as Situation["lastTurn"]
    const once = decided(gathered({ lastTurn: error, waitingFor: "question" }))
    expect(once.work.continuation.failures).toBe(1)
    const twice = decided(gathered({ lastTurn: error, waitingFor: "question" }, once.work))
    expect(twice.work).toBe(once.work)
  })
})

describe("what the host said belongs to one turn", () => {
  const same = aWork()
  const paused = aWork({ status: "paused", pause_reason: "stopped-by-user" })
  test.each([
    { name: "another process has continued", newest: went },
    {
      name: "it was compacted",
      newest: { ...same, compactions: { ...same.compactions, epoch: 1 } },
    },
    { name: "it was set going again", newest: aWork({ resumed_at: at(-1) }) },
    { name: "another session has taken over", newest: aWork({ lead_session_id: CHILD }) },
    { name: "a message has come", newest: same, heard: "msg_2" },
    { name: "a message waits for its turn", newest: same, heard: null },
  ])("$name: nothing is decided, and it is looked at a second later", ({ newest, heard }) => {
    const abort = { abortedAt: NOW }
    for (const of of [gathered(), gathered(abort)]) {
      const { decision, work } = decided(of, newest, heard)
      expect(decision).toEqual({ kind: "retry", reason: "superseded", at: NOW + 1_000 })
      expect(work).toBe(newest)
    }
  })
  test("what else has changed is decided on as it is now", () => {
    expect(decided(gathered(), paused).said).toBe("rest stopped-by-user")
  })
})

describe("a session that runs", () => {
  test("is left alone, where a turn would be begun", () => {
    expect(decided(gathered({ isBusy: true })).said).toBe("rest session-busy")
    const round = { ...aWork().round, ended: "context-grown" as const }
    expect(decided(gathered({}, aWork({ round }))).said).toBe("compact round-ended")
    expect(decided(gathered({ isBusy: true }, aWork({ round }))).said).toBe("rest session-busy")
  })
  test("is paused all the same", () => {
    expect(decided(gathered({ isBusy: true, abortedAt: NOW })).said).toBe("pause aborted")
  })
})

describe("13h: a prompt of ours that nothing has answered", () => {
  const lastTurn = {
    messageId: "msg_ours",
    createdAt: NOW - 1_000,
    ours: true,
    error: null,
    ended: false,
    contextTokens: 0,
    isSummary: false,
    isUnanswered: true,
  }
  test("is a failed turn", () => {
    const { said, work } = decided(gathered({ lastTurn }))
    expect(said).toBe("retry backing-off")
    expect(work.continuation).toMatchObject({ failures: 1, failed_message_id: "msg_ours" })
  })
  test("and pauses the work in the end, with what a person can do", () => {
    const { pauseAfterFailures: most } = aSituation().limits
    const { continuation } = aWork()
    const failed = aWork({ continuation: { ...continuation, failures: most - 1 } })
    const { said, work } = decided(gathered({ lastTurn }, failed))
    expect(said).toBe("pause backing-off")
    expect(
      pauseNotice(work.plan_name, "backing-off", { facts: pauseWords(work), typed: IN_OPENCODE }),
    ).toBe(
      "Plan demo paused: the last turns failed (opencode accepted the prompts and answered none; if its clock was set back, only a new session helps). To resume: send its session a message, edit the plan or type /start-work.",
    )
    const erred = { ...lastTurn, error: "APIError", isUnanswered: false }
    expect(decided(gathered({ lastTurn: erred }, failed)).work.refusal).toBeNull()
  })
  test("a failed one pauses it in the provider's words: a 400 for lack of credit names no money in its type", () => {
    const { pauseAfterFailures: most } = aSituation().limits
    const failed = aWork({ continuation: { ...aWork().continuation, failures: most - 1 } })
    const words = "Your credit balance is too low"
    const failure = { kind: "transient", words, at: NOW } as const
    const erred = { ...lastTurn, error: "APIError", isUnanswered: false }
    const { said, work } = decided(gathered({ lastTurn: erred, failure }, failed))
    expect([said, pauseWords(work)]).toEqual(["pause backing-off", words])
  })
  test("but not while its session runs", () => {
    const { work } = decided(gathered({ lastTurn, isBusy: true }))
    expect(work.continuation.failures).toBe(0)
  })
})

describe("an edit of the plan", () => {
  const of = (pause_reason: Work["pause_reason"], hash = "before") =>
    aWork({
      status: "paused",
      pause_reason,
      plan_fingerprint: { size: 1, mtime_ms: 1, hash },
    })
  const { plan } = aSituation()
  test.each([
    { reason: "no-progress", hash: "before", status: "active" },
    { reason: "no-progress", hash: "now", status: "paused" },
    { reason: "stopped-by-user", hash: "before", status: "paused" },
    { reason: "only-blocked-left", hash: "before", status: "active" },
  ] as const)("$reason, $hash: $status", ({ reason, hash, status }) => {
    expect(goingOn(of(reason, hash), plan, "now", { now: NOW, wait: "day" }).status).toBe(status)
  })
  test("that re-opens a work is decided on at once", () => {
    const { said, work } = decided(gathered({}, of("no-progress")))
    expect([said, work.status]).toEqual(["continue continue", "active"])
  })
  test.each([
    { human: { rejectedAt: NOW - 1_000 }, said: "pause rejected-by-user" },
    { human: { abortedAt: NOW - 1_000 }, said: "pause aborted" },
  ])("answers no stop that came behind the pause: $said", ({ human, said }) => {
    const paused = { ...of("only-blocked-left"), resumed_at: at(-1) }
    expect(decided(gathered(human, paused)).said).toBe(said)
  })
})
