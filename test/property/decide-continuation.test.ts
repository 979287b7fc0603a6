import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import type { PauseReason, TaskSession, Work } from "../../src/boulder/boulder.ts"
import { withinTheHour } from "../../src/boulder/continuation-record.ts"
import { isoOf } from "../../src/boulder/iso-time.ts"
import { decideContinuation } from "../../src/decide/decide-continuation.ts"
import { reviewedIn, unsettledTasks, waveStatus } from "../../src/decide/final-wave.ts"
import { causeHolds, type Opener, reopens } from "../../src/decide/reopen.ts"
import type { Situation } from "../../src/decide/situation.ts"
import { windowOf } from "../../src/decide/window.ts"
import { isSettled, type Plan, type Task } from "../../src/plan/model/plan.ts"
import {
  aPlan,
  aSituation,
  aTask,
  aTaskSession,
  aWork,
  CHILD,
  LEAD,
  NOW,
} from "../support/builders.ts"

const CASES = 2_000

const PAUSES: readonly PauseReason[] = [
  "stopped-by-user",
  "aborted",
  "rejected-by-user",
  "no-progress",
  "compaction-loop",
  "backing-off",
  "budget-spent",
  "plan-unavailable",
  "plan-invalid",
  "only-blocked-left",
  "task-blocked",
]
/** Pauses whose cause only the plan can take away. */
const OF_THE_PLAN: readonly PauseReason[] = [
  "plan-unavailable",
  "plan-invalid",
  "only-blocked-left",
  "task-blocked",
]
const moment = fc.integer({ min: -7_200, max: 60 }).map((seconds) => NOW + seconds * 1_000)
const time = moment.map(isoOf)

const task = fc
  .record({
    label: fc.constantFrom("1", "2", "3", "F1", "F2"),
    section: fc.constantFrom("todo" as const, "final-wave" as const),
    state: fc.constantFrom(
      ...(["open", "open", "in_progress", "blocked", "done", "done", "cancelled"] as const),
    ),
    optional: fc.boolean(),
    canRun: fc.boolean(),
    rejected: fc.constantFrom(false, false, false, false, true),
  })
  .map(({ canRun, ...given }): Task => {
    const open = given.state === "open" || given.state === "in_progress"
    return { ...aTask(given), runnable: open && canRun }
  })
const plan = fc
  .uniqueArray(task, { maxLength: 6, selector: ({ key }) => key })
  .map((tasks): Plan => aPlan(tasks))
const row = fc.record({
  title_hash: fc.constantFrom(aTask({ label: "F1" }).titleHash, aTask({ label: "F2" }).titleHash),
  verdict: fc.constantFrom("pass" as const, "reject" as const),
  session_id: fc.constant(CHILD),
  at: time,
})
const passed = (label: string, at: string): Work["final_wave"] => ({
  [`final-wave:${label.toLowerCase()}`]: {
    title_hash: aTask({ label }).titleHash,
    verdict: "pass",
    session_id: CHILD,
    at,
  },
})
const wave: fc.Arbitrary<Work["final_wave"]> = fc.oneof(
  fc.dictionary(fc.constantFrom("final-wave:f1", "final-wave:f2"), row),
  time.map((at) => ({ ...passed("F1", at), ...passed("F2", at) })),
)
const sessions: fc.Arbitrary<Record<string, TaskSession>> = fc.dictionary(
  fc.constantFrom("todo:1", "todo:2"),
  fc.nat(2).map((results) => aTaskSession(aTask({ label: "1" }), { results })),
)
const count = fc.oneof(fc.nat(12), fc.constantFrom(199, 200, 201))
const continuation = fc.record({
  count,
  no_progress_streak: fc.nat(3),
  failures: fc.nat(12),
  failed_at: fc.option(time),
  failed_message_id: fc.option(fc.constantFrom("msg_1", "msg_2")),
  counted_message_id: fc.option(fc.constantFrom("msg_1", "msg_2")),
  last_at: fc.option(time),
  recent: fc.array(time, { maxLength: 40 }),
  fingerprint: fc.option(fc.constantFrom("same", "other")),
})
const work = fc
  .record({
    status: fc.constantFrom(
      "active" as const,
      "active" as const,
      "paused" as const,
      "completed" as const,
    ),
    reason: fc.constantFrom(...PAUSES),
    lead_session_id: fc.constantFrom(LEAD, LEAD, CHILD),
    agent: fc.option(fc.constantFrom("build", "plan")),
    resumed_at: time,
    continuation,
    final_wave: wave,
    task_sessions: sessions,
  })
  .map(
    ({ reason, ...given }): Work =>
      aWork({ ...given, pause_reason: given.status === "paused" ? reason : null }),
  )
const lastTurn = fc.record({
  messageId: fc.constantFrom("msg_1", "msg_2"),
  createdAt: moment,
  ours: fc.boolean(),
  ended: fc.boolean(),
  error: fc.option(fc.constantFrom("MessageAbortedError", "APIError")),
  contextTokens: fc.nat(300_000),
  isSummary: fc.boolean(),
  isUnanswered: fc.boolean(),
})
const rarely = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { freq: 6 })
/** Situations of every kind; approvals are for the wave that there is in a third of them. */
const situation: fc.Arbitrary<Situation> = fc
  .record({
    isChild: fc
      .boolean()
      .map((no) => !no)
      .chain((yes) => (yes ? fc.nat(4).map((n) => n === 0) : fc.constant(false))),
    work: fc.option(work, { freq: 20 }),
    lastTurn: fc.option(lastTurn),
    agent: fc.option(fc.constantFrom("build", "plan")),
    abortedAt: rarely(moment).map((at) => (at !== null && at % 5_000 === 0 ? at : null)),
    rejectedAt: rarely(moment).map((at) => (at !== null && at % 5_000 === 0 ? at : null)),
    waitingFor: fc.constantFrom(null, null, null, "question" as const, "permission" as const),
    plan: fc.option(plan, { freq: 20 }),
    busyChildren: fc.constantFrom([], [], [CHILD]),
    progress: fc.constantFrom("same", "other"),
    approval: fc.constantFrom("none", "this", "another"),
  })
  .map(({ agent, plan: read, approval, ...given }) => ({
    ...aSituation({ ...given }),
    work:
      given.work && read && approval === "this"
        ? { ...given.work, approved_wave: waveStatus(read, given.work).fingerprint }
        : given.work && approval === "another"
          ? { ...given.work, approved_wave: "0badcafe" }
          : given.work,
    identity: { agent, model: null, variant: null },
    plan:
      read === null
        ? { kind: "unavailable" as const, message: "gone" }
        : { kind: "read" as const, plan: read },
  }))

const holds = (rule: (given: Situation) => void) =>
  fc.assert(fc.property(situation, rule), { numRuns: CASES })

describe("the decision is total", () => {
  test("every situation gives a decision with a reason, and nothing throws", () => {
    const kinds = new Map<string, number>()
    holds((given) => {
      const { kind, reason } = decideContinuation(given)
      expect(["rest", "pause", "finish", "retry", "continue"]).toContain(kind)
      expect(reason.length).toBeGreaterThan(0)
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    })
    expect([...kinds.keys()].sort()).toEqual(["continue", "finish", "pause", "rest", "retry"])
  })
  test("the same situation gives the same decision, and is left as it was", () => {
    holds((given) => {
      const before = JSON.stringify(given)
      expect(decideContinuation(given)).toEqual(decideContinuation(given))
      expect(JSON.stringify(given)).toBe(before)
    })
  })
  test("a retry is always later than now, and no more than the longest wait", () => {
    holds((given) => {
      const decision = decideContinuation(given)
      if (decision.kind !== "retry") return
      expect(decision.at).toBeGreaterThan(given.now)
      expect(decision.at).toBeLessThanOrEqual(given.now + 60_000 + 60 * given.limits.backoffMs)
    })
  })
})

describe("what never continues", () => {
  const continues = (given: Situation) => decideContinuation(given).kind === "continue"
  test.each<{ name: string; is: (given: Situation) => boolean }>([
    {
      name: "a session of no work, a child, or one that is not the lead (omo#1774)",
      is: ({ work: of, isChild, sessionId }) =>
        of === null || isChild || of.lead_session_id !== sessionId,
    },
    {
      name: "a completed or paused work (omo#6233)",
      is: ({ work: of }) => of?.status !== "active",
    },
    {
      name: "a plan that cannot be read, or without a task (omo#2648)",
      is: ({ plan: read }) => read.kind !== "read" || read.plan.state === "invalid",
    },
    {
      name: "a plan of which nothing required is left (omo#3629)",
      is: ({ plan: read, work: of }) =>
        of === null ||
        read.kind !== "read" ||
        unsettledTasks(read.plan, of).every(({ optional }) => optional),
    },
    {
      name: "a plan of which nothing can run (omo#2025)",
      is: ({ plan: read, work: of }) =>
        of === null || read.kind !== "read" || windowOf(read.plan, of, 1).length === 0,
    },
    {
      name: "an open question or permission (omo#1888)",
      is: ({ waitingFor }) => waitingFor !== null,
    },
    { name: "children at work (omo#3362)", is: ({ busyChildren }) => busyChildren.length > 0 },
    {
      name: "a spent budget (omo#3446)",
      is: ({ work: of, now }) =>
        (of?.continuation.count ?? 0) >= 200 ||
        withinTheHour(of?.continuation.recent ?? [], now).length >= 30,
    },
    {
      name: "a wave that is back and not approved (omo#3545)",
      is: ({ plan: read, work: of }) =>
        of !== null &&
        read.kind === "read" &&
        waveStatus(read.plan, of).ready &&
        of.approved_wave !== waveStatus(read.plan, of).fingerprint,
    },
    {
      name: "an abort since a person set the work going (omo#577)",
      is: ({ abortedAt, work: of }) =>
        of !== null && abortedAt !== null && abortedAt >= Date.parse(of.resumed_at),
    },
    {
      name: "another agent than the work's (omo#927)",
      is: ({ identity, work: of }) =>
        of?.agent != null && identity.agent !== null && identity.agent !== of.agent,
    },
  ])("$name", ({ is }) => {
    let seen = 0
    holds((given) => {
      if (!is(given)) return
      seen++
      expect(continues(given)).toBe(false)
    })
    expect(seen).toBeGreaterThan(10)
  })
  test("finish is said only of a plan whose required tasks are all settled", () => {
    holds((given) => {
      if (decideContinuation(given).kind !== "finish") return
      const tasks = given.plan.kind === "read" ? given.plan.plan.tasks : []
      expect(tasks.filter((one) => !one.optional && !isSettled(one))).toEqual([])
      expect(tasks.length).toBeGreaterThan(0)
    })
  })
})

describe("the window", () => {
  test("never holds a settled, blocked or unrunnable task, but a ticked row that was rejected", () => {
    fc.assert(
      fc.property(plan, work, fc.integer({ min: 1, max: 10 }), (read, of, size) => {
        const window = windowOf(read, of, size)
        expect(window.length).toBeLessThanOrEqual(size)
        const rejected = waveStatus(read, of).rejected
        for (const one of window) {
          const rightly = one.runnable && !isSettled(one)
          expect(rightly || (one.state === "done" && rejected.includes(one))).toBe(true)
          expect(one.state).not.toBe("blocked")
        }
        const inPlan = read.tasks.filter((one) => window.includes(one))
        expect(new Set(window)).toEqual(new Set(inPlan))
        const isTask = ({ section }: Task) => section !== "final-wave"
        expect(window.filter(isTask)).toEqual(inPlan.filter(isTask))
      }),
      { numRuns: CASES },
    )
  })
  test("holds no reviewed row before one that is to be done", () => {
    fc.assert(
      fc.property(plan, work, fc.integer({ min: 1, max: 10 }), (read, of, size) => {
        const isReviewed = reviewedIn(read, of)
        const isLeft = windowOf(read, of, size).map(isReviewed)
        expect(isLeft).toEqual(isLeft.toSorted((one, other) => Number(one) - Number(other)))
        const hasMore = windowOf(read, of, read.tasks.length)
          .slice(size)
          .some((one) => !isReviewed(one))
        if (hasMore) expect(isLeft).not.toContain(true)
      }),
      { numRuns: CASES },
    )
  })
})

describe("nothing but the table's openers lifts a pause", () => {
  test("a work stopped by its user goes on by a start and nothing else, whatever the plan", () => {
    fc.assert(
      fc.property(
        plan,
        work,
        fc.constantFrom<Opener>("user-message", "start", "plan-edited"),
        (read, of, opener) => {
          const still = causeHolds("stopped-by-user", { kind: "read", plan: read }, of)
          expect(reopens("stopped-by-user", opener, still)).toBe(opener === "start")
        },
      ),
    )
  })
  test("no opener lifts a pause of the plan's own while its cause holds", () => {
    fc.assert(
      fc.property(
        plan,
        work,
        fc.constantFrom<Opener>("user-message", "start", "plan-edited"),
        fc.constantFrom<PauseReason>(...OF_THE_PLAN),
        (read, of, opener, reason) => {
          const reading = { kind: "read", plan: read } as const
          if (!causeHolds(reason, reading, of)) return
          expect(reopens(reason, opener, true)).toBe(false)
        },
      ),
      { numRuns: CASES },
    )
  })
  test("a pause whose cause holds would be made again: the gates and the table agree", () => {
    holds((given) => {
      if (given.work?.status !== "active") return
      const decision = decideContinuation(given)
      if (decision.kind !== "pause") return
      if (OF_THE_PLAN.includes(decision.reason))
        expect(causeHolds(decision.reason, given.plan, given.work)).toBe(true)
    })
  })
})
