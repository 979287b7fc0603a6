import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { encode } from "gpt-tokenizer/encoding/o200k_base"
import type { FreshReason, Reuse } from "../../src/decide/decision.ts"
import { V1_WORDS } from "../../src/opencode/host/v1/v1-words.ts"
import { labelOf } from "../../src/plan/data/listed-plan.ts"
import { takeKey } from "../../src/plan/tasks/take-key.ts"
import { continuationText } from "../../src/prompts/continuation-text.ts"
import {
  agentNotice,
  approvalNotice,
  finishNotice,
  pauseNotice,
} from "../../src/prompts/notice-text.ts"
import { unreviewedWords } from "../../src/prompts/pause-words.ts"
import { quote } from "../../src/prompts/quote.ts"
import { refusalText } from "../../src/prompts/refusal-text.ts"
import { sayText } from "../../src/prompts/say-text.ts"
import { startText } from "../../src/prompts/start-text.ts"
import { toolText } from "../../src/prompts/tool-text.ts"
import { aPlan, aTask } from "../support/builders.ts"
import { IN_OPENCODE } from "../support/by-name.ts"
import { foreign, UNPRINTABLE } from "../support/foreign-arbitrary.ts"

const CASES = 500

const HEX = [..."0123456789abcdef"]
const path = fc.oneof(
  foreign,
  foreign.map((text) => text.repeat(20).slice(0, 4_096)),
)
/** As plans are read: of an id of any words, if it is short. */
const key = fc
  .tuple(fc.constantFrom("todo", "final-wave", "task"), fc.oneof(foreign, fc.constant("3")))
  .map(([section, id]) => takeKey(new Map(), { section, label: labelOf(id) }, "63edf339").key)
const BASE_62 = [..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"]
const sessionId = fc
  .tuple(
    fc.string({ unit: fc.constantFrom(...HEX), minLength: 12, maxLength: 12 }),
    fc.string({ unit: fc.constantFrom(...BASE_62), minLength: 14, maxLength: 14 }),
  )
  .map(([time, random]) => `ses_${time}${random}`)
const FRESH: readonly FreshReason[] = [
  "no session yet",
  "the task was reworded",
  "its context is over 70 % full",
]
const reuse: fc.Arbitrary<Reuse> = fc.oneof(
  fc
    .record({ id: sessionId, agent: foreign })
    .map(({ id, agent }) => ({ kind: "reuse" as const, sessionId: id, agent })),
  fc.constantFrom(...FRESH).map((reason) => ({ kind: "fresh" as const, reason })),
)
const line = fc.integer({ min: 1, max: 400_000 })
const task = fc
  .record({ title: foreign, key, line, length: fc.nat(200), rejected: fc.boolean() })
  .map(({ length, ...given }) => aTask({ label: "1", ...given, endLine: given.line + length }))
const window = fc
  .array(fc.record({ task, details: foreign, reuse: fc.option(reuse) }), {
    minLength: 1,
    maxLength: 3,
  })
  .chain((shown) => fc.record({ path, shown: fc.constant(shown), isSharded: fc.boolean() }))
  .map(({ path: file, shown, isSharded }) => ({
    tasks: shown.map(({ task: one, details, reuse: offered }) => ({
      task: one,
      details,
      reuse: offered,
      back: offered?.kind === "reuse" ? ("result" as const) : null,
      isReviewed: false,
      limitedUntil: null,
      shard: isSharded ? { path: file, lines: { from: 1, to: one.endLine } } : null,
    })),
    rules: isSharded ? { from: 1, to: 2 } : null,
    waiting: [{ key: shown[0]?.details ?? "", for: [file] }],
  }))
const count = fc.nat(10_000)
const counts = fc.record({
  total: count,
  done: count,
  open: count,
  in_progress: count,
  blocked: count,
  cancelled: count,
  optional: count,
})

const continuation = fc
  .record({
    planName: foreign,
    planPath: path,
    counts,
    window,
    settling: fc.constantFrom("by-tool" as const, "by-hand" as const),
    words: fc.constant(V1_WORDS),
    isTold: fc.boolean(),
    cutOffStep: fc.option(foreign),
  })
  .map((facts) => ({ text: continuationText(facts), lines: 6 + 3 * facts.window.tasks.length }))
const start = fc
  .record({
    planName: foreign,
    planPath: path,
    window,
    counts,
    dialect: foreign,
    ignored: fc.array(fc.record({ line, reason: foreign }), { maxLength: 4 }),
    resumed: fc.boolean(),
    settling: fc.constant("by-tool" as const),
    words: fc.constant(V1_WORDS),
    notes: fc.array(foreign, { maxLength: 6 }),
  })
  .map(({ dialect, ignored, counts: counted, ...facts }) => ({
    text: startText({
      ...facts,
      typed: IN_OPENCODE,
      plan: aPlan(
        facts.window.tasks.map((shown) => shown.task),
        { dialect, ignored, counts: counted },
      ),
    }),
    lines: 5 + Math.min(4, facts.notes.length) + 3 * facts.window.tasks.length,
  }))
const cameBack = fc.oneof(
  fc.record({ kind: fc.constant("result" as const), taskKey: key, settle: fc.constant("tick it") }),
  fc.record({
    kind: fc.constant("blocked" as const),
    taskKey: key,
    reason: foreign,
    block: fc.constantFrom(null, "write `BLOCKED: why` below its row in the plan"),
  }),
  fc.record({ kind: fc.constant("unnamed" as const), example: fc.option(key) }),
)
const delegation = fc
  .record({
    settled: count,
    total: count,
    cameBack,
    next: fc.constantFrom(
      { kind: "go-on" } as const,
      {
        kind: "ask",
        isOfAnotherPlan: true,
        isLapsed: true,
        unreviewed: 0,
      } as const,
    ),
    remark: fc.constant(null),
    lost: fc.constant([]),
    hints: fc.array(fc.record({ taskKey: key, reuse }), { maxLength: 1 }),
  })
  .map((facts) => ({
    text: toolText(facts, V1_WORDS) ?? "",
    lines: 2,
  }))
const say = fc.array(foreign, { maxLength: 20 }).map((lines) => ({
  text: sayText(lines),
  lines: 1 + Math.min(12, lines.length),
}))

/** How the lines of a start and of a continuation begin. */
const OURS =
  /^(?:Continue|Start|Resume|Note: |\(\d+ more|Delegate|Work as before|Ask only|The conversation was compacted|Next|And \(|- |Waiting: )/

describe("no foreign text closes or imitates our frame, or leaves its line", () => {
  test.each([
    { name: "start", made: start, begins: OURS },
    { name: "continuation", made: continuation, begins: OURS },
    { name: "delegation", made: delegation, begins: undefined },
    { name: "what is said to the user", made: say, begins: undefined },
  ])("$name", ({ made, begins }) => {
    fc.assert(
      fc.property(made, ({ text, lines }) => {
        expect(text.startsWith("<boulder>\n")).toBe(true)
        expect(text.endsWith("\n</boulder>")).toBe(true)
        const inside = text.slice("<boulder>\n".length, -"\n</boulder>".length)
        expect(inside).not.toMatch(/[<>]/)
        expect(inside).not.toMatch(UNPRINTABLE)
        expect(inside.isWellFormed()).toBe(true)
        const details = inside.split("\n").filter((line) => line.startsWith("  "))
        expect(details.length).toBeLessThanOrEqual(6)
        const others = inside.split("\n").filter((line) => !line.startsWith("  "))
        expect(others.length).toBeLessThanOrEqual(lines)
        if (begins !== undefined) expect(others.filter((line) => !begins.test(line))).toEqual([])
      }),
      { numRuns: CASES },
    )
  })
  test("backticks in our texts are ours", () => {
    fc.assert(
      fc.property(continuation, ({ text }) => {
        expect([2, 4, 6, 8, 10]).toContain(text.split("`").length - 1)
      }),
      { numRuns: CASES },
    )
  })
  test("a refusal and a notice are one line", () => {
    fc.assert(
      fc.property(path, foreign, (file, name) => {
        const texts = [
          refusalText("plan-by-subagent", file, name),
          refusalText("shard-by-anyone", file, name),
          refusalText("state-by-anyone", file, name),
          refusalText("sources-by-lead", file, name),
          pauseNotice(name, "aborted", { typed: IN_OPENCODE }),
          finishNotice(name, { settled: 1, total: 2 }, [file]),
          approvalNotice(name, unreviewedWords([name, name]), IN_OPENCODE),
          agentNotice({ plan_name: name, agent: name }, IN_OPENCODE),
        ]
        for (const text of texts) {
          expect(text).not.toMatch(/[<>`\n\r]/)
          expect(text).not.toMatch(UNPRINTABLE)
          expect(text.length).toBeLessThan(500)
        }
      }),
      { numRuns: CASES },
    )
  })
  test("a quotation of a quotation is itself, unless it was cut", () => {
    fc.assert(
      fc.property(foreign, (text) => {
        const once = quote(text, 50)
        if (!once.endsWith("…")) expect(quote(once, 50)).toBe(once)
      }),
      { numRuns: CASES },
    )
  })
})

describe("the budgets hold for any titles, paths, reasons and keys", () => {
  test.each([
    { name: "start", made: start, budget: 600 },
    { name: "continuation", made: continuation, budget: 450 },
    { name: "delegation", made: delegation, budget: 150 },
  ])("$name: at most $budget tokens", ({ made, budget }) => {
    fc.assert(
      fc.property(made, ({ text }) => {
        expect(encode(text).length).toBeLessThanOrEqual(budget)
      }),
      { numRuns: CASES },
    )
  })
})
