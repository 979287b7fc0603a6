import { describe, expect, test } from "bun:test"
import { aTask, aTaskSession, at, aWork, CHILD, LEAD } from "../../test/support/builders.ts"
import type { Work } from "./boulder.ts"
import {
  closeDispatch,
  dropDispatch,
  failDispatch,
  type Intent,
  interruptDispatch,
  type Outcome,
  openDispatch,
} from "./record-dispatch.ts"

const OLD = "ses_e02a05cf0ffeiVkhL7Rr1p5OLD"
const task = aTask({ label: "3" })
const other = aTask({ label: "4" })
const intent = (given: Partial<Intent> = {}): Intent => ({
  callId: "call_1",
  task,
  parentSessionId: LEAD,
  agent: "general",
  resumes: null,
  liveCalls: ["call_1", "call_2", "call_3"],
  now: at(0),
  ...given,
})
const by = (callId: string, sessionId = LEAD) => ({ sessionId, callId })
const outcome = (given: Partial<Outcome> = {}): Outcome => ({
  ...by("call_1"),
  childId: CHILD,
  taskLabel: task.label,
  taskTitle: task.title,
  resultHash: "aaaaaaaa",
  verdict: null,
  now: at(60),
  ...given,
})
const after = (work: Work, ...changes: readonly ((work: Work) => Work)[]) =>
  changes.reduce((done, change) => change(done), work)
const recorded = (given: Parameters<typeof aTaskSession>[1] = {}) =>
  aWork({ task_sessions: { [task.key]: aTaskSession(task, given) } })
const sessionOf = (work: Work) => work.task_sessions[task.key]
const taken = (work: Work) =>
  Object.entries(work.dispatches).map(([call, { task_key }]) => `${call} ${task_key}`)

describe("before the child works, the intent is written", () => {
  test("with what is known of it", () => {
    expect(openDispatch(intent({ resumes: OLD }))(aWork()).dispatches).toEqual({
      call_1: {
        task_key: "todo:3",
        title_hash: task.titleHash,
        parent_session_id: LEAD,
        session_id: null,
        agent: "general",
        resumes: OLD,
        started_at: at(0),
      },
    })
  })
  test("of two calls in flight on one key the later is not recorded (omo PR #2640)", () => {
    const work = after(aWork(), openDispatch(intent()), openDispatch(intent({ callId: "call_2" })))
    expect(taken(work)).toEqual(["call_1 todo:3", "call_2 null"])
  })
  test("whichever of the two comes back first", () => {
    const both = after(aWork(), openDispatch(intent()), openDispatch(intent({ callId: "call_2" })))
    const late = closeDispatch(outcome({ callId: "call_2", childId: OLD }))(both)
    expect(sessionOf(late)).toBeUndefined()
    expect(sessionOf(closeDispatch(outcome())(late))?.session_id).toBe(CHILD)
  })
  test("three calls on three keys are three tasks taken", () => {
    const keys = ["todo:3", "todo:4", "todo:5"]
    const opened = keys.map((key, index) =>
      openDispatch(intent({ callId: `call_${index + 1}`, task: { ...task, key } })),
    )
    expect(taken(after(aWork(), ...opened))).toEqual([
      "call_1 todo:3",
      "call_2 todo:4",
      "call_3 todo:5",
    ])
  })
  test("a call of this parent that runs no longer died with its process", () => {
    const work = after(
      aWork(),
      openDispatch(intent({ callId: "call_dead" })),
      openDispatch(intent({ liveCalls: ["call_1"] })),
    )
    expect(taken(work)).toEqual(["call_1 todo:3"])
  })
  test("a call of another parent is nobody's: its session leads no more", () => {
    const work = after(
      aWork(),
      openDispatch(intent({ callId: "call_other", parentSessionId: OLD })),
      openDispatch(intent({ liveCalls: ["call_1"] })),
    )
    expect(taken(work)).toEqual(["call_1 todo:3"])
  })
  test("a call id that comes again, as some providers count from 0, is one call", () => {
    const work = after(aWork(), openDispatch(intent()), openDispatch(intent({ now: at(9) })))
    expect(taken(work)).toEqual(["call_1 todo:3"])
    expect(work.dispatches["call_1"]?.started_at).toBe(at(9))
  })
  test("no more than 256 are kept", () => {
    const calls = Array.from({ length: 300 }, (_, index) => `call_${index}`)
    const opened = calls.map((callId) => openDispatch(intent({ callId, liveCalls: calls })))
    expect(Object.keys(after(aWork(), ...opened).dispatches)).toHaveLength(256)
  })
})

describe("after it, the child is kept under the captured task", () => {
  const run = (work: Work, opened: Partial<Intent> = {}, closed: Partial<Outcome> = {}) =>
    after(work, openDispatch(intent(opened)), closeDispatch(outcome(closed)))

  test("with what is known of it, and the dispatch is over", () => {
    const work = run(aWork())
    expect(work.dispatches).toEqual({})
    expect(sessionOf(work)).toEqual({
      task_key: "todo:3",
      task_label: "3",
      task_title: "Task 3",
      title_hash: task.titleHash,
      session_id: CHILD,
      agent: "general",
      attempts: 1,
      failures: 0,
      results: 1,
      result_hash: "aaaaaaaa",
      status: "returned",
      started_at: at(0),
      updated_at: at(60),
    })
  })
  test("even when the plan has moved on: nothing but the captured key is looked at", () => {
    expect(Object.keys(run(aWork({ current_window: ["todo:4"] })).task_sessions)).toEqual([
      "todo:3",
    ])
  })
  test("other tasks keep theirs", () => {
    const before = aWork({ task_sessions: { [other.key]: aTaskSession(other) } })
    expect(run(before).task_sessions[other.key]).toEqual(aTaskSession(other))
  })
  test("attempts are counted over sessions, the time of the first is kept", () => {
    const work = run(recorded({ attempts: 4, session_id: OLD }))
    expect(sessionOf(work)).toMatchObject({ attempts: 5, session_id: CHILD, started_at: at(-60) })
  })
  test("a call that nobody opened leaves nothing", () => {
    const before = recorded()
    expect(closeDispatch(outcome({ callId: "call_x" }))(before)).toBe(before)
  })
  test("whatever the length of the call's id", () => {
    const [one, two] = [`${"signature".repeat(500)}1`, `${"signature".repeat(500)}2`]
    const liveCalls = [one, two]
    const opened = after(
      aWork(),
      openDispatch(intent({ callId: one, liveCalls })),
      openDispatch(intent({ callId: two, task: other, liveCalls })),
    )
    const keys = Object.keys(opened.dispatches)
    expect(keys.map((key) => key.length <= 256)).toEqual([true, true])
    const work = closeDispatch(outcome({ callId: one }))(opened)
    expect(sessionOf(work)?.session_id).toBe(CHILD)
    expect(taken(work)).toEqual([`${keys[1]} todo:4`])
  })

  test("a second close changes nothing", () => {
    const once = run(aWork())
    expect(closeDispatch(outcome())(once)).toBe(once)
  })
  test("another task under the same key starts from nothing", () => {
    const before = recorded({ title_hash: "0badcafe", attempts: 7, failures: 2, results: 2 })
    expect(sessionOf(run(before, {}, { childId: CHILD }))).toMatchObject({
      attempts: 1,
      failures: 0,
      results: 1,
      title_hash: task.titleHash,
    })
  })

  describe("results are counted while they are new, at most two", () => {
    test.each([
      { name: "the first", before: aWork(), hash: "aaaaaaaa", results: 1 },
      {
        name: "the same again",
        before: recorded({ results: 1, result_hash: "aaaaaaaa" }),
        hash: "aaaaaaaa",
        results: 1,
      },
      {
        name: "another",
        before: recorded({ results: 1, result_hash: "bbbbbbbb" }),
        hash: "aaaaaaaa",
        results: 2,
      },
      {
        name: "a third",
        before: recorded({ results: 2, result_hash: "bbbbbbbb" }),
        hash: "aaaaaaaa",
        results: 2,
      },
    ])("$name", ({ before, hash, results }) => {
      expect(sessionOf(run(before, {}, { resultHash: hash }))?.results).toBe(results)
    })
  })

  describe("an explicit resume (omo PR #2640)", () => {
    test("of another session leaves the mapping as it was", () => {
      const before = recorded()
      expect(run(before, { resumes: OLD }, { childId: OLD }).task_sessions).toEqual(
        before.task_sessions,
      )
    })
    test("of another session makes no mapping where none was", () => {
      expect(run(aWork(), { resumes: OLD }, { childId: OLD }).task_sessions).toEqual({})
    })
    test("of the task's own session is recorded", () => {
      expect(sessionOf(run(recorded(), { resumes: CHILD }, { childId: CHILD }))?.attempts).toBe(2)
    })
    test("that the host replaced by a new session without a word is no resume", () => {
      expect(
        sessionOf(run(recorded({ session_id: OLD }), { resumes: "ses_gone" }))?.session_id,
      ).toBe(CHILD)
    })
    test("of the session of another task under the same key is foreign", () => {
      const before = recorded({ title_hash: "0badcafe" })
      expect(run(before, { resumes: CHILD }, { childId: CHILD }).task_sessions).toEqual(
        before.task_sessions,
      )
    })
    test("of an own session that was set by itself is no explicit one", () => {
      expect(sessionOf(run(recorded(), { resumes: null }, { childId: CHILD }))?.attempts).toBe(2)
    })
  })

  describe("a verdict of the final wave", () => {
    test("is kept with its row, its session and its time", () => {
      const work = run(aWork(), {}, { verdict: "reject" })
      expect(work.final_wave).toEqual({
        "todo:3": { title_hash: task.titleHash, verdict: "reject", session_id: CHILD, at: at(60) },
      })
    })
    test("the last one counts, also from a resumed session", () => {
      const before = run(aWork(), {}, { verdict: "reject" })
      const work = run(before, { resumes: OLD }, { childId: OLD, verdict: "pass" })
      expect(work.final_wave["todo:3"]?.verdict).toBe("pass")
    })
    test("none is kept for a task outside the wave, nor for a call without a task", () => {
      expect(run(aWork()).final_wave).toEqual({})
      const twice = after(
        aWork(),
        openDispatch(intent()),
        openDispatch(intent({ callId: "call_2" })),
        closeDispatch(outcome({ callId: "call_2", verdict: "pass" })),
      )
      expect(twice.final_wave).toEqual({})
    })
  })
})

describe("a limit of the provider keeps the session that it has ended", () => {
  const limit = { since: at(30), until: at(3_600) }
  const ended = { ...by("call_1"), childId: CHILD, taskLabel: "3", taskTitle: "Task 3", limit }
  test.each([
    { name: "the task's own", before: CHILD, resumes: CHILD, failures: 2 },
    { name: "a fresh one, in the place of an older", before: OLD, resumes: null, failures: 0 },
  ])("$name", ({ before, resumes, failures }) => {
    const work = recorded({ session_id: before, attempts: 4, failures: 2 })
    const kept = after(work, openDispatch(intent({ resumes })), interruptDispatch(ended))
    expect(kept.task_sessions[task.key]).toMatchObject({
      ...{ session_id: CHILD, attempts: 4, failures, status: "interrupted", interrupted: limit },
    })
  })
  test("but none that was resumed by itself while the task has another", () => {
    const work = recorded({ session_id: OLD, failures: 2 })
    const kept = after(work, openDispatch(intent({ resumes: CHILD })), interruptDispatch(ended))
    expect(kept.task_sessions[task.key]).toMatchObject({ session_id: OLD, failures: 2 })
  })

  const call2 = { callId: "call_2", resumes: OLD }
  const ended2 = { ...ended, callId: "call_2", childId: OLD }
  const result = outcome({ callId: "call_2", childId: OLD, resultHash: "bbbbbbbb" })
  const replaced = (others: Work["task_sessions"] = {}) => {
    const work = recorded({ session_id: OLD, results: 1, result_hash: "aaaaaaaa" })
    const task_sessions = { ...work.task_sessions, ...others }
    return after({ ...work, task_sessions }, openDispatch(intent()), interruptDispatch(ended))
  }
  test("the session whose place it took, and that is resumed, brings the task's result", () => {
    const kept = after(replaced(), openDispatch(intent(call2)), closeDispatch(result))
    expect(sessionOf(kept)).toMatchObject({ session_id: OLD, results: 2, status: "returned" })
    expect(sessionOf(kept)?.interrupted).toBeUndefined()
  })
  test("and is kept where it meets the limit too", () => {
    const kept = after(replaced(), openDispatch(intent(call2)), interruptDispatch(ended2))
    expect(sessionOf(kept)).toMatchObject({ session_id: OLD, results: 1, status: "interrupted" })
  })
  test("but a session of another task stays that one's", () => {
    const work = replaced({ [other.key]: aTaskSession(other, { session_id: OLD }) })
    const kept = after(work, openDispatch(intent(call2)), closeDispatch(result))
    expect(sessionOf(kept)).toMatchObject({ session_id: CHILD, results: 1, status: "interrupted" })
  })
})

describe("a call that failed, was aborted or denied, or went to the background", () => {
  test("leaves no entry behind", () => {
    const opened = openDispatch(intent())(aWork())
    expect(dropDispatch(by("call_1"))(opened)).toEqual(aWork())
    expect(failDispatch(by("call_1"), CHILD)(opened)).toEqual(aWork())
    expect(failDispatch(by("call_1"), null)(opened)).toEqual(aWork())
  })
  test("frees its key for the next call", () => {
    const work = after(
      aWork(),
      openDispatch(intent()),
      failDispatch(by("call_1"), null),
      openDispatch(intent({ callId: "call_2" })),
    )
    expect(taken(work)).toEqual(["call_2 todo:3"])
  })
  test("dropping what is not there writes nothing", () => {
    const work = recorded()
    expect(dropDispatch(by("call_x"))(work)).toBe(work)
    expect(failDispatch(by("call_x"), CHILD)(work)).toBe(work)
  })
  test.each([
    { name: "the task's own session failed", childId: CHILD, failures: 1 },
    { name: "another session failed", childId: OLD, failures: 0 },
    { name: "no session was begun", childId: null, failures: 0 },
  ])("$name: $failures counted", ({ childId, failures }) => {
    const work = after(recorded(), openDispatch(intent()), failDispatch(by("call_1"), childId))
    expect(sessionOf(work)?.failures).toBe(failures)
    expect(work.dispatches).toEqual({})
  })
  test("13n: a call of another session with the same id ends nothing", () => {
    const opened = openDispatch(intent())(recorded())
    const theirs = by("call_1", OLD)
    expect(dropDispatch(theirs)(opened)).toBe(opened)
    expect(failDispatch(theirs, CHILD)(opened)).toBe(opened)
    expect(closeDispatch(outcome({ ...theirs, childId: OLD }))(opened)).toBe(opened)
  })
  test("a failure reported twice is one", () => {
    const once = after(recorded(), openDispatch(intent()), failDispatch(by("call_1"), CHILD))
    expect(failDispatch(by("call_1"), CHILD)(once)).toBe(once)
  })
  test("failures stay with their session: a new one begins without, the old one keeps them", () => {
    const failed = recorded({ failures: 1 })
    const same = after(failed, openDispatch(intent()), closeDispatch(outcome()))
    const fresh = after(failed, openDispatch(intent()), closeDispatch(outcome({ childId: OLD })))
    expect([sessionOf(same)?.failures, sessionOf(fresh)?.failures]).toEqual([1, 0])
  })
})
