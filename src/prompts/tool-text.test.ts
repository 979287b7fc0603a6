import { describe, expect, test } from "bun:test"
import { readFileSync, writeFileSync } from "node:fs"
import process from "node:process"
import { encode } from "gpt-tokenizer/encoding/o200k_base"
import { anUnprovenTick, CHILD } from "../../test/support/builders.ts"
import { contradictionsIn } from "../../test/support/contradictions.ts"
import type { Reuse } from "../decide/decision.ts"
import { V1_WORDS } from "../opencode/host/v1/v1-words.ts"
import {
  type CameBack,
  NOTHING_TOLD,
  type Remark,
  saysAgain,
  type ToolText,
  type TurnNext,
  toolText,
} from "./tool-text.ts"

const GOLDEN = new URL("../../test/fixtures/prompts/tool-texts.txt", import.meta.url)
const settle = "save it as `complete`"
const taskKey = "todo:2"
const row = "final-wave:f2"

const BROUGHT: readonly (CameBack | null)[] = [
  null,
  { kind: "result", taskKey, settle },
  { kind: "settled", taskKey },
  { kind: "rework", taskKey, unmade: null },
  {
    kind: "rework",
    taskKey,
    unmade: { reason: "no key for the cloud", block: "save it as `blocked`" },
  },
  { kind: "review", taskKey: row, verdict: "pass" },
  { kind: "review", taskKey: row, verdict: "pass-against-plan" },
  { kind: "review", taskKey: row, verdict: "reject" },
  { kind: "review", taskKey: row, verdict: null },
  { kind: "blocked", taskKey, reason: "no key for the cloud", block: null },
  { kind: "blocked", taskKey, reason: "no key for the cloud", block: "save it as `blocked`" },
  {
    kind: "blocked",
    taskKey,
    reason: "no key for the cloud",
    block: "write `BLOCKED: why` below its row in the plan",
  },
  { kind: "unnamed", example: "todo:3" },
  { kind: "unnamed", example: null },
  { kind: "gone", taskKey },
  { kind: "resumed-another" },
  { kind: "taken-by-another" },
]
const ROWS = ["f1", "f2", "f3", "f4", "f5"].map((one) => `final-wave:${one}`)
const TURNS: readonly TurnNext[] = [
  { kind: "go-on" },
  { kind: "review", rows: ["final-wave:f1"], rejections: 0, isLapsed: false },
  { kind: "review", rows: ["final-wave:f1"], rejections: 1, isLapsed: true },
  { kind: "review", rows: ROWS.slice(0, 2), rejections: 1, isLapsed: false },
  { kind: "review", rows: ROWS, rejections: 2, isLapsed: true },
  { kind: "ask", isOfAnotherPlan: false, isLapsed: false, unreviewed: 0 },
  { kind: "ask", isOfAnotherPlan: true, isLapsed: false, unreviewed: 0 },
  { kind: "ask", isOfAnotherPlan: false, isLapsed: true, unreviewed: 0 },
  { kind: "ask", isOfAnotherPlan: true, isLapsed: true, unreviewed: 0 },
  { kind: "ask", isOfAnotherPlan: false, isLapsed: false, unreviewed: 5 },
  { kind: "end", why: "checkpoint-due", checkpoint: 7 },
  { kind: "end", why: "context-grown", checkpoint: 7 },
  { kind: "end", why: "soft-limit", checkpoint: 7 },
  { kind: "end", why: "hard-limit", checkpoint: 7 },
  { kind: "ended" },
  { kind: "wait" },
  { kind: "limited", until: "2026-11-22T09:00:00.000Z" },
  { kind: "limited", until: null },
  { kind: "stopped" },
  { kind: "empty" },
  { kind: "done" },
]
const REMARKS: readonly (Remark | null)[] = [
  null,
  { kind: "edited-source" },
  { kind: "settled-alone", taskKey },
]
const OFFERED: Reuse = { kind: "reuse", sessionId: CHILD, agent: "general" }
const REUSES: readonly (Reuse | null)[] = [
  null,
  OFFERED,
  { kind: "fresh", reason: "it failed twice" },
  {
    kind: "fresh",
    reason: "its results failed",
    tried: { failed: 4, words: "Added a retry; its tick was taken back", agent: null },
  },
]

interface Combination {
  readonly name: string
  readonly facts: ToolText
  readonly text: string | null
}

const GOES_ON: ReadonlySet<string> = new Set(["go-on", "review"])

/** Four of twelve tasks are settled: enough for the five rows of a wave, and for what is told besides. */
const COUNTS = { settled: 4, total: 12 }

function countsAt({ kind }: TurnNext): Pick<ToolText, "settled" | "total"> {
  if (kind === "empty") return { settled: 0, total: 0 }
  return kind === "done" ? { ...COUNTS, settled: COUNTS.total } : COUNTS
}

/** What can come back where the plan has no task. */
const NAMES_NO_TASK: ReadonlySet<string | undefined> = new Set([undefined, "unnamed", "gone"])

/** The sessions that can be offered: that of what came back while it is to be done, else the next task's; and reviewers'. */
function hintsBehind(cameBack: CameBack | null, next: TurnNext): readonly ToolText["hints"][] {
  if (!GOES_ON.has(next.kind)) return [[]]
  const key = keyOffered(cameBack)
  const own = REUSES.map((reuse) =>
    reuse === null || key === null ? [] : [{ taskKey: key, reuse }],
  )
  const first = key === null ? [[]] : own
  if (next.kind !== "review" || !saysAgain(cameBack)) return first
  const reviewers = next.rows.slice(0, 2).map((one) => ({ taskKey: one, reuse: OFFERED }))
  return first.flatMap((hints) => [hints, [...reviewers, ...hints]])
}

function keyOffered(cameBack: CameBack | null): string | null {
  switch (cameBack?.kind) {
    case undefined:
      return null
    case "review":
      return cameBack.verdict === null ? cameBack.taskKey : null
    case "unnamed":
      return cameBack.example
    case "settled":
    case "blocked":
    case "gone":
      return "todo:3"
    default:
      return taskKey
  }
}

/** What came back and is still to be done, or may be. */
const isOpenStill = (cameBack: CameBack | null): boolean =>
  cameBack !== null &&
  (["result", "review", "blocked"].includes(cameBack.kind) ||
    (cameBack.kind === "rework" && cameBack.unmade !== null) ||
    (cameBack.kind === "unnamed" && cameBack.example !== null))

/** Work on a task makes the reviews before it old: only with an approval of another plan does it come before the question. */
const isBeforeQuestion = (cameBack: CameBack | null): boolean =>
  cameBack === null ||
  cameBack.kind === "unnamed" ||
  (cameBack.kind === "review" && (cameBack.verdict === "pass" || cameBack.verdict === null))

/** Whether a turn can be at both; the rest can never be told. */
function isPossible(cameBack: CameBack | null, next: TurnNext, remark: Remark | null): boolean {
  if (remark !== null) return cameBack === null && next.kind === "go-on"
  if (next.kind === "done") return !isOpenStill(cameBack)
  if (next.kind === "empty") return NAMES_NO_TASK.has(cameBack?.kind) && !isOpenStill(cameBack)
  if (next.kind !== "ask" || isBeforeQuestion(cameBack)) return true
  return next.isOfAnotherPlan && cameBack?.kind !== "review"
}

/** Every combination that can be. */
const ALL: readonly Combination[] = BROUGHT.flatMap((cameBack) =>
  TURNS.flatMap((next) =>
    REMARKS.filter((remark) => isPossible(cameBack, next, remark)).flatMap((remark) =>
      hintsBehind(cameBack, next).map((hints) => {
        const facts = { ...countsAt(next), cameBack, next, remark, hints, lost: [] }
        return { name: nameOf(facts), facts, text: toolText(facts, V1_WORDS) }
      }),
    ),
  ),
)

const silent = { kind: "silent", taskKey: "todo:3", minutes: 20 } as const
const limited = {
  kind: "limited",
  taskKey: "todo:4",
  until: "2026-11-22T09:00:00.000Z",
} as const
const over = { kind: "limit-over", taskKey: "todo:4" } as const
const ticks = ["5", "6", "7"].map(anUnprovenTick)
const tried = { failed: 3, words: "Added a retry; `npm test` ended with 1", agent: "deep" }
const fresh = { kind: "fresh", reason: "its results failed", tried } as const
const turnedFresh = { kind: "fresh", taskKey: "todo:5", reuse: fresh } as const
const turnedBlock = { kind: "blocked", taskKey: "todo:5", failed: 5 } as const
const edited = [{ taskKey: "todo:6", files: ["test/one.test.ts"] }]
const checks = { taskKey: "todo:6", before: ["npm test"], now: ["npm run check"], isAsked: false }
const renumberedTo = (count: number) => ({
  moves: Array.from({ length: count }, (_, at) => ({
    from: `todo:${at + 2}`,
    to: `todo:${at + 3}`,
  })),
  keys: { plan: "demo.md", tasks: [] },
})
const NEWS: readonly (Pick<
  ToolText,
  "lost" | "unproven" | "edited" | "changed" | "turnedDown" | "renumbered"
> & {
  readonly name: string
})[] = [
  { name: "a silent subagent", lost: [silent] },
  { name: "a limited one", lost: [limited] },
  { name: "one whose limit is over", lost: [over] },
  { name: "one whose limit the user is asked about", lost: [{ ...limited, until: null }] },
  { name: "one of no task", lost: [{ ...silent, taskKey: null }] },
  { name: "other keys", lost: [], renumbered: renumberedTo(2) },
  { name: "many other keys", lost: [], renumbered: renumberedTo(40) },
  { name: "keys of tasks of one title", lost: [], renumbered: renumberedTo(0) },
  { name: "other keys and a silent subagent", lost: [silent], renumbered: renumberedTo(40) },
  { name: "a check that is another", lost: [], changed: [checks] },
  { name: "a check that is taken out", lost: [], changed: [{ ...checks, now: [] }] },
  {
    name: "a check that is taken out and still asked for",
    lost: [],
    changed: [{ ...checks, now: [], isAsked: true }],
  },
  { name: "three unproven ticks", lost: [], unproven: ticks },
  {
    name: "nothing done",
    lost: [],
    unproven: [{ ...anUnprovenTick("5"), nothingDoneIn: "tree" }],
  },
  { name: "an edited judge", lost: [], edited },
  { name: "a task for a fresh session", lost: [], turnedDown: [turnedFresh] },
  { name: "a task that is blocked", lost: [], turnedDown: [turnedBlock] },
  {
    name: "all of these",
    lost: [silent, limited],
    unproven: ticks,
    edited,
    turnedDown: [turnedFresh, turnedBlock],
  },
  { name: "three lost and three unproven", lost: [silent, limited, over], unproven: ticks },
]
/** A remark is made where nothing else is told, and no task is turned down where every task is settled. */
const canBeTold = (
  { turnedDown = [] }: Pick<ToolText, "turnedDown">,
  { remark, next }: ToolText,
): boolean => remark === null && (!["done", "empty"].includes(next.kind) || turnedDown.length === 0)
const SHOWN_WITH_NEWS: ReadonlySet<string | undefined> = new Set([undefined, "result"])

/** The same, each with what else has happened since the last text. */
const WITH_NEWS: readonly Combination[] = NEWS.flatMap(({ name, ...news }) =>
  ALL.filter(({ facts }) => canBeTold(news, facts)).map(({ facts, name: base }) => ({
    name: `${base}; ${name}`,
    facts: { ...facts, ...news },
    text: toolText({ ...facts, ...news }, V1_WORDS),
  })),
)

test("a turn that ends is told the same whatever session there is: the budgets' test counts it once", () => {
  const ending = [...ALL, ...WITH_NEWS].filter(({ facts }) => !GOES_ON.has(facts.next.kind))
  const hints = REUSES.filter((reuse) => reuse !== null).map((reuse) => ({ taskKey, reuse }))
  const others = ending.flatMap(({ name, facts, text }) =>
    hints
      .filter((hint) => toolText({ ...facts, hints: [hint] }, V1_WORDS) !== text)
      .map((hint) => `${name}: ${hint.reuse.kind}`),
  )
  expect(ending.length).toBeGreaterThan(1_000)
  expect(others).toEqual([])
})

/** One file: each text once, under all the combinations that give it. */
function table(): string {
  const byText = new Map<string, string[]>()
  const shown = WITH_NEWS.filter(
    ({ facts: { hints, cameBack, renumbered } }) =>
      hints.length === 0 &&
      (SHOWN_WITH_NEWS.has(cameBack?.kind) || (renumbered && cameBack?.kind === "unnamed")),
  )
  for (const { name, text } of [...ALL, ...shown]) {
    const key = text ?? "(nothing)"
    byText.set(key, [...(byText.get(key) ?? []), name])
  }
  return [...byText].map(([text, names]) => `${shortened(names)}\n${text}\n`).join("\n")
}

/** Combinations that differ in what makes no difference are one line. */
function shortened(names: readonly string[]): string {
  const first = names[0] ?? ""
  return names.length === 1 ? `# ${first}` : `# ${first} (and ${names.length - 1} more like it)`
}

function nameOf({ cameBack, next, remark, hints }: ToolText): string {
  const parts = [
    cameBack === null ? "another tool" : wordsOf(cameBack),
    wordsOfTurn(next),
    remark?.kind ?? null,
    ...hints.map(({ taskKey: key, reuse }) => `${reuse.kind} ${key}`),
  ]
  return parts.filter((part) => part !== null).join(", ")
}

function wordsOfTurn(next: TurnNext): string {
  switch (next.kind) {
    case "end":
      return `end ${next.why}`
    case "ask":
      return `ask${next.isOfAnotherPlan ? " anew" : ""}${next.isLapsed ? ", lapsed" : ""}${", unreviewed".repeat(Math.sign(next.unreviewed))}`
    case "review":
      return `review${next.rejections > 1 ? ", rejected twice" : ""}${next.isLapsed ? ", lapsed" : ""}`
    case "limited":
      return next.until === null ? "limited, the user is asked" : "limited"
    default:
      return next.kind
  }
}

function wordsOf(cameBack: CameBack): string {
  switch (cameBack.kind) {
    case "review":
      return `review ${cameBack.verdict ?? "without a verdict"}`
    case "blocked":
      return cameBack.block === null ? "blocked" : "blocked, not marked"
    case "unnamed":
      return cameBack.example === null ? "unnamed, no example" : "unnamed"
    default:
      return cameBack.kind
  }
}

test("every combination reads word for word as it was read aloud", () => {
  if (process.env["WRITE_GOLDEN"] === "1") writeFileSync(GOLDEN, table())
  expect(table()).toBe(readFileSync(GOLDEN, "utf8"))
})

/** What a text tells the model to do with its turn. No two of these may stand in one text. */
const DIRECTIONS: readonly RegExp[] = [
  /\bcontinue with\b/i,
  /\bend this turn\b/i,
  /\bask with `question`/,
]
describe("one voice in every combination", () => {
  test("at most one direction for the turn, and each is given somewhere", () => {
    for (const one of DIRECTIONS) expect(ALL.some(({ text }) => one.test(text ?? ""))).toBe(true)
    const bad = [...ALL, ...WITH_NEWS].filter(
      ({ text }) => DIRECTIONS.filter((one) => one.test(text ?? "")).length > 1,
    )
    expect(bad.map(({ name }) => name)).toEqual([])
  })
  test("no sentence against another", () => {
    const bad = [...ALL, ...WITH_NEWS].flatMap(({ name, text }) =>
      contradictionsIn(text ?? "").map((pair) => `${name}: ${pair}`),
    )
    expect(bad).toEqual([])
  })
  test("one frame, and in it a line of orders, one of sessions, and one to start fresh", () => {
    const bad = ALL.filter(
      ({ facts, text }) =>
        text !== null &&
        (text.split("<boulder>").length !== 2 ||
          text.split("\n").length > 3 + Math.min(2, facts.hints.length)),
    )
    expect(bad.map(({ name }) => name)).toEqual([])
  })
  test("what ends the turn or waits says so in every one of its texts", () => {
    const isEnd = ({ facts }: Combination) =>
      ["end", "ended", "wait", "limited", "stopped", "empty", "done"].includes(facts.next.kind)
    const bad = [...ALL, ...WITH_NEWS].filter(
      (one) => isEnd(one) && !/end this turn/i.test(one.text ?? ""),
    )
    expect(bad.map(({ name }) => name)).toEqual([])
  })
})

test("what else has happened is cut to what has room, and counted: 150 tokens at most", () => {
  const most = Math.max(...WITH_NEWS.map(({ text }) => encode(text ?? "").length))
  expect(most).toBeLessThanOrEqual(150)
  const bad = WITH_NEWS.filter(
    ({ facts, text }) =>
      (facts.lost.length > 0 && !/subagent/.test(text ?? "")) ||
      ((facts.unproven?.length ?? 0) > 1 && !/not proven/.test(text ?? "")),
  )
  expect(bad.map(({ name }) => name)).toEqual([])
})

test("115 tokens at most, and 130 where reviewers' sessions stand in it too", () => {
  const most = (isWithReviewers: boolean): number => {
    const those = ALL.filter(
      ({ facts }) => isWithReviewers === facts.hints.some(({ taskKey: key }) => ROWS.includes(key)),
    )
    return Math.max(...those.map(({ text }) => encode(text ?? "").length))
  }
  expect(most(false)).toBeLessThanOrEqual(115)
  expect(most(true)).toBeLessThanOrEqual(130)
})

describe("a call that was lost without the orchestrator's doing", () => {
  const silent = { kind: "silent", taskKey: "todo:2", minutes: 20 } as const
  const someLimited = { kind: "limited", taskKey: null, until: "2026-11-22T09:00:00.000Z" } as const

  test("is one line under its next result, whatever tool that is of", () => {
    expect(toolText({ ...NOTHING_TOLD, lost: [silent] }, V1_WORDS)).toBe(
      "<boulder>\nThe subagent of todo:2 was silent for 20 min and was ended: delegate its task again.\n</boulder>",
    )
    expect(toolText({ ...NOTHING_TOLD, lost: [someLimited] }, V1_WORDS)).toBe(
      "<boulder>\nA subagent reached its provider's limit, which lasts until 2026-11-22 09:00 UTC: delegate other tasks until then.\n</boulder>",
    )
  })
  test("says of a limit that has ended every try, and of such tasks alone, that the user is asked", () => {
    const lost = [{ kind: "limited", taskKey: "todo:2", until: null }] as const
    expect(toolText({ ...NOTHING_TOLD, lost }, V1_WORDS)).toBe(
      "<boulder>\nThe subagent of todo:2 reached its provider's limit once more: leave its task, the user is asked.\n</boulder>",
    )
    const next = { kind: "limited", until: null } as const
    expect(toolText({ ...NOTHING_TOLD, next, lost }, V1_WORDS)).toBe(
      "<boulder>\nThe subagent of todo:2 reached its provider's limit once more.\nEnd this turn: every task that is left is held up by its provider's limit. The user is asked.\n</boulder>",
    )
  })
  test("stands before what else is said, at most two of them", () => {
    const cameBack = { kind: "settled", taskKey: "todo:1" } as const
    const text = toolText(
      {
        ...NOTHING_TOLD,
        settled: 1,
        total: 4,
        cameBack,
        lost: [silent, silent, silent],
      },
      V1_WORDS,
    )
    expect(text?.match(/was silent/g)).toHaveLength(2)
    expect(text).toContain("\n1 more subagent ended early.\n")
    expect(text).toContain("Result for todo:1 (1/4 settled); it is settled already.")
  })
})
