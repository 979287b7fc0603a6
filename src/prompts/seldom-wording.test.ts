import { expect, test } from "bun:test"
import { readFileSync, writeFileSync } from "node:fs"
import { aPlan, aTask, at, aWindow, aWork, CHILD } from "../../test/support/builders.ts"
import { BY_NAME, IN_OPENCODE } from "../../test/support/by-name.ts"
import {
  aHandoff,
  anActor,
  FIRST,
  idOf,
  someProgress,
} from "../../test/support/handoff-builders.ts"
import { EMPTY_TASK_STATE } from "../../test/support/task-states.ts"
import type { WorkState } from "../boulder/live-view.ts"
import { WHOLE_TREE } from "../boulder/proof-entry.ts"
import type { UnprovenTick } from "../decide/decision.ts"
import { V1_WORDS } from "../opencode/host/v1/v1-words.ts"
import { parsePlan } from "../plan/parse-plan.ts"
import { costWords } from "./budget-words.ts"
import { clearedOutput } from "./cleared-output.ts"
import { fallbackSummary } from "./compaction-text.ts"
import { type ContinuationFacts, continuationText } from "./continuation-text.ts"
import { unknownToolText } from "./handoff-refusal.ts"
import { handoffText, listText, savedText } from "./handoff-text.ts"
import {
  greetingNotice,
  longToolNotice,
  scaledNotice,
  silentChildNotice,
  takenOverNotice,
  takenUpNotice,
} from "./notice-text.ts"
import { leadsOneWords, pauseWords } from "./pause-words.ts"
import { planRefusal } from "./plan-refusal.ts"
import { changedLines, unprovenLines, whyUnproven } from "./proof-words.ts"
import { doneWords } from "./reasons.ts"
import { hardLimitRefusal, takenOverRefusal } from "./refusal-text.ts"
import { runFacts } from "./run-facts.ts"
import { startText } from "./start-text.ts"
import { subagentWords } from "./subagent-words.ts"
import { ofWork } from "./typed-command.ts"
import type { ShownTask } from "./window-lines.ts"
import { workFactsLines } from "./work-facts-text.ts"
import { stateWords } from "./work-state-words.ts"

const planName = "auth-rewrite"
const planPath = ".boulder/plans/auth-rewrite.md"
const todo = aTask({ label: "3", title: "Add rate limiting", line: 20, endLine: 20 })
const wave = aTask({ label: "F1", section: "final-wave", title: "Code review", line: 40 })
const held = { ...todo, held: "`npm test` has not been run" }
const step = {
  line: 21,
  title: "Write the test",
  state: "open",
  marker: " ",
  optional: false,
} as const
const reuse = { kind: "reuse", sessionId: CHILD, agent: "general" } as const
const tried = {
  kind: "fresh",
  reason: "its results failed",
  tried: { failed: 5, words: "a lock", agent: "oracle" },
} as const
const usual: ContinuationFacts = {
  planName,
  planPath,
  counts: aPlan([todo]).counts,
  window: aWindow([todo]),
  settling: "by-tool",
  words: V1_WORDS,
  isTold: true,
}

function rowOf(given: Partial<ShownTask>, facts: Partial<ContinuationFacts> = {}): string {
  const tasks = aWindow([given.task ?? todo]).tasks.map((shown) => ({ ...shown, ...given }))
  return continuationText({ ...usual, window: { ...usual.window, tasks }, ...facts })
}

const idleTurns = { count: 1, left: 2, isTreeKnown: true }
const standing = {
  tier: "claimed",
  check: "npm test",
  run: null,
  changed: null,
  isTakenOut: false,
} as const
const ended = (exit: number | null) => ({ exit, at: at(0), tree: null }) as never
const STANDINGS: readonly UnprovenTick["standing"][] = [
  { ...standing, tier: "failed", run: ended(1) },
  { ...standing, tier: "unavailable", run: ended(null) },
  { ...standing, tier: "unavailable", run: ended(127) },
  { ...standing, tier: "changed", changed: "src/a.ts" },
  { ...standing, tier: "changed", changed: WHOLE_TREE },
  { ...standing, run: ended(0) },
  { ...standing, uncounted: "another's" },
  { ...standing, uncounted: "taken-back" },
  { ...standing, isTakenOut: true },
  { ...standing, tier: "proven", run: ended(0) },
]
const STATES: readonly WorkState[] = [
  { kind: "idle" },
  ...(["provider", "limit", "failures"] as const).map(
    (what) => ({ kind: "waiting", for: what, until: at(7_200) }) as const,
  ),
  {
    kind: "paused",
    reason: "usage-limited",
    more: pauseWords(
      aWork({
        status: "paused",
        pause_reason: "usage-limited",
        limited: { since: at(0), until: at(0), goes_on_at: at(7_200), attempts: 0 },
      }),
    ),
  },
  ...(["question", "permission", "approval", "agent"] as const).map(
    (what) => ({ kind: "waiting-for-you", for: what, asks: null, session: null }) as const,
  ),
]
const rounds = [
  { checkpoint_seq: 0 },
  { checkpoint_seq: 0, round: { ...aWork().round, ended: "soft-limit" as const } },
].map((given) =>
  aWork({
    ...given,
    context: { tokens: 0, soft_limit: 60_000, hard_limit: 90_000, scaled: false },
    cost: { ...aWork().cost, usd: 12, since_usd: 10, ceiling_usd: 5, unpriced_tokens: 900 },
  }),
)
const waits = aHandoff({ id: idOf(1) })

const PLANS = [
  ["a.md", "- [x] 1. Dig\n"],
  ["b.md", "## Phase 1: A\n- [x] a\n- [x] b\n- [x] c\n\n## Notes\n- [ ] Dig\n- [ ] Fill\n"],
  ["c.md", "Only words.\n"],
  ["d.md", "## 1. Dig\n\n## 2. Fill\n"],
  ["prd.json", '{ "userStories": [] }'],
] as const

const TEXTS: readonly string[] = [
  rowOf({ task: held }, { idleTurns }),
  rowOf({ limitedUntil: "asked" }),
  rowOf({ back: "blocked", reuse }),
  rowOf({ back: "blocked" }, { settling: "by-hand" }),
  rowOf({ back: "unticked", reuse }, { idleTurns }),
  rowOf({ back: "result" }, { settling: "by-hand", idleTurns }),
  rowOf({ task: wave, back: "result", reuse }, { idleTurns }),
  rowOf({ task: wave, back: "result" }),
  rowOf({ reuse: tried }),
  rowOf({ task: { ...todo, steps: [step] } }),
  continuationText({
    ...usual,
    window: {
      ...usual.window,
      proof: {
        ticked: 3,
        proven: 1,
        unproven: [
          { key: "todo:1", tier: "failed" },
          { key: "todo:2", tier: "changed" },
        ],
      },
    },
  }),
  continuationText({
    ...usual,
    window: aWindow([{ ...wave, ...held, key: wave.key }, wave]),
    waveApproved: true,
  }),
  continuationText({ ...usual, window: aWindow([wave]), waveApproved: true, settling: "by-hand" }),
  startText({
    ...usual,
    typed: IN_OPENCODE,
    resumed: false,
    notes: [],
    window: aWindow([]),
    plan: aPlan([todo], { ignored: [{ line: 3, reason: "in-code" }] }),
  }),
  ...PLANS.flatMap(([path, text]) => planRefusal(parsePlan(text, { path }), path, true) ?? []),
  ...STANDINGS.map((one) => whyUnproven(one)),
  ...unprovenLines([{ task: todo, standing, nothingDoneIn: "x" }], 48),
  ...changedLines(
    [
      {
        taskKey: "todo:1",
        before: ["npm test"],
        now: ["npm run all", "npm run lint"],
        isAsked: false,
      },
      { taskKey: "todo:2", before: ["npm test"], now: [], isAsked: false },
      { taskKey: "todo:3", before: ["npm test"], now: [], isAsked: true },
    ],
    90,
  ),
  ...[0, 1].map((plans) => greetingNotice("0.1.0", plans)),
  takenUpNotice(planName, CHILD, { isKnown: true, typed: IN_OPENCODE }),
  takenUpNotice(planName, CHILD, { isKnown: false, typed: IN_OPENCODE }),
  takenOverNotice(planName, CHILD),
  takenOverNotice(planName, null),
  takenOverRefusal(planName, CHILD),
  leadsOneWords(aWork(), ofWork(BY_NAME, planName)),
  silentChildNotice("todo:3", 20),
  longToolNotice(null, "bash", 30),
  hardLimitRefusal(91_000, 90_000),
  scaledNotice({ soft: 19_200, hard: 28_800, scaled: true }, 32_000, 28_000),
  scaledNotice({ soft: 115_000, hard: 145_000, scaled: false, base: 100_000 }, 200_000, null),
  unknownToolText("save_progress"),
  clearedOutput("read", "src/a.ts", 12_000),
  subagentWords(todo, "") ?? "",
  subagentWords(wave, "") ?? "",
  ...workFactsLines(
    {
      planName,
      planPath,
      settled: 2,
      total: 3,
      window: [],
      blocked: [],
      sessions: [],
      begun: [],
      running: [],
      unproven: [{ key: "todo:1", tier: "failed" }],
    },
    null,
  ),
  ...(["no-answer", "no-object", "not-strict", "empty-state"] as const).map((failure) =>
    fallbackSummary({
      failure,
      sessionId: CHILD,
      state: EMPTY_TASK_STATE,
      facts: null,
      userWords: [],
      resumedBy: null,
    }),
  ),
  ...STATES.map((state) => stateWords(state, { typed: IN_OPENCODE })),
  stateWords({ kind: "idle" }, { typed: BY_NAME }),
  ...rounds.flatMap((work) => runFacts(work, { settled: 0, window: [] }).map(({ text }) => text)),
  ...["compact", "end-round", "read"].map(doneWords),
  costWords({ ...aWork().cost, unknown_answers: 2 }),
  listText({ groups: [], total: 0, now: 0, old: "The server cannot be reached." }),
  savedText({
    handoff: waits,
    mark: { kind: "none" },
    stillHeld: [],
    lost: [],
    kept: "The server cannot be reached.",
  }),
  handoffText(
    {
      ...waits,
      history: Array.from({ length: 8 }, (_, index) => ({
        ...someProgress(),
        ...anActor(FIRST),
        at: at(index),
        session_id: FIRST,
        reason: null,
        summary: "Half of it stands.",
        status: "blocked" as const,
      })),
    } as never,
    { claimed: false, now: Date.parse(at(60)), reuse: null },
  ),
]

test("what is said seldom, word for word", () => {
  const path = new URL("../../test/fixtures/prompts/seldom.txt", import.meta.url)
  const text = `${TEXTS.join("\n")}\n`
  if (process.env["WRITE_GOLDEN"] === "1") writeFileSync(path, text)
  expect(text).toBe(readFileSync(path, "utf8"))
})
