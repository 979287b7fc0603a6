import { describe, expect, test } from "bun:test"
import { readFileSync, writeFileSync } from "node:fs"
import {
  aPlan,
  aTask,
  aWindow,
  aWork,
  CHILD,
  NOW,
  at as timeAt,
} from "../../test/support/builders.ts"
import { IN_OPENCODE } from "../../test/support/by-name.ts"
import type { BlockedTask } from "../boulder/blocked-tasks.ts"
import { readOptions } from "../opencode/host/options.ts"
import { V1_WORDS } from "../opencode/host/v1/v1-words.ts"
import { parsePlan } from "../plan/parse-plan.ts"
import { blockedWords } from "./blocked-lines.ts"
import { budgetWords } from "./budget-words.ts"
import { type ContinuationFacts, continuationText } from "./continuation-text.ts"
import {
  agentNotice,
  approvalNotice,
  childWaitNotice,
  finishNotice,
  hostWaitNotice,
  lookLostNotice,
  pauseNotice,
  TOLD,
  taskLimitNotice,
} from "./notice-text.ts"
import { occupiedText } from "./occupied-text.ts"
import { pauseWords, unreviewedWords, whyPaused } from "./pause-words.ts"
import { lateRefusal, refusalText, unwrittenRefusal } from "./refusal-text.ts"
import { sayText } from "./say-text.ts"
import { type StartFacts, startText } from "./start-text.ts"
import { statusLines } from "./status-text.ts"

const planName = "auth-rewrite"
const refusal = "Your key `sk-…` has </boulder> no credit left"
const aLimited = (goes_on_at: string | null) =>
  aWork({
    status: "paused",
    pause_reason: "usage-limited",
    limited: { since: timeAt(0), until: timeAt(7_200), goes_on_at, attempts: 0 },
  })
const planPath = ".boulder/plans/auth-rewrite.md"
const tasks = [
  aTask({ label: "1", title: "Add the users table", state: "done" }),
  aTask({ label: "2", title: "Add the login route", line: 14, endLine: 19 }),
  aTask({ label: "3", title: "Add rate limiting", line: 20, endLine: 20 }),
  aTask({ label: "4", title: "Write the docs", line: 21, endLine: 30 }),
]
const SHARD = ".boulder/works/auth-rewrite-5f21c0de/shards/001.md"
const window = aWindow(tasks.slice(1), {
  details: [
    "  What to do: a route at /login that takes mail and password\n  Must not: say which of the two was wrong",
    "",
    "  - [ ] install\n  - [ ] configure",
  ],
  shard: SHARD,
})
const plan = aPlan(tasks)
const reuse = { kind: "reuse", sessionId: CHILD, agent: "general" } as const

const started: StartFacts = {
  typed: IN_OPENCODE,
  planName,
  planPath,
  plan,
  resumed: false,
  window,
  settling: "by-tool",
  words: V1_WORDS,
  notes: [],
}
const blocked: readonly BlockedTask[] = [
  {
    key: "todo:5",
    title: "Deploy it",
    reason: "no key for the cloud",
    unblock: "the key is in .env",
    isHeld: false,
    handoff: null,
  },
  {
    key: "todo:6",
    title: "Tell the users",
    reason: null,
    unblock: null,
    isHeld: false,
    handoff: null,
  },
  {
    key: "todo:7",
    title: "Close the old door",
    reason: "still in use",
    unblock: null,
    isHeld: false,
    handoff: null,
  },
]

const stories = parsePlan(
  '{"userStories":[{"id":"US-1","title":"Add the users table","passes":true},{"id":"US-2","title":"Add the login route","acceptanceCriteria":["A route at /login","Says nothing of which was wrong"],"passes":false}]}',
  { path: "prd.json" },
)
const storyWindow = aWindow(stories.tasks.slice(1), {
  details: stories.tasks.slice(1).map((task) => task.body ?? ""),
})

const continued: ContinuationFacts = {
  planName,
  planPath,
  counts: plan.counts,
  window,
  settling: "by-tool",
  words: V1_WORDS,
  isTold: true,
}
const details = [
  "  What to do: a route at /login that takes mail and password\n  Must not: say which of the two was wrong",
  "",
  "  - [ ] install\n  - [ ] configure",
]
const back = aWindow(tasks.slice(1), { details, shard: SHARD, reuse })
const wave = aTask({
  label: "F1",
  section: "final-wave",
  title: "Plan compliance",
  line: 38,
  endLine: 39,
})
const codeReview = aTask({
  label: "F2",
  section: "final-wave",
  title: "Code review",
  line: 40,
  endLine: 41,
})
const shownWave = aWindow([wave, codeReview], { shard: SHARD })

const ONE_IDLE = { count: 1, left: 2, isTreeKnown: true }

type RowNow = "rejected" | "outdated" | "rejected-in-plan" | "reviewed"

/** A final wave that is due: every other task is settled; the row to fix stands first, and what is reviewed last. */
function dueWave(now: { readonly f1: RowNow; readonly f2: RowNow }) {
  const rows = [
    { task: wave, as: now.f1 },
    { task: codeReview, as: now.f2 },
  ].sort((one, other) => rankOf(one.as) - rankOf(other.as))
  const tasks = rows.map(({ task, as }) => ({ ...task, rejected: as === "rejected" }))
  const { tasks: shown, ...window } = aWindow(tasks, { shard: SHARD })
  const counts = { ...plan.counts, done: 13, total: 16, blocked: 0, cancelled: 1 }
  const withStates = shown.map((one, index) => {
    const as = rows[index]?.as
    return {
      ...one,
      isReviewed: as === "reviewed",
      back: as === "outdated" || as === "rejected-in-plan" ? as : null,
      reuse: as === "reviewed" ? null : reuse,
    }
  })
  return { counts, window: { ...window, tasks: withStates } }
}

function rankOf(as: RowNow): number {
  return ["rejected", "outdated", "rejected-in-plan", "reviewed"].indexOf(as)
}

/** A text a file: `test/fixtures/prompts/<file>.txt`, with one line end behind the text. */
const LIMITED = [
  { key: "todo:4", title: "Fill the cart", until: timeAt(7_200) },
  { key: "todo:5", title: "Pay with a card", until: null },
]
const WORDINGS: readonly { readonly file: string; readonly text: string }[] = [
  {
    file: "start",
    text: startText({ ...started, window: { ...window, rules: { from: 9, to: 21 } } }),
  },
  {
    file: "start-stories",
    text: startText({ ...started, planPath: "prd.json", plan: stories, window: storyWindow }),
  },
  {
    file: "start-by-hand",
    text: startText({
      ...started,
      planPath: "prd.json",
      plan: stories,
      window: storyWindow,
      settling: "by-hand",
    }),
  },
  {
    file: "start-resumed",
    text: startText({
      ...started,
      resumed: true,
      window: back,
      plan: {
        ...plan,
        ignored: [
          { line: 3, reason: "outside-section" },
          { line: 9, reason: "in-code" },
        ],
      },
      notes: [
        "taken over from session ses_e02a05cf0ffeiVkhL7Rr1p5C1e",
        "two",
        "three",
        "four",
        "five",
      ],
    }),
  },
  {
    file: "start-approved",
    text: startText({ ...started, resumed: true, window: shownWave, waveApproved: true }),
  },
  { file: "continuation", text: continuationText(continued) },
  {
    file: "continuation-in-full",
    text: continuationText({
      ...continued,
      isTold: false,
      window: {
        ...back,
        rules: { from: 9, to: 21 },
        waiting: [
          { key: "todo:5", for: ["todo:4"] },
          { key: "todo:6", for: ["todo:2", "todo:3"] },
        ],
      },
    }),
  },
  {
    file: "continuation-stories",
    text: continuationText({
      ...continued,
      planName: "prd",
      planPath: "prd.json",
      counts: stories.counts,
      window: storyWindow,
    }),
  },
  {
    file: "continuation-without-progress",
    text: [1, 2, 1]
      .map((count, index) =>
        continuationText({
          ...continued,
          idleTurns: { count, left: 3 - count, isTreeKnown: index < 2 },
        }),
      )
      .join("\n"),
  },
  {
    file: "continuation-cut-off",
    text: continuationText({
      ...continued,
      isTold: false,
      window: back,
      cutOffStep: "Write the limiter in src/login/limit.ts",
    }),
  },
  {
    file: "continuation-sessions",
    text: [
      { kind: "reuse", sessionId: CHILD, agent: "build-tester" } as const,
      { kind: "fresh", reason: "it failed twice" } as const,
      { kind: "fresh", reason: "no session yet" } as const,
    ]
      .map((one) =>
        continuationText({ ...continued, window: aWindow(tasks.slice(1, 2), { reuse: one }) }),
      )
      .join("\n"),
  },
  {
    file: "continuation-two-shards",
    text: continuationText({
      ...continued,
      window: {
        ...window,
        tasks: window.tasks.map((shown, index) =>
          index < 2
            ? shown
            : {
                ...shown,
                shard: { path: SHARD.replace("001", "002"), lines: { from: 20, to: 22 } },
              },
        ),
      },
    }),
  },
  {
    file: "continuation-limited",
    text: [null, { count: 1, left: 2, isTreeKnown: true }]
      .map((idleTurns) =>
        continuationText({
          ...continued,
          idleTurns,
          window: {
            ...window,
            tasks: window.tasks.map((shown, index) => ({
              ...shown,
              limitedUntil: index === 2 ? "2026-11-22T09:00:00.000Z" : null,
            })),
          },
        }),
      )
      .join("\n"),
  },
  {
    file: "continuation-final-wave",
    text: [
      dueWave({ f1: "reviewed", f2: "rejected" }),
      { ...dueWave({ f1: "reviewed", f2: "rejected" }), idleTurns: ONE_IDLE },
      dueWave({ f1: "outdated", f2: "outdated" }),
      { ...dueWave({ f1: "outdated", f2: "outdated" }), approvalLapsed: true },
      dueWave({ f1: "reviewed", f2: "rejected-in-plan" }),
      { ...dueWave({ f1: "reviewed", f2: "rejected-in-plan" }), idleTurns: ONE_IDLE },
    ]
      .map((facts) => continuationText({ ...continued, ...facts }))
      .join("\n"),
  },
  {
    file: "continuation-rejected",
    text: continuationText({
      ...continued,
      window: aWindow(
        tasks.slice(1, 2).map((task) => ({ ...task, rejected: true })),
        { shard: SHARD },
      ),
    }),
  },
  {
    file: "continuation-approved",
    text: continuationText({ ...continued, window: shownWave, waveApproved: true }),
  },
  {
    file: "say",
    text: sayText(["Plan auth-rewrite stopped. To resume: /start-work auth-rewrite"]),
  },
  {
    file: "refusals",
    text: [
      ...(
        ["plan-by-subagent", "shard-by-anyone", "state-by-anyone", "sources-by-lead"] as const
      ).map((reason) => refusalText(reason, "a/file.md", planPath)),
      lateRefusal(),
      unwrittenRefusal(null),
      unwrittenRefusal("another session has the plan by now"),
      unwrittenRefusal("Expected a turn to write boulder.json; found none. Nothing was changed."),
    ].join("\n"),
  },
  {
    file: "start-only-blocked",
    text: startText({ ...started, resumed: true, window: aWindow([]), blocked }),
  },
  {
    file: "options",
    text: [
      ...Object.values(TOLD),
      ...[
        { reuse: "sometimes" },
        { nonsense: 1 },
        { continuation: { max_per_hour: 1.5 } },
        { continuation: { cooldown_seconds: -1 } },
        { long_run: { window_size: 99 } },
        { long_run: { enabled: 1 } },
        { long_run: { token_soft_limit: "x" } },
      ].flatMap((given) => readOptions(given).problems),
    ].join("\n"),
  },
  {
    file: "notices",
    text: [
      ...(
        [
          "stopped-by-user",
          "aborted",
          "rejected-by-user",
          "no-progress",
          "backing-off",
          "compaction-loop",
          "provider-refused",
          "usage-limited",
          "budget-spent",
          "plan-unavailable",
          "plan-invalid",
          "only-blocked-left",
          "task-blocked",
        ] as const
      ).map((reason) => pauseNotice(planName, reason, { typed: IN_OPENCODE })),
      pauseNotice(planName, "only-blocked-left", {
        facts: blockedWords(blocked, 2, IN_OPENCODE),
        typed: IN_OPENCODE,
        hasHeld: true,
      }),
      ...(["tokens", "continuations", "continuations-an-hour"] as const).map((of) =>
        pauseNotice(planName, "budget-spent", {
          facts: budgetWords({ of, used: 1_204_300, limit: 1_000_000 }),
          typed: IN_OPENCODE,
        }),
      ),
      pauseNotice(planName, "provider-refused", {
        facts: pauseWords(aWork({ status: "paused", refusal })),
        typed: IN_OPENCODE,
      }),
      ...[timeAt(7_300), null].map((goes_on_at) =>
        pauseNotice(planName, "usage-limited", {
          facts: whyPaused(aLimited(goes_on_at)),
          typed: IN_OPENCODE,
          resumesAt: goes_on_at,
        }),
      ),
      hostWaitNotice(planName, timeAt(7_200)),
      lookLostNotice(
        "Expected to write .boulder/boulder.json; found no space left. Free some space on this disk and try again.",
      ),
      childWaitNotice("todo:4", timeAt(7_200)),
      taskLimitNotice("todo:4", timeAt(7_200), IN_OPENCODE),
      taskLimitNotice("todo:4", null, IN_OPENCODE),
      ...[
        [],
        [
          'line 30: 2 numbered rows have no box and are not run ("Sweep", "Lock up"): `opencode-boulder plan a.md` shows what may be tasks, and how boxes are written.',
        ],
      ].map((leftOut) => finishNotice(planName, { settled: 12, total: 12 }, leftOut)),
      approvalNotice(planName, unreviewedWords(["final-wave:f1"]), IN_OPENCODE),
      agentNotice({ plan_name: planName, agent: "build" }, IN_OPENCODE),
      ...[true, false].map((isElsewhere) =>
        occupiedText({ planName, session: "ses_4fK2", argument: "a.md" }, isElsewhere),
      ),
    ].join("\n"),
  },
  {
    file: "status",
    text: [
      aWork({
        plan_name: planName,
        completed_count: 3,
        total_count: 12,
        current_window: ["todo:4", "todo:5"],
        active_shard: 2,
        checkpoint_seq: 1,
        round: { number: 2, settled_at_checkpoint: 2, ended: null, compacted: false },
        context: { tokens: 41_200, soft_limit: 60_000, hard_limit: 90_000, scaled: false },
        tokens: { spent: 1_204_300, since: 0, ceiling: 2_000_000 },
      }),
      aWork({
        plan_name: planName,
        status: "paused",
        pause_reason: "budget-spent",
        spent_budget: { of: "tokens", used: 1_000_100, limit: 1_000_000 },
        context: { tokens: 28_000, soft_limit: 19_200, hard_limit: 28_800, scaled: true },
        round: { number: 1, settled_at_checkpoint: 0, ended: "soft-limit", compacted: false },
        checkpoint_seq: 1,
        tokens: { spent: 3_000_100, since: 2_000_000, ceiling: 1_000_000 },
      }),
      aWork({
        plan_name: planName,
        blocked_count: 2,
        status: "paused",
        pause_reason: "no-progress",
        current_window: ["todo:4"],
      }),
      aWork({
        plan_name: planName,
        awaiting_approval: { fingerprint: "f", since: "2026-11-21T12:00:00Z" },
      }),
      aWork({
        plan_name: planName,
        status: "completed",
        completed_count: 12,
        total_count: 12,
        tokens: { spent: 999, since: 0, ceiling: null },
      }),
    ]
      .flatMap((work, at) =>
        statusLines(work, at === 2 ? blocked : [], {
          limited: at === 2 ? LIMITED : [],
          now: NOW,
          typed: IN_OPENCODE,
        }),
      )
      .join("\n"),
  },
]

describe("the wording of every text, word for word", () => {
  test.each(WORDINGS)("$file", ({ file, text }) => {
    const path = new URL(`../../test/fixtures/prompts/${file}.txt`, import.meta.url)
    if (process.env["WRITE_GOLDEN"] === "1") writeFileSync(path, `${text}\n`)
    expect(`${text}\n`).toBe(readFileSync(path, "utf8"))
  })
})

describe("what a text leaves out", () => {
  test("without reuse no text speaks of sessions", () => {
    const silent = [startText(started), continuationText(continued)]
    expect(silent.filter((text) => text.includes("session"))).toEqual([])
  })
  test("no text tells the model to read the plan", () => {
    expect(WORDINGS.filter(({ text }) => /read the (whole )?plan/i.test(text))).toEqual([])
  })
  test("a fresh start names no session id", () => {
    expect(startText(started)).not.toContain("ses_")
  })
})
