import { describe, expect, test } from "bun:test"
import {
  aPlan,
  aSituation,
  aTask,
  aTaskSession,
  at,
  aWork,
  CHILD,
  LEAD,
  NOW,
} from "../../test/support/builders.ts"
import type { PauseReason, Work } from "../boulder/boulder.ts"
import { openDispatch } from "../boulder/record-dispatch.ts"
import type { PlanState } from "../plan/model/plan.ts"
import { decideContinuation } from "./decide-continuation.ts"
import type { Decision } from "./decision.ts"
import { waveStatus } from "./final-wave.ts"
import type { Situation } from "./situation.ts"

const counters = aWork().continuation
const continuation = (given: Partial<Work["continuation"]>) =>
  ({ work: aWork({ continuation: { ...counters, ...given } }) }) satisfies Partial<Situation>
const read = (...tasks: Parameters<typeof aPlan>[0]): Partial<Situation> => ({
  plan: { kind: "read", plan: aPlan(tasks) },
})
const turn = (given: Partial<NonNullable<Situation["lastTurn"]>>) => ({
  messageId: "msg_1",
  createdAt: NOW - 1_000,
  ours: false,
  error: null,
  ended: true,
  contextTokens: 0,
  isSummary: false,
  isUnanswered: false,
  ...given,
})
const wave = [
  aTask({ label: "1", state: "done" }),
  aTask({ label: "F1", section: "final-wave" }),
  aTask({ label: "F2", section: "final-wave" }),
]
const passed = (key: string, label: string) => ({
  [key]: {
    title_hash: aTask({ label }).titleHash,
    verdict: "pass" as const,
    session_id: CHILD,
    at: at(-9),
  },
})
const returned: Work["final_wave"] = {
  ...passed("final-wave:f1", "F1"),
  ...passed("final-wave:f2", "F2"),
}
const returnedPlan = aPlan(wave)
const approvedWave = waveStatus(returnedPlan, aWork({ final_wave: returned })).fingerprint

const oneBlocked = read(aTask({ label: "1", state: "blocked" }), aTask({ label: "2" }))
const over = { ...aWork().round, ended: "context-grown" as const }

/** What a decision says, kind and reason; of each kind and reason there is, by the compiler. */
type Said<One = Decision> = One extends {
  kind: infer Kind extends string
  reason: infer Reason extends string
}
  ? `${Kind} ${Reason}`
  : never
const outside = (state: PlanState): Partial<Situation> => ({
  plan: { kind: "read", plan: { ...aPlan([aTask({ label: "1", state: "done" })]), state } },
})

/** What is decided without a gate: nothing speaks against going on, the work is paused, or showing has failed. */
type WithoutGate =
  | "continue continue"
  | `retry ${"superseded" | "prompt-failed" | "prompt-unanswered" | "compaction-failed"}`
  | `rest ${Exclude<PauseReason, "stopped-by-user">}`
  | "pause stopped-by-user"

/**
 * In the order of the policy: what makes each gate speak, and the same with its one fact the other way. A reason without
 * a row does not compile.
 */
const ROWS: Readonly<
  Record<
    Exclude<Said, WithoutGate>,
    { readonly yes: Partial<Situation>; readonly no: Partial<Situation> }
  >
> = {
  "rest not-our-session": { yes: { work: null }, no: { work: aWork() } },
  "rest child-session": { yes: { isChild: true }, no: { isChild: false } },
  "rest taken-over": {
    yes: { work: aWork({ lead_session_id: CHILD }) },
    no: { work: aWork({ lead_session_id: LEAD }) },
  },
  "rest work-completed": {
    yes: { work: aWork({ status: "completed" }) },
    no: { work: aWork({ status: "active" }) },
  },
  "rest stopped-by-user": {
    yes: { work: aWork({ status: "paused", pause_reason: "stopped-by-user" }) },
    no: { work: aWork() },
  },
  "pause aborted": {
    yes: { abortedAt: NOW },
    no: { abortedAt: NOW - 3_600_001 },
  },
  "pause rejected-by-user": {
    yes: { rejectedAt: NOW },
    no: { rejectedAt: NOW - 3_600_001 },
  },
  "rest agent-changed": {
    yes: { identity: { agent: "plan", model: null, variant: null } },
    no: { identity: { agent: "build", model: null, variant: null } },
  },
  "rest question-pending": { yes: { waitingFor: "question" }, no: {} },
  "rest permission-pending": { yes: { waitingFor: "permission" }, no: {} },
  "pause plan-unavailable": {
    yes: { plan: { kind: "unavailable", message: "gone" } },
    no: read(aTask({ label: "1" })),
  },
  "pause plan-invalid": { yes: read(), no: read(aTask({ label: "1" })) },
  "rest awaiting-approval": {
    yes: { ...read(...wave), work: aWork({ final_wave: returned }) },
    no: { ...read(...wave), work: aWork({ final_wave: returned, approved_wave: approvedWave }) },
  },
  "pause rows-outside": {
    yes: outside("rows-outside"),
    no: read(aTask({ label: "1", state: "done" }), aTask({ label: "2" })),
  },
  "finish plan-complete": {
    yes: read(aTask({ label: "1", state: "done" }), aTask({ label: "2", optional: true })),
    no: read(aTask({ label: "1", state: "done" }), aTask({ label: "2" })),
  },
  "pause only-blocked-left": {
    yes: read(aTask({ label: "1", state: "blocked" })),
    no: read(aTask({ label: "1", state: "blocked" }), aTask({ label: "2" })),
  },
  "pause task-blocked": {
    yes: { ...oneBlocked, limits: { ...aSituation().limits, blockerSkip: false } },
    no: oneBlocked,
  },
  "pause provider-refused": {
    yes: { failure: { kind: "refused", words: "no credit", at: NOW - 1_000 } },
    no: { failure: { kind: "refused", words: "no credit", at: NOW - 3_600_001 } },
  },
  "pause usage-limited": {
    yes: { failure: { kind: "limited", until: NOW + 9_000, words: "", at: NOW - 1_000 } },
    no: { failure: { kind: "limited", until: NOW + 9_000, words: "", at: NOW - 3_600_001 } },
  },
  "retry children-running": { yes: { busyChildren: [CHILD] }, no: { busyChildren: [] } },
  "pause budget-spent": {
    yes: continuation({ count: 200 }),
    no: continuation({ count: 199 }),
  },
  "pause no-progress": {
    yes: {
      lastTurn: turn({ ours: true }),
      ...continuation({ no_progress_streak: 1, fingerprint: "marks:1" }),
    },
    no: {
      lastTurn: turn({ ours: true }),
      ...continuation({ no_progress_streak: 1, fingerprint: "marks:0" }),
    },
  },
  "pause compaction-loop": {
    yes: { work: aWork({ compactions: { epoch: 4, settled_at_last: 1, in_a_row: 2 } }) },
    no: { work: aWork({ compactions: { epoch: 4, settled_at_last: 1, in_a_row: 1 } }) },
  },
  "pause backing-off": {
    yes: continuation({ failures: aSituation().limits.pauseAfterFailures, failed_at: at(-5) }),
    no: continuation({ failures: 1, failed_at: at(-5) }),
  },
  "retry backing-off": {
    yes: continuation({ failures: 1, failed_at: at(-4) }),
    no: continuation({ failures: 1, failed_at: at(-5) }),
  },
  "retry cooling-down": {
    yes: continuation({ last_at: at(-4) }),
    no: continuation({ last_at: at(-5) }),
  },
  "rest provider-wait": { yes: { isBusy: true, hostWaitsUntil: NOW + 9_000 }, no: {} },
  "rest session-busy": { yes: { isBusy: true }, no: { isBusy: false } },
  "compact round-ended": {
    yes: { work: aWork({ round: over }) },
    no: { work: aWork({ round: { ...over, compacted: true } }) },
  },
}
const one = aTask({ label: "1" })
const interrupted = { since: at(-5), until: at(60) }
/** Two gates say the same: the limit of the lead's own turn, and one that holds up each task. */
const OF_TASKS = {
  name: "pause usage-limited, by its tasks",
  decision: "pause usage-limited",
  yes: {
    ...read(one),
    work: aWork({ task_sessions: { "todo:1": aTaskSession(one, { interrupted }) } }),
  },
  no: {
    ...read(one),
    work: aWork({ task_sessions: { "todo:1": aTaskSession(one) } }),
  },
}
const GATES = Object.entries(ROWS).flatMap(([decision, row]) => [
  { name: decision, decision, ...row },
  ...(decision === "retry children-running" ? [OF_TASKS] : []),
])

const said = (given: Partial<Situation>) => {
  const { kind, reason } = decideContinuation(aSituation(given))
  return `${kind} ${reason}`
}

describe("each gate speaks for its fact and is silent without it", () => {
  test.each(GATES)("$name", ({ decision, yes, no }) => {
    expect(said(yes)).toBe(decision)
    expect(said(no)).toBe("continue continue")
  })
})

/** Facts that can stand together: the work's own fields are merged, all else is taken as it is. */
function both(earlier: Partial<Situation>, later: Partial<Situation>): Partial<Situation> {
  const work = earlier.work === null ? null : merged(earlier.work, later.work)
  return { ...later, ...earlier, ...(work === undefined ? {} : { work }) }
}

function merged(
  earlier: Work | undefined | null,
  later: Work | undefined | null,
): Work | undefined {
  if (!earlier || !later) return earlier ?? later ?? undefined
  const plain = aWork()
  const changed = Object.entries(earlier).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(Reflect.get(plain, key)),
  )
  const continuationOf = { ...later.continuation, ...differences(earlier.continuation, counters) }
  return { ...later, ...Object.fromEntries(changed), continuation: continuationOf }
}

function differences<Value extends object>(value: Value, plain: Value): Partial<Value> {
  const changed = Object.entries(value).filter(
    ([key, one]) => JSON.stringify(one) !== JSON.stringify(Reflect.get(plain, key)),
  )
  return Object.fromEntries(changed) as Partial<Value>
}

/** Each would end the work, or leave it to a person, while a subagent is still at a task: a box may be ticked too early. */
const AT_THE_END: readonly string[] = [
  "rest awaiting-approval",
  "pause rows-outside",
  "finish plan-complete",
  "pause only-blocked-left",
]

describe("nothing ends while a subagent runs", () => {
  test.each(GATES.filter(({ decision }) => AT_THE_END.includes(decision)))("$name", ({ yes }) => {
    expect(said({ ...yes, busyChildren: [CHILD] })).toBe("retry children-running")
  })
})

describe("the order of the gates is the policy", () => {
  const pairs = GATES.flatMap((earlier, index) =>
    GATES.slice(index + 1).map((later) => ({
      earlier,
      later,
      name: `${earlier.name} before ${later.name}`,
      decision:
        later.decision === "retry children-running" && AT_THE_END.includes(earlier.decision)
          ? later.decision
          : earlier.decision,
    })),
  )
  test.each(pairs)("$name", ({ earlier, later, decision }) => {
    expect(said(both(earlier.yes, later.yes))).toBe(decision)
  })
})

test.each([
  { name: "waits as long", isBusy: false, hostWaitsUntil: NOW + 9_000, is: "rest provider-wait" },
  { name: "that works", isBusy: true, hostWaitsUntil: NOW + 9_000, is: "retry children-running" },
  { name: "that one goes on", isBusy: false, hostWaitsUntil: null, is: "retry children-running" },
])("subagents that wait for the provider below a lead that $name: $is", ({ is, ...given }) => {
  expect(said({ ...given, busyChildren: [CHILD] })).toBe(is)
  const plan = { kind: "read", plan: aPlan([aTask({ label: "1", state: "done" })]) } as const
  expect(said({ ...given, busyChildren: [CHILD], plan })).toBe(is)
})

describe("a stop while the end of a limit is waited for", () => {
  const limited = { since: at(-60), until: at(600), goes_on_at: at(610), attempts: 1 }
  const waits = { status: "paused", pause_reason: "usage-limited", limited } as const
  const stopped = { abortedAt: NOW }
  test("is written over the pause", () => {
    expect(said({ work: aWork(waits) })).toBe("rest usage-limited")
    expect(said({ work: aWork(waits), ...stopped })).toBe("pause aborted")
  })
  test("not over one that a person has to end", () => {
    const work = aWork({ status: "paused", pause_reason: "no-progress" })
    expect(said({ work, ...stopped })).toBe("rest no-progress")
  })
  test("behind what says whose work it is", () => {
    const work = aWork({ ...waits, lead_session_id: CHILD })
    expect(said({ work, ...stopped })).toBe("rest taken-over")
    expect(said({ work: aWork(waits), ...stopped, isChild: true })).toBe("rest child-session")
  })
})

describe("an abort or a no counts only until a person sets the work going again", () => {
  const aborted = turn({ error: "MessageAbortedError" })
  test("the last message says that the user stopped it, also after a restart (omo#577)", () => {
    expect(said({ lastTurn: aborted })).toBe("pause aborted")
  })
  test("an abort older than the last start is over", () => {
    expect(said({ lastTurn: aborted, work: aWork({ resumed_at: at(0) }) })).toBe(
      "continue continue",
    )
  })
})

describe("progress", () => {
  const same = { no_progress_streak: 1, fingerprint: "marks:1" }
  test("a turn of the user's does not count against us", () => {
    expect(said({ ...continuation(same), lastTurn: turn({ ours: false }) })).toBe(
      "continue continue",
    )
  })
  test("a failed turn is a failure, not a turn without progress", () => {
    expect(said({ ...continuation(same), lastTurn: turn({ ours: true, error: "APIError" }) })).toBe(
      "continue continue",
    )
  })
  test.each([0, 1])("nor is one that was cut off with its host, behind %i such turns", (streak) => {
    const decision = decideContinuation(
      aSituation({
        ...continuation({ ...same, no_progress_streak: streak }),
        lastTurn: turn({ ours: true, ended: false }),
      }),
    )
    expect(decision).toEqual({ kind: "continue", reason: "continue", noProgressStreak: streak })
  })
  test("nor is one whose subagent in the background has died with its host", () => {
    const { dispatches } = openDispatch({
      ...{ callId: "call_1", task: aTask({ label: "2" }), parentSessionId: LEAD },
      ...{ agent: "build", resumes: null, liveCalls: [], now: at(-9) },
    })(aWork())
    const work = aWork({ dispatches, continuation: { ...counters, ...same } })
    expect(said({ work, lastTurn: turn({ ours: true }) })).toBe("continue continue")
  })
  test.each([
    { name: "has failed", given: { error: "APIError" } },
    { name: "was cut off", given: { ended: false } },
  ])("what moved in a turn that $name has moved", ({ given }) => {
    const decision = decideContinuation(
      aSituation({
        ...continuation({ ...same, fingerprint: "marks:0" }),
        lastTurn: turn({ ours: true, ...given }),
      }),
    )
    expect(decision).toMatchObject({ kind: "continue", noProgressStreak: 0 })
  })
  test.each([
    { name: "an answer", turn: { ours: true } },
    { name: "its summary", turn: { ours: false, isSummary: true } },
  ])("a full context that the host could not mend is a turn without progress: $name", (given) => {
    const lastTurn = turn({ ...given.turn, error: "ContextOverflowError" })
    expect(said({ ...continuation(same), lastTurn })).toBe("pause no-progress")
  })
  test("the first turn without progress is counted and goes on", () => {
    const decision = decideContinuation(
      aSituation({
        ...continuation({ ...same, no_progress_streak: 0 }),
        lastTurn: turn({ ours: true }),
      }),
    )
    expect(decision).toEqual({ kind: "continue", reason: "continue", noProgressStreak: 1 })
  })
})

describe("back-off doubles, then waits long, then pauses", () => {
  test.each([
    { failures: 1, wait: 5_000 },
    { failures: 2, wait: 10_000 },
    { failures: 3, wait: 20_000 },
    { failures: 4, wait: 40_000 },
    { failures: 5, wait: 300_000 },
    { failures: 9, wait: 300_000 },
  ])("$failures failures", ({ failures, wait }) => {
    expect(decideContinuation(aSituation(continuation({ failures, failed_at: at(0) })))).toEqual({
      kind: "retry",
      reason: "backing-off",
      at: NOW + wait,
    })
  })
  test("ten failures pause", () => {
    expect(said(continuation({ failures: 10, failed_at: at(-9_999) }))).toBe("pause backing-off")
  })
})

describe("ceilings", () => {
  const recent = (count: number, seconds: number) =>
    Array.from({ length: count }, () => at(seconds))
  test("thirty within the hour pause", () => {
    expect(said(continuation({ count: 30, recent: recent(30, -3_599) }))).toBe("pause budget-spent")
  })
  test("thirty of which one is an hour old do not", () => {
    const times = [...recent(29, -3_599), at(-3_600)]
    expect(said(continuation({ count: 30, recent: times }))).toBe("continue continue")
  })
  test.each([
    { spent: 5_000_000, since: 0, ceiling: null, decision: "continue continue" },
    { spent: 999, since: 0, ceiling: 1_000, decision: "continue continue" },
    { spent: 1_000, since: 0, ceiling: 1_000, decision: "pause budget-spent" },
    { spent: 1_999, since: 1_000, ceiling: 1_000, decision: "continue continue" },
  ])(
    "$spent tokens, $since of them of an older budget, with a ceiling of $ceiling: $decision",
    (given) => {
      const { spent, since, ceiling: maxTokens, decision } = given
      const { limits } = aSituation()
      const work = aWork({ tokens: { spent, since, ceiling: null } })
      expect(said({ work, limits: { ...limits, maxTokens } })).toBe(decision)
    },
  )
})

describe("the final wave", () => {
  const ticked = wave.map((task) => ({ ...task, state: "done" as const, runnable: false }))
  test("ticked without approval still waits (omo#3545)", () => {
    expect(said({ ...read(...ticked), work: aWork({ final_wave: returned }) })).toBe(
      "rest awaiting-approval",
    )
  })
  test("ticked and approved is complete", () => {
    const work = aWork({
      final_wave: returned,
      approved_wave: waveStatus(aPlan(ticked), aWork({ final_wave: returned })).fingerprint,
    })
    expect(said({ ...read(...ticked), work })).toBe("finish plan-complete")
  })
  test("a ticked row whose text says VERDICT: REJECT is neither approval nor completion", () => {
    const rejected = ticked.map((task) =>
      task.label === "F2" ? { ...task, rejected: true } : task,
    )
    expect(said({ ...read(...rejected), work: aWork({ final_wave: returned }) })).toBe(
      "continue continue",
    )
  })
  test("a result that said VERDICT: REJECT holds the wave", () => {
    const row = returned["final-wave:f2"]
    const rejected: Work["final_wave"] = row
      ? { ...returned, "final-wave:f2": { ...row, verdict: "reject" } }
      : {}
    expect(said({ ...read(...ticked), work: aWork({ final_wave: rejected }) })).toBe(
      "continue continue",
    )
  })
  test("one row that was not delegated leaves the wave open", () => {
    expect(
      said({ ...read(...wave), work: aWork({ final_wave: passed("final-wave:f1", "F1") }) }),
    ).toBe("continue continue")
  })
})

describe("the end of a round", () => {
  const full = turn({ contextTokens: 30_001 })
  const ended = {
    number: 2,
    settled_at_checkpoint: 3,
    ended: "checkpoint-due",
    compacted: false,
  } as const
  test.each([
    {
      name: "a context above half the soft limit is compacted",
      given: { work: aWork({ round: ended }), lastTurn: full },
      is: "compact round-ended",
    },
    {
      name: "one at half of it goes on",
      given: { work: aWork({ round: ended }), lastTurn: turn({ contextTokens: 30_000 }) },
      is: "continue continue",
    },
    ...[107_500, 107_501].map((contextTokens) => ({
      name: `where it always begins above that, half of what is left counts: ${contextTokens}`,
      given: {
        work: aWork({ round: ended }),
        lastTurn: turn({ contextTokens }),
        tokenLimits: { soft: 115_000, hard: 145_000, scaled: false, base: 100_000 },
      },
      is: contextTokens > 107_500 ? "compact round-ended" : "continue continue",
    })),
    {
      name: "one that has grown by much is compacted before it comes to half",
      given: { work: aWork({ round: { ...ended, ended: "context-grown" } }) },
      is: "compact round-ended",
    },
    {
      name: "a round that goes on is not compacted",
      given: { lastTurn: full },
      is: "continue continue",
    },
    {
      name: "compacted once a round",
      given: { work: aWork({ round: { ...ended, compacted: true } }), lastTurn: full },
      is: "continue continue",
    },
    {
      name: "a summary is no context to compact",
      given: { work: aWork({ round: ended }), lastTurn: { ...full, isSummary: true } },
      is: "continue continue",
    },
    {
      name: "not without the long-run mode",
      given: { work: aWork({ round: ended }), lastTurn: full, tokenLimits: null },
      is: "continue continue",
    },
    {
      name: "not while the last prompt was a moment ago",
      given: {
        work: aWork({ round: ended, continuation: { ...counters, last_at: at(-1) } }),
        lastTurn: full,
      },
      is: "retry cooling-down",
    },
  ])("$name", ({ given, is }) => {
    expect(said(given)).toBe(is)
  })
  test("a compaction does not make a turn without progress forgotten", () => {
    const continuation = { ...counters, no_progress_streak: 2, fingerprint: "marks:1" }
    const work = aWork({ round: { ...ended, compacted: true }, continuation })
    expect(said({ work, lastTurn: { ...full, isSummary: true } })).toBe("pause no-progress")
  })
})
