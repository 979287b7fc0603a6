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
  { kind: "review", rows: ROWS, rejections: 1, isLapsed: false },
  { kind: "review", rows: ROWS, rejections: 2, isLapsed: true },
  { kind: "ask", isOfAnotherPlan: false, isLapsed: false },
  { kind: "ask", isOfAnotherPlan: true, isLapsed: false },
  { kind: "ask", isOfAnotherPlan: false, isLapsed: true },
  { kind: "ask", isOfAnotherPlan: true, isLapsed: true },
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
const REUSES: readonly (Reuse | null)[] = [
  null,
  { kind: "reuse", sessionId: CHILD, agent: "general" },
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

/** Where every task is settled nothing is left of what came back. */
const LEFT: ReadonlySet<string> = new Set(["result", "review", "blocked"])
const NONE_LEFT: ReadonlySet<string> = new Set(["done", "empty"])

// A session is offered under what a call has brought back, and behind no other tool.
const ALL: readonly Combination[] = BROUGHT.flatMap((cameBack) =>
  TURNS.filter(({ kind }) => !NONE_LEFT.has(kind) || !LEFT.has(cameBack?.kind ?? "")).flatMap(
    (next) =>
      REMARKS.flatMap((remark) =>
        REUSES.filter((reuse) => cameBack !== null || reuse === null).map((reuse) => {
          const hint = reuse === null ? null : { taskKey, reuse }
          const facts = { settled: 1, total: 4, cameBack, next, remark, hint, lost: [] }
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
const NEWS: readonly (Pick<ToolText, "lost" | "unproven" | "edited" | "changed" | "turnedDown"> & {
  readonly name: string
})[] = [
  { name: "a silent subagent", lost: [silent] },
  { name: "a limited one", lost: [limited] },
  { name: "one whose limit is over", lost: [over] },
  { name: "one whose limit the user is asked about", lost: [{ ...limited, until: null }] },
  { name: "one of no task", lost: [{ ...silent, taskKey: null }] },
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
const SHOWN_WITH_NEWS: ReadonlySet<string | undefined> = new Set([undefined, "result"])

/** The same, each with what else has happened since the last text. */
const WITH_NEWS: readonly Combination[] = NEWS.flatMap(({ name, ...news }) =>
  ALL.filter(({ facts }) => facts.remark === null).map(({ facts, name: base }) => ({
    name: `${base}; ${name}`,
    facts: { ...facts, ...news },
    text: toolText({ ...facts, ...news }, V1_WORDS),
  })),
)

const GOES_ON: ReadonlySet<string> = new Set(["go-on", "review"])

test("a turn that ends is told the same whatever session there is: the budgets' test counts it once", () => {
  const ending = [...ALL, ...WITH_NEWS].filter(
    ({ facts }) => facts.hint === null && !GOES_ON.has(facts.next.kind),
  )
  const hints = REUSES.filter((reuse) => reuse !== null).map((reuse) => ({ taskKey, reuse }))
  const others = ending.flatMap(({ name, facts, text }) =>
    hints
      .filter((hint) => toolText({ ...facts, hint }, V1_WORDS) !== text)
      .map((hint) => `${name}: ${hint.reuse.kind}`),
  )
  expect(ending.length).toBeGreaterThan(1_000)
  expect(others).toEqual([])
})

/** One file: each text once, under all the combinations that give it. */
function table(): string {
  const byText = new Map<string, string[]>()
  const shown = WITH_NEWS.filter(
    ({ facts }) => facts.hint === null && SHOWN_WITH_NEWS.has(facts.cameBack?.kind),
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

function nameOf({ cameBack, next, remark, hint }: ToolText): string {
  const parts = [
    cameBack === null ? "another tool" : wordsOf(cameBack),
    wordsOfTurn(next),
    remark?.kind ?? null,
    hint === null ? null : hint.reuse.kind,
  ]
  return parts.filter((part) => part !== null).join(", ")
}

function wordsOfTurn(next: TurnNext): string {
  switch (next.kind) {
    case "end":
      return `end ${next.why}`
    case "ask":
      return `ask${next.isOfAnotherPlan ? " anew" : ""}${next.isLapsed ? ", lapsed" : ""}`
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
  test("one frame, and no more than two lines in it", () => {
    const bad = ALL.filter(
      ({ text }) =>
        text !== null && (text.split("<boulder>").length !== 2 || text.split("\n").length > 4),
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

test("90 tokens at most as a rule", () => {
  const most = Math.max(...ALL.map(({ text }) => encode(text ?? "").length))
  expect(most).toBeLessThanOrEqual(115)
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
