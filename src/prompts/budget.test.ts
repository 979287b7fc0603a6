import { describe, expect, test } from "bun:test"
import { encode } from "gpt-tokenizer/encoding/o200k_base"
import { aPlan, aTask, aWindow } from "../../test/support/builders.ts"
import { IN_OPENCODE } from "../../test/support/by-name.ts"
import { FOREIGN, fill } from "../../test/support/foreign-text.ts"
import type { Reuse } from "../decide/decision.ts"
import { V1_WORDS } from "../opencode/host/v1/v1-words.ts"
import type { PlanCounts, Step, Task } from "../plan/model/plan.ts"
import { continuationText } from "./continuation-text.ts"
import { quote } from "./quote.ts"
import { startText } from "./start-text.ts"
import { type CameBack, type ToolText, toolText } from "./tool-text.ts"

const BUDGETS = { delegation: 150, continuation: 450, start: 600 }

const counts: PlanCounts = {
  total: 10_000,
  done: 8_999,
  open: 0,
  in_progress: 0,
  blocked: 1_000,
  cancelled: 1,
  optional: 0,
}

/** An id of the host's form (docs/HOST.md, the task tool) that costs a token a character. */
const DEAR_ID = "ses_0a1b2c3d4e5fQ7xJ9zK3vW5qX8"
const REASONS: readonly Reuse[] = [
  { kind: "reuse", sessionId: DEAR_ID, agent: "qzx-k9j2 qzx" },
  { kind: "reuse", sessionId: DEAR_ID, agent: "general" },
  { kind: "fresh", reason: "its context is over 70 % full" },
]

/** The words of a session whose results have failed, and the agent of the user's choice. */
const triedOf = (foreign: string): Reuse => ({
  kind: "fresh",
  reason: "its results failed",
  tried: { failed: 5, words: fill(foreign), agent: fill(foreign, 256) },
})

/** A shard of a work whose name costs much. */
const DEAR_SHARD = ".boulder/works/qzx-k9j2-5f21c0de/shards/001.md"

/** The dearest line of what waits. */
const WAITING =
  "9999 tasks were left unfinished, last todo:128 (hnd_Qx7Jz9K3vW5qX8zJ): list_blocked_tasks shows them."

const DEAREST_SETTLING = "set its `passes` to true in the plan"

const DEAREST_BLOCK = "write `# BLOCKED: why` behind its `status` in the plan"

/** Its tasks are settled by the most words. */
const DEAREST_FORMAT = "prd-json"

/** The dearest of each text when every foreign word in it is `foreign` and as long as it may be. */
function dearest(foreign: string, key: string, reuse: Reuse, isHeading = false) {
  const long = fill(foreign)
  const tasks: readonly Task[] = [1, 2, 3].map((label) => ({
    ...aTask({ label: String(label), title: fill(foreign, 400), state: "done" }),
    key,
    ...(isHeading ? { steps: [stepOf(foreign)] } : { dialect: DEAREST_FORMAT }),
    line: 123_456,
    endLine: 234_567,
  }))
  const details = tasks.map(() => long)
  const waiting = [1, 2, 3].map(() => ({ key, for: [key, key] }))
  const rules = { from: 123_456, to: 234_567 }
  const window = aWindow(tasks, { details, shard: DEAR_SHARD, reuse, rules, waiting })
  const plan = aPlan(tasks, {
    dialect: long,
    counts,
    ignored: [
      { line: 1, reason: long },
      { line: 2, reason: `${foreign}2` },
      { line: 3, reason: `${foreign}3` },
    ],
  })
  const until = "2026-11-22T09:00:00.000Z"
  const windows = [
    window,
    { ...window, tasks: window.tasks.map((one) => ({ ...one, limitedUntil: until })) },
  ]
  // The longest path that stands where there is room.
  const named = {
    planName: fill(foreign, 512),
    planPath: quote(long, 90).slice(0, -1),
    typed: IN_OPENCODE,
  }
  const hints = [1, 2, 3].map(() => ({ taskKey: key, reuse }))
  const brought: readonly CameBack[] = [
    { kind: "result", taskKey: key, settle: DEAREST_SETTLING },
    { kind: "blocked", taskKey: key, reason: long, block: DEAREST_BLOCK },
    { kind: "unnamed", example: key },
    { kind: "review", taskKey: key, verdict: "pass-against-plan" },
    { kind: "review", taskKey: key, verdict: "reject" },
    { kind: "settled", taskKey: key },
    { kind: "rework", taskKey: key, unmade: null },
    { kind: "rework", taskKey: key, unmade: { reason: long, block: DEAREST_BLOCK } },
  ]
  const goingOn: readonly ToolText["next"][] = [
    { kind: "go-on" },
    { kind: "review", rows: [WAVE_KEY], rejections: 0, isLapsed: true },
    {
      kind: "review",
      rows: [WAVE_KEY, WAVE_KEY, WAVE_KEY, WAVE_KEY],
      rejections: 4,
      isLapsed: true,
    },
  ]
  const ending: readonly ToolText["next"][] = [
    {
      kind: "ask",
      isOfAnotherPlan: true,
      isLapsed: true,
      unreviewed: 999,
    },
    { kind: "end", why: "hard-limit", checkpoint: 123_456 },
  ]
  const call = { settled: 9_000, total: 10_000, remark: null, hints, lost: [] }
  const lost = [1, 2, 3].map(() => ({ kind: "limited", taskKey: key, until }) as const)
  const unproven = tasks.map((task) => ({
    task,
    standing: { tier: "claimed", check: long, run: null, changed: null, isTakenOut: true } as const,
  }))
  const edited = [{ taskKey: key, files: [long] }]
  const changed = [1, 2, 3].map(() => ({
    taskKey: key,
    before: [long],
    now: [long],
    isAsked: true,
  }))
  const turnedDown = [{ kind: "fresh", taskKey: key, reuse: triedOf(foreign) } as const]
  const news = [
    {},
    { lost },
    { unproven, edited },
    { turnedDown },
    { turnedDown, unproven, edited },
    { changed },
    { changed, turnedDown, unproven, edited },
    { lost, changed, unproven, edited, turnedDown },
    { lost, unproven, edited, turnedDown },
  ].filter((one) => !isHeading || "unproven" in one) // No other tells of the tasks themselves.
  const dearestNotice = (turns: readonly ToolText["next"][]) =>
    Math.max(
      ...[null, ...brought].flatMap((cameBack) =>
        turns.flatMap((next) =>
          news.map((more) =>
            tokens(toolText({ ...call, cameBack, next, ...more }, V1_WORDS) ?? ""),
          ),
        ),
      ),
    )
  const without = JSON.stringify([foreign, key, isHeading])
  const dearestEnding = endings.get(without) ?? dearestNotice(ending)
  endings.set(without, dearestEnding)
  return {
    delegation: Math.max(dearestNotice(goingOn), dearestEnding),
    continuation: Math.max(
      ...[true, false].flatMap((isTold) =>
        windows.flatMap((shown) =>
          [long, null].map((cutOffStep) =>
            tokens(
              continuationText({
                ...named,
                counts,
                window: shown,
                settling: "by-tool",
                words: V1_WORDS,
                isTold,
                cutOffStep,
                idleTurns: { count: 99_999, left: 99_999, isTreeKnown: true },
                unproven,
                edited,
              }),
            ),
          ),
        ),
      ),
    ),
    start: Math.max(
      ...[null, WAITING].map((waiting) =>
        tokens(
          startText({
            ...named,
            plan,
            resumed: true,
            window,
            settling: "by-tool",
            words: V1_WORDS,
            notes: Array(5).fill(long),
            waiting,
          }),
        ),
      ),
    ),
    blockedStart: Math.max(
      ...[null, long].map((unblock) =>
        tokens(
          startText({
            ...named,
            plan,
            resumed: true,
            window: { ...window, tasks: [] },
            settling: "by-tool",
            words: V1_WORDS,
            notes: Array(5).fill(long),
            blocked: tasks.map(() => ({
              key,
              title: long,
              reason: long,
              unblock,
              isHeld: true,
              handoff: null,
            })),
          }),
        ),
      ),
    ),
  }
}

/** The one that comes next of a heading that is a task. */
const stepOf = (foreign: string): Step => {
  const title = fill(foreign, 400)
  return { line: 123_456, title, state: "open", marker: " ", optional: false }
}

/** What notices of turns that end cost at most, by all but the session: no word of them is about it (tool-text.test.ts). */
const endings = new Map<string, number>()

/** What texts cost that were counted: many of a foreign text's are the same, for want of room. */
const counted = new Map<string, number>()

function tokens(text: string): number {
  const cost = counted.get(text) ?? encode(text).length
  counted.set(text, cost)
  return cost
}

/** The longest key that a row of a wave can have. */
const WAVE_KEY = "final-wave:~63edf339#99"
/** A long key of odd letters (take-key.ts). */
const KEY = "todo:xgq-kln-rjl-pjz-qjz-qzj#9"

const WORST = FOREIGN.flatMap(({ name, foreign }) =>
  [...REASONS, triedOf(foreign)].flatMap((reuse) => [
    { name: `${name}, ${reuse.kind}`, spent: dearest(foreign, KEY, reuse) },
    { name: `${name}, ${reuse.kind}, a heading`, spent: dearest(foreign, KEY, reuse, true) },
  ]),
)

describe("the budgets hold at their worst: 10,000 tasks, titles of 400, long keys and paths of 4,096 characters", () => {
  test.each(WORST)("$name", ({ spent }) => {
    expect(spent.delegation).toBeLessThanOrEqual(BUDGETS.delegation)
    expect(spent.continuation).toBeLessThanOrEqual(BUDGETS.continuation)
    expect(spent.start).toBeLessThanOrEqual(BUDGETS.start)
    expect(spent.blockedStart).toBeLessThanOrEqual(BUDGETS.start)
  })
  test("and the figures are known", () => {
    const most = (text: keyof typeof BUDGETS) => Math.max(...WORST.map(({ spent }) => spent[text]))
    // biome-ignore lint/suspicious/noConsole: the figures of the report
    console.log(
      `    most tokens: delegation ${most("delegation")}, continuation ${most("continuation")}, start ${most("start")}`,
    )
    expect(most("continuation")).toBeGreaterThan(200)
  })
})

const AN_OFFER = { kind: "reuse", sessionId: DEAR_ID, agent: "general" } as const

describe("what a plan says as a rule is far below", () => {
  test.each([
    { text: "delegation" as const, most: 90 },
    { text: "continuation" as const, most: 260 },
    { text: "start" as const, most: 320 },
  ])("$text", ({ text, most }) => {
    const usual = dearest("Add login", "todo:3", {
      kind: "reuse",
      sessionId: DEAR_ID,
      agent: "general",
    })
    expect(usual[text]).toBeLessThanOrEqual(BUDGETS[text])
    const tasks = [aTask({ label: "3", title: "Add the login route" })]
    const facts = {
      typed: IN_OPENCODE,
      planName: "auth",
      planPath: ".boulder/plans/auth.md",
      window: aWindow(tasks, {
        shard: ".boulder/works/auth-5f21c0de/shards/001.md",
        reuse: AN_OFFER,
      }),
      settling: "by-tool" as const,
      words: V1_WORDS,
    }
    const plan = aPlan(tasks)
    const reuse = { kind: "reuse", sessionId: DEAR_ID, agent: "general" } as const
    const short = {
      delegation:
        toolText(
          {
            settled: 2,
            total: 12,
            cameBack: { kind: "result", taskKey: "todo:3", settle: "tick its box in the plan" },
            next: { kind: "go-on" },
            remark: null,
            lost: [],
            hints: [{ taskKey: "todo:3", reuse }],
          },
          V1_WORDS,
        ) ?? "",
      continuation: continuationText({ ...facts, counts: plan.counts, isTold: false }),
      start: startText({ ...facts, plan, resumed: false, notes: [] }),
    }
    expect(tokens(short[text])).toBeLessThanOrEqual(most)
  })
})

describe("a text does not grow with the plan", () => {
  const size = (total: number) => {
    const window = aWindow([
      aTask({ label: "3", title: "Add the login route", line: 100, endLine: 104 }),
    ])
    const facts = {
      typed: IN_OPENCODE,
      planName: "auth",
      planPath: ".boulder/plans/auth.md",
      window,
      settling: "by-tool" as const,
      words: V1_WORDS,
      isTold: true,
    }
    return tokens(continuationText({ ...facts, counts: { ...counts, total } }))
  }
  test("10 and 10,000 tasks cost the same but for the digits", () => {
    expect(size(10_000) - size(10)).toBeLessThanOrEqual(2)
  })
})
