import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { type Boulder, boulderSchema, emptyBoulder, type Work } from "../../src/boulder/boulder.ts"
import {
  changeWork,
  complete,
  pause,
  putWork,
  resumed,
  stop,
  takeLead,
} from "../../src/boulder/change-work.ts"
import { recordCompaction } from "../../src/boulder/compaction-record.ts"
import {
  recordFailure,
  recordTurn,
  reserveContinuation,
} from "../../src/boulder/continuation-record.ts"
import { isoOf } from "../../src/boulder/iso-time.ts"
import { newWork } from "../../src/boulder/new-work.ts"
import {
  closeDispatch,
  dropDispatch,
  failDispatch,
  openDispatch,
} from "../../src/boulder/record-dispatch.ts"
import { recordReading } from "../../src/boulder/record-reading.ts"
import { aPlan, aTask, CHILD, LEAD, NOW } from "../support/builders.ts"

type Step = (work: Work) => Work

const time = fc.integer({ min: 0, max: 90_000 }).map((seconds) => isoOf(NOW + seconds * 1_000))
const session = fc.constantFrom(LEAD, CHILD, "ses_other", `ses_${"a".repeat(64)}`)
const callId = fc.constantFrom("call_1", "call_2", "call_3", "prt_1", "toString")
const label = fc.constantFrom("1", "2", "F1", "1.2")
const text = fc.string({ unit: "binary", maxLength: 400 })
const reason = fc.constantFrom(
  ...(["stopped-by-user", "aborted", "rejected-by-user", "no-progress", "backing-off"] as const),
  ...([
    "budget-spent",
    "plan-unavailable",
    "plan-invalid",
    "only-blocked-left",
    "task-blocked",
    "compaction-loop",
  ] as const),
)

const live = fc.subarray(["call_1", "call_2", "call_3", "prt_1", "toString"])
const open = fc
  .record({
    callId,
    label: fc.option(label),
    parentSessionId: session,
    agent: fc.constantFrom("general", ""),
    resumes: fc.option(session),
    liveCalls: live,
    now: time,
  })
  .map(({ label: named, ...intent }) => {
    return openDispatch({ ...intent, task: named === null ? null : aTask({ label: named }) })
  })
const made = fc.record({ sessionId: session, callId })
const outcome = fc.record({
  sessionId: session,
  callId,
  childId: session,
  taskLabel: fc.option(label),
  taskTitle: text,
  resultHash: fc.constantFrom("aaaaaaaa", "bbbbbbbb", "cccccccc"),
  verdict: fc.constantFrom(null, "pass" as const, "reject" as const),
  now: time,
})
const close = outcome.map(closeDispatch)
const fail = fc.tuple(made, fc.option(session)).map(([call, child]) => failDispatch(call, child))
const drop = made.map(dropDispatch)
const reserve = fc
  .record({
    now: time,
    noProgressStreak: fc.nat(3),
    fingerprint: fc.string({ maxLength: 256 }),
    messageId: fc.option(fc.string({ maxLength: 128 })),
  })
  .map(
    (given): Step =>
      (work) =>
        work.status === "active" ? reserveContinuation(given)(work) : work,
  )
const compaction = fc
  .tuple(fc.nat(5), fc.boolean())
  .map(([settled, isUsersTurn]) => recordCompaction(settled, { isUsersTurn }))
const turn = fc
  .tuple(
    fc.record({
      messageId: fc.constantFrom("msg_1", "msg_2"),
      failed: fc.boolean(),
      endedAt: fc.nat(90_000).map((s) => NOW + s * 1_000),
    }),
    time,
  )
  .map(([of, now]) => recordTurn(of, now))
const failure = time.map((now) => recordFailure(null, now))
const reading = fc
  .record({
    labels: fc.uniqueArray(fc.nat(99), { maxLength: 10 }),
    size: fc.nat(1_000_000),
    mtime_ms: fc.double({ min: 0, max: 2e12, noNaN: true }),
  })
  .map(({ labels, size, mtime_ms }) => {
    const tasks = labels.map((number) => aTask({ label: String(number) }))
    return recordReading({
      plan: aPlan(tasks),
      fingerprint: { size, mtime_ms, hash: "0" },
      window: tasks.slice(0, 10),
      activeShard: 1,
    })
  })
const lead = fc.tuple(session, time, live).map(([id, now, calls]) => takeLead(id, now, calls))
const lift: fc.Arbitrary<Step> = time.map(
  (now) => (work: Work) => (work.status === "paused" ? resumed(work, now) : work),
)
const terminal: fc.Arbitrary<Step> = fc.oneof(
  reason.map(pause),
  fc.constant<Step>(stop),
  fc.constant<Step>(complete),
)
/** All but what a person does to set a work going again. */
const ours: fc.Arbitrary<Step> = fc.oneof(
  open,
  close,
  fail,
  drop,
  reserve,
  compaction,
  turn,
  failure,
  reading,
  terminal,
)
const any: fc.Arbitrary<Step> = fc.oneof(ours, ours, ours, lead, lift)
const timed = (step: fc.Arbitrary<Step>) => fc.tuple(step, time)

function started(): { boulder: Boulder; id: string } {
  const work = newWork({ planPath: "p.md", planName: "p", sessionId: LEAD, now: isoOf(NOW) })
  return { boulder: putWork(emptyBoulder(), work), id: work.work_id }
}

function run(steps: readonly (readonly [Step, string])[], begun = started()): Work {
  const after = steps.reduce(
    (boulder, [step, now]) => changeWork(begun.id, now, step)(boulder),
    begun.boulder,
  )
  const work = after.works[begun.id]
  if (work === undefined) throw new Error("the work is gone")
  return work
}
const steps = (step: fc.Arbitrary<Step>, maxLength = 40) => fc.array(timed(step), { maxLength })

describe("every change keeps the schema valid", () => {
  test("over any sequence of changes", () => {
    fc.assert(
      fc.property(steps(any), (all) => {
        const { boulder, id } = started()
        let now = boulder
        for (const [step, moment] of all) {
          now = changeWork(id, moment, step)(now)
          expect(boulderSchema.parse(now)).toEqual(now)
        }
      }),
      { numRuns: 300 },
    )
  })
  test("and none changes what it was given", () => {
    fc.assert(
      fc.property(steps(any, 10), any, (all, last) => {
        const work = run(all)
        const before = JSON.stringify(work)
        last(work)
        expect(JSON.stringify(work)).toBe(before)
      }),
    )
  })
  test("what a step says of an unchanged work is the very same object, so that nothing is written", () => {
    fc.assert(
      fc.property(steps(any), fc.oneof(drop, terminal), (all, last) => {
        const once = last(run(all))
        expect(last(once)).toBe(once)
      }),
    )
  })
})

describe("a delegation ends once", () => {
  test.each([
    { name: "closing", end: close },
    { name: "failing", end: fail },
    { name: "dropping", end: drop },
  ])("$name it twice is as once", ({ end }) => {
    fc.assert(
      fc.property(steps(any), end, (all, last) => {
        const once = last(run(all))
        expect(last(once)).toBe(once)
      }),
      { numRuns: 300 },
    )
  })
  test("after its end, however it ended, no other end of it matters", () => {
    fc.assert(
      fc.property(steps(any), outcome, fc.option(session), (all, came, child) => {
        const closed = closeDispatch(came)(run(all))
        expect(failDispatch(came, child)(closed)).toBe(closed)
        const failed = failDispatch(came, child)(run(all))
        expect(closeDispatch(came)(failed)).toBe(failed)
      }),
      { numRuns: 300 },
    )
  })
  test("no key is claimed by two calls at once", () => {
    fc.assert(
      fc.property(steps(any), (all) => {
        const keys = Object.values(run(all).dispatches)
          .map(({ task_key }) => task_key)
          .filter((key) => key !== null)
        expect(new Set(keys).size).toBe(keys.length)
      }),
      { numRuns: 300 },
    )
  })
  test("results stay at two, failures and attempts only grow with their session", () => {
    fc.assert(
      fc.property(steps(any), (all) => {
        for (const { results, attempts } of Object.values(run(all).task_sessions)) {
          expect(results).toBeLessThanOrEqual(2)
          expect(attempts).toBeGreaterThanOrEqual(1)
        }
      }),
    )
  })
})

describe("nothing but an opener changes paused, and terminal means terminal", () => {
  test("a paused work keeps its status and its reason, unless the user stops it", () => {
    fc.assert(
      fc.property(steps(any), steps(ours), (before, after) => {
        const begun = started()
        const work = run(before, begun)
        if (work.status !== "paused") return
        const later = run(after, { ...begun, boulder: putWork(begun.boulder, work) })
        expect(later.status).toBe("paused")
        expect([work.pause_reason, "stopped-by-user"]).toContain(later.pause_reason)
      }),
      { numRuns: 1_000 },
    )
  })
  test("a completed work stays completed, by messages and edits too", () => {
    fc.assert(
      fc.property(steps(any), steps(fc.oneof(ours, lift)), (before, after) => {
        const begun = started()
        const work = run(before, begun)
        if (work.status !== "completed") return
        expect(run(after, { ...begun, boulder: putWork(begun.boulder, work) }).status).toBe(
          "completed",
        )
      }),
      { numRuns: 1_000 },
    )
  })
  test("a reason stands where and only where a work is paused", () => {
    fc.assert(
      fc.property(steps(any), (all) => {
        const { status, pause_reason } = run(all)
        expect(pause_reason !== null).toBe(status === "paused")
      }),
      { numRuns: 300 },
    )
  })
  test("the count of continuations falls only where a spent budget was given anew", () => {
    fc.assert(
      fc.property(steps(any), (all) => {
        const begun = started()
        let { boulder } = begun
        for (const [step, now] of all) {
          const before = boulder.works[begun.id]
          boulder = changeWork(begun.id, now, step)(boulder)
          const after = boulder.works[begun.id]
          if (before === undefined || after === undefined) throw new Error("the work is gone")
          if (after.continuation.count < before.continuation.count)
            expect(before.pause_reason).toBe("budget-spent")
        }
      }),
      { numRuns: 300 },
    )
  })
})
