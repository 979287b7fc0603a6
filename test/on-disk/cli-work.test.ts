import { describe, expect, test } from "bun:test"
import type { Boulder, PauseReason, Work } from "../../src/boulder/boulder.ts"
import { approveWave, reopenWork } from "../../src/boulder/reopen-work.ts"
import { workStateOf } from "../../src/boulder/work-state.ts"
import { namedWork, unnamedWork } from "../../src/cli/project/meant-work.ts"
import { Refusal } from "../../src/cli/terminal/cli-error.ts"
import { paintOf } from "../../src/cli/terminal/terminal.ts"
import { paceOf, paceWords } from "../../src/cli/views/pace.ts"
import { statusJson } from "../../src/cli/views/status-json.ts"
import { ago, statusText } from "../../src/cli/views/status-view.ts"
import { type Timeline, whyText } from "../../src/cli/views/why-text.ts"
import {
  approvedText,
  notPausedText,
  resumedText,
  stillHoldsText,
  stoppedText,
  unblockedText,
} from "../../src/cli/views/work-text.ts"
import { inShell } from "../../src/prompts/typed-command.ts"
import type { JournalEntry } from "../../src/store/records/journal.ts"
import { aPlan, aTask, at, aWork, LEAD, NOW } from "../support/builders.ts"
import { BY_NAME } from "../support/by-name.ts"
import { shownOn } from "../support/cli-in-process.ts"
import { overlong } from "../support/overlong.ts"

const paused = (reason: PauseReason, given: Partial<Work> = {}): Work =>
  aWork({ status: "paused", pause_reason: reason, ...given })

describe("which work is meant", () => {
  const work = (name: string, given: Partial<Work> = {}): Work =>
    aWork({ work_id: name, plan_name: name, active_plan: `.boulder/plans/${name}.md`, ...given })
  const meant = (state: Boulder | null, name: string) =>
    name === ""
      ? unnamedWork(state, BY_NAME)
      : namedWork(Object.values(state?.works ?? {}), name, BY_NAME)
  const boulder = (...works: readonly Work[]): Boulder => ({
    schema_version: 3,
    revision: 1,
    works: Object.fromEntries(works.map((one) => [one.work_id, one])),
  })
  const auth = work("auth-rewrite")
  const audit = work("audit-log")
  const old = work("old", { status: "completed" })

  test.each([
    ["the only open one", boulder(auth, old), "", "auth-rewrite"],
    ["a name", boulder(auth, audit), "audit-log", "audit-log"],
    ["a path", boulder(auth, audit), ".boulder/plans/audit-log.md", "audit-log"],
    ["a normalised name", boulder(auth, audit), "Auth Rewrite", "auth-rewrite"],
    ["a unique prefix", boulder(auth, audit), "aud", "audit-log"],
    ["a completed one, when named", boulder(auth, old), "old", "old"],
  ])("%s", (_, state, name, expected) => {
    const found = meant(state, name)
    expect(found instanceof Refusal ? found.message : found.plan_name).toBe(expected)
  })

  test.each([
    ["nothing was started", null, "", "found none in this project"],
    ["all are complete", boulder(old), "", "found none in this project"],
    ["two are open", boulder(auth, audit), "", "auth-rewrite (.boulder/plans/auth-rewrite.md)"],
    ["a prefix of two", boulder(auth, audit), "au", "several that could be meant"],
    ["no such name", boulder(auth, audit), "nope", "found none of that name"],
  ])("%s: not guessed but told", (_, state, name, expected) => {
    const found = meant(state, name)
    expect(found instanceof Refusal ? found.message : "").toContain(expected)
  })
})

describe("what resume and approve change", () => {
  test("resume re-opens a work that is still paused for the reason that was looked at", () => {
    expect(reopenWork("aborted", at(0))(paused("aborted"))).toMatchObject({
      status: "active",
      pause_reason: null,
      resumed_at: at(0),
    })
    const stopped = paused("stopped-by-user")
    expect(reopenWork("aborted", at(0))(stopped)).toBe(stopped)
    const active = aWork()
    expect(reopenWork("aborted", at(0))(active)).toBe(active)
  })

  test("a spent budget is fresh afterwards, any other keeps its count", () => {
    const continuation = { ...aWork().continuation, count: 200 }
    const count = (reason: PauseReason) =>
      reopenWork(reason, at(0))(paused(reason, { continuation })).continuation.count
    expect([count("budget-spent"), count("no-progress")]).toEqual([0, 200])
  })

  test("approve lifts the wait for this wave", () => {
    const waiting = aWork({ awaiting_approval: { fingerprint: "wave-1", since: at(0) } })
    expect(approveWave("wave-1")(waiting)).toMatchObject({
      awaiting_approval: null,
      approved_wave: "wave-1",
    })
  })
})

const CALLED = { typed: BY_NAME, name: "demo" }

describe("what is said of a change", () => {
  test("a command at its end is followed by nothing", () =>
    expect(stillHoldsText(paused("budget-spent"), "plan-unavailable", BY_NAME)).toEndWith(
      "or run opencode-boulder run <its new path>",
    ))

  test.each([
    [
      stoppedText("demo", { isNew: true, ...CALLED }),
      "Stopped: demo. A running turn finishes, then nothing more is sent. To resume: opencode-boulder resume demo",
    ],
    [
      stoppedText("demo", { isNew: false, ...CALLED }),
      "demo was stopped already. To resume: opencode-boulder resume demo",
    ],
    [
      resumedText("demo", "aborted", CALLED),
      "Resumed: demo. It was paused: you interrupted it. A running",
    ],
    [
      resumedText("demo", "budget-spent", CALLED),
      "Resumed: demo with a fresh budget. It was paused: its budget is spent.",
    ],
    [
      unblockedText(paused("aborted"), aTask({ label: "2" }), CALLED),
      "demo stays paused: you interrupted it",
    ],
    [
      notPausedText(
        "demo",
        { kind: "waiting-for-you", for: "agent", asks: null, session: LEAD },
        CALLED,
      ),
      "demo is not paused: waiting for you: you switched the session to another agent. To resume: ",
    ],
    [
      stillHoldsText(paused("plan-unavailable"), "plan-unavailable", BY_NAME),
      "found demo still paused: the plan cannot be read or marked (.boulder/plans/demo.md). To resume: put the plan back, fix it or make it writable, or run opencode-boulder run <its new path>",
    ],
    [
      approvedText(
        aWork({
          final_wave: {
            "final-wave:f1": { title_hash: "0", verdict: "pass", session_id: null, at: at(0) },
          },
        }),
        CALLED,
      ),
      "Approved: the final wave of demo (final-wave:f1). A running opencode continues it",
    ],
    [
      approvedText(paused("stopped-by-user"), CALLED),
      "Approved: the final wave of demo. demo stays paused: you stopped it. To resume: run opencode-boulder resume demo",
    ],
  ])("%s", (text, expected) => {
    expect(text).toContain(expected)
  })
})

describe("status", () => {
  const plan = aPlan([aTask({ label: "1", state: "done" }), aTask({ label: "2" })])
  const reading = {
    kind: "read",
    plan,
    lines: [],
    fingerprint: { size: 0, mtime_ms: 0, hash: "" },
  } as const
  const last = {
    at: at(-30),
    session: LEAD,
    work: "demo",
    decision: "pause",
    reason: "aborted",
    facts: {},
  }

  const stateOf = (work: Work) => workStateOf(work, null, { more: null, now: NOW })

  test("a paused work: how far, why, and what sets it going again", () => {
    const work = paused("aborted", { updated_at: at(-60) })
    expect(
      statusText(
        [
          {
            work,
            state: stateOf(work),
            reading,
            blocked: [],
            last,
            pace: null,
            name: null,
            typed: BY_NAME,
          },
        ],
        shownOn(100),
      ),
    ).toBe(`demo  ██████████░░░░░░░░░░ 1/2 settled  paused
  You interrupted it. To resume: send its session a message or run opencode-boulder resume
  next: todo:2 Task 2

  plan: .boulder/plans/demo.md
  window: todo:2
  session: ${LEAD}, 0 continuations, last change 1 min ago
  last decision: Paused (you interrupted it), 30 s ago
`)
  })

  test("a complete plan: what stands outside its tasks and was left out", () => {
    const message = "1 heading has no box and is not run: `opencode-boulder plan <file>` shows it."
    const done = {
      ...aPlan([aTask({ label: "1", state: "done" })]),
      warnings: [{ line: 9, rule: "rows-without-box", message }],
    }
    const work = aWork({ status: "completed" })
    const status = {
      ...{ work, state: stateOf(work), blocked: [], last: null, pace: null },
      name: null,
    }
    const text = statusText(
      [{ ...status, reading: { ...reading, plan: done }, typed: BY_NAME }],
      shownOn(120),
    )
    expect(text).toContain(
      "\n  left out: line 9: 1 heading has no box and is not run: `opencode-boulder plan .boulder/plans/demo.md` shows it.\n",
    )
  })

  test("a plan that is gone: what was read of it last, and what to do", () => {
    const work = aWork({ completed_count: 3, total_count: 9 })
    const gone = {
      kind: "unavailable",
      message: "Expected a plan at x; no file is there.",
    } as const
    const text = statusText(
      [
        {
          work,
          state: stateOf(work),
          reading: gone,
          blocked: [],
          last: null,
          pace: null,
          name: null,
          typed: BY_NAME,
        },
      ],
      shownOn(),
    )
    expect(text).toContain("3/9 settled  idle")
    expect(text).toContain("Expected a plan at x; no file is there.")
  })

  test("waiting for approval: the command is the one that is typed here; counts in the singular", () => {
    const work = aWork({ awaiting_approval: { fingerprint: "w", since: at(0) } })
    const count = { ...work.continuation, count: 1 }
    const text = statusText(
      [
        {
          ...{ work: { ...work, continuation: count }, state: stateOf(work), reading },
          ...{ blocked: [], last: null, pace: null, name: null },
          typed: inShell("npx opencode-boulder"),
        },
      ],
      shownOn(120),
    )
    expect(text).toContain("or run npx opencode-boulder approve\n")
    expect(text).toContain(", 1 continuation,")
  })

  test.each([20, 40, 60])("no line is longer than %d columns", (columns) => {
    const work = paused("only-blocked-left", { plan_name: "很长的名字 ".repeat(9) })
    const status = {
      work,
      state: stateOf(work),
      reading,
      blocked: [],
      last,
      pace: null,
      name: null,
      typed: BY_NAME,
    }
    expect(overlong(statusText([status], shownOn(columns)), columns)).toEqual([])
  })

  test("colours are told apart from words: without them the same text", () => {
    const work = aWork()
    const status = {
      work,
      state: stateOf(work),
      reading,
      blocked: [],
      last,
      pace: null,
      name: null,
      typed: BY_NAME,
    }
    const coloured = statusText([status], { ...shownOn(), paint: paintOf(true) })
    expect(coloured).toContain("\u001b[")
    expect(Bun.stripANSI(coloured)).toBe(statusText([status], shownOn()))
  })

  test.each([
    { points: [0, 3], minutes: [0, 30], left: 4, says: "6 tasks an hour, about 40 min left" },
    { points: [2, 5], minutes: [0, 180], left: 9, says: "1 task an hour, about 9 h 0 min left" },
    { points: [2, 5], minutes: [0, 180], left: 0, says: "1 task an hour" },
    { points: [2, 4], minutes: [0, 180], left: 9, says: null },
    { points: [2, 9], minutes: [0, 4], left: 9, says: null },
    { points: [], minutes: [], left: 9, says: null },
  ])("pace of $points in $minutes min: $says", ({ points, minutes, left, says }) => {
    const pace = paceOf(
      points.map((settled, index) => ({ at: at((minutes[index] ?? 0) * 60), settled })),
      left,
    )
    expect(pace === null ? null : paceWords(pace)).toBe(says)
  })

  test("as JSON", () => {
    const work = paused("aborted", { awaiting_approval: { fingerprint: "w", since: at(0) } })
    expect(
      statusJson([
        {
          work,
          state: stateOf(work),
          reading,
          blocked: [],
          last,
          pace: null,
          name: null,
          typed: BY_NAME,
        },
      ]),
    ).toMatchObject({
      works: [
        {
          plan_name: "demo",
          status: "paused",
          state: { kind: "paused", reason: "aborted", more: null },
          pause_reason: "aborted",
          to_resume: "send its session a message or run opencode-boulder resume",
          awaiting_approval: true,
          counts: { total: 2, settled: 1, blocked: 0 },
          next: "todo:2 Task 2",
          last_decision: { decision: "pause", reason: "aborted" },
        },
      ],
    })
  })

  test.each([
    [-5, "0 s ago"],
    [59_000, "59 s ago"],
    [61_000, "1 min ago"],
    [3_600_000, "1 h ago"],
    [72 * 3_600_000, "3 days ago"],
  ])("%d ms are %s", (ms, expected) => {
    expect(ago(ms)).toBe(expected)
  })
})

describe("why", () => {
  const entry: JournalEntry = {
    at: at(0),
    session: LEAD,
    work: "demo-1",
    decision: "retry",
    reason: "cooling-down",
    facts: {},
  }
  const shown = (entries: readonly JournalEntry[], given: Partial<Timeline> = {}): string =>
    whyText(entries, {
      columns: 80,
      paint: paintOf(false),
      withFacts: false,
      planOf: (id) => `plan of ${id}`,
      taskOf: ({ facts }) =>
        facts["task"] === "todo:2" ? { key: "todo:2", title: "Build part 2" } : null,
      ...given,
    })

  test("a day, then sentences with times, titles and counts", () => {
    expect(
      shown([
        { ...entry, facts: { settled: 4, total: 6 } },
        {
          ...entry,
          at: at(120),
          decision: "delegate",
          reason: "task-named",
          facts: { task: "todo:2" },
        },
        {
          ...entry,
          at: at(240),
          decision: "task-blocked",
          reason: "by-record",
          facts: { task: "todo:2", why: "no key" },
        },
        { ...entry, at: at(86_400), decision: "pause", reason: "aborted" },
      ]),
    ).toBe(`21 November 2026
12:00  Waited: the last prompt was only seconds ago. 4 of 6 settled.
12:02  Delegated todo:2 "Build part 2".
12:04  Blocked todo:2 "Build part 2": a session saved it as blocked (no key).

22 November 2026
12:00  Paused: you interrupted it.
`)
  })

  test.each([
    { decision: "pause", reason: "aborted", says: "Paused: you interrupted it." },
    { decision: "continue", reason: "continue", says: "Continued: tasks remain." },
    { decision: "retry", reason: "backing-off", says: "Waited: the last turns failed (APIError)." },
  ])("$reason: the error of the turn before is told of failures alone", ({ says, ...given }) => {
    const facts = {
      turn_error: given.reason === "backing-off" ? "APIError" : "MessageAbortedError",
    }
    expect(shown([{ ...entry, ...given, facts }])).toContain(`12:00  ${says}`)
  })

  test("what was decided again and again is one line", () => {
    const again = [entry, { ...entry, at: at(60) }, { ...entry, at: at(120) }]
    expect(shown(again).split("\n")[1]).toBe(
      "12:00  Waited: the last prompt was only seconds ago. (3 times, until 12:02)",
    )
  })

  test("the plan is named where there are several", () => {
    expect(shown([entry, { ...entry, work: "other-1" }])).toContain(
      "12:00  plan of other-1: Waited",
    )
  })

  test("--facts: the facts that tell something, as they were written", () => {
    const facts = { settled: 4, total: 6, blocked: 0, turn_ours: true, turn_error: null, plan: "" }
    expect(
      shown([{ ...entry, facts }], { withFacts: true })
        .split("\n")
        .slice(2),
    ).toEqual([
      "  decision=retry reason=cooling-down session=ses_e02a05cf0ffeiVkhL7Rr1p5C1e",
      "  settled=4 total=6 turn_ours=true",
      "",
    ])
  })

  test.each([20, 40, 120])("no line is longer than %d columns", (columns) => {
    const facts = { task: "todo:2", why: "很长的名字 ".repeat(20) }
    expect(overlong(shown([{ ...entry, facts }], { columns, withFacts: true }), columns)).toEqual(
      [],
    )
  })

  test("an unknown reason speaks for itself, and foreign words stay on their line", () => {
    const text = shown([
      {
        ...entry,
        work: null,
        decision: "error",
        reason: "/start-work",
        facts: { message: "broken\n\u001b[31mred" },
      },
    ])
    expect(text).toBe("21 November 2026\n12:00  Failed at /start-work: broken red.\n")
  })
})
