import { describe, expect, test } from "bun:test"
import { at, CHILD, LEAD, NOW } from "../../test/support/builders.ts"
import { type PauseReason, pauseReasonSchema } from "../boulder/boulder.ts"
import type { WorkView } from "../boulder/live-view.ts"
import { columnsOf } from "../cli/views/columns.ts"
import { type PanelFacts, panelOf } from "./panel-view.ts"
import { inPanel } from "./run-command-line.ts"

const work = (given: Partial<WorkView> = {}): WorkView => ({
  work_id: "shop-1",
  plan_name: "shop",
  plan: ".boulder/plans/shop.md",
  lead_session_id: LEAD,
  led: true,
  state: { kind: "working" },
  counts: { total: 11, settled: 8, blocked: 0 },
  updated_at: at(0),
  round: { number: 3, settled: 2, ended: false },
  checkpoint: 2,
  window: [
    { key: "todo:9", title: "Show the cart", state: "running", waits_for: [] },
    { key: "todo:10", title: "Pay with a card", state: "returned", waits_for: [] },
    { key: "todo:11", title: "Ship it", state: "waits", waits_for: ["todo:9"] },
  ],
  running: [
    {
      key: "todo:9",
      agent: "general",
      session_id: CHILD,
      since: at(-130),
      heard_at: at(-4),
      tool: "bash",
    },
  ],
  context: { tokens: 12_345, soft_limit: 60_000, hard_limit: 90_000 },
  tokens: { spent: 1_234_567, ceiling: 2_000_000 },
  cost: { usd: 0.12, unpriced_tokens: 0 },
  blocked: [],
  ...given,
})
const panel = (given: Partial<PanelFacts> = {}) =>
  panelOf({
    works: [work()],
    problems: [],
    session: LEAD,
    columns: 80,
    now: NOW,
    timeOf: (iso) => iso.slice(11, 16),
    typed: inPanel("npx opencode-boulder"),
    ...given,
  })
const texts = (lines: readonly { readonly text: string }[]) => lines.map(({ text }) => text)
const blocked = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    key: `todo:${index}`,
    title: "Get the key",
    reason: "no key",
    unblock: index === 0 ? "the key is in .env" : null,
  }))

test("a work that goes on, as the sidebar shows it", () => {
  expect(texts(panel().sidebar)).toEqual([
    "shop                             8/11",
    "██████████████░░░░░░",
    "working",
    "round 3: 2 settled, checkpoint 2",
    "▶ todo:9 Show the cart",
    "  general 2m, bash, heard 4s ago",
    "✓ todo:10 Pay with a card",
    "  its result is back",
    "⋯ todo:11 waits for todo:9",
    "context 12k of 60k, at most 90k",
    "tokens 1.2M of 2.0M",
    "cost $0.12",
  ])
})

test.each([
  { tokens: { spent: 2_600_000, since: 2_000_000, ceiling: 2_000_000 }, said: "600k of 2.0M" },
  { tokens: { spent: 2_600_000, since: 2_000_000, ceiling: null }, said: "2.6M" },
])("a ceiling counts from when the budget was made fresh: $tokens", ({ tokens, said }) => {
  expect(texts(panel({ works: [work({ tokens })] }).sidebar)).toContain(`tokens ${said}`)
})

test("a task that its own subagent's limit holds up is named with the time, and not as the next one", () => {
  const row = { key: "todo:9", title: "Show the cart", state: "next" as const, waits_for: [] }
  const until = "2026-11-21T14:05:00.000Z"
  const limited = [
    { key: "todo:9", title: "Show the cart", until },
    { key: "todo:12", title: "Write it up", until: null },
  ]
  const { sidebar } = panel({ works: [work({ window: [row], running: [], limited })] })
  expect(texts(sidebar).slice(4, 6)).toEqual([
    "⋯ todo:9 limit until 14:05",
    "⋯ todo:12 limit: /start-work",
  ])
})

test.each([
  { cost: { usd: 0, unpriced_tokens: 0 }, said: undefined },
  { cost: { usd: 0, unpriced_tokens: 0, unknown_answers: 0 }, said: undefined },
  { cost: { usd: 0, unpriced_tokens: 0, unknown_answers: 2 }, said: "cost unknown" },
  { cost: { usd: 0, unpriced_tokens: 61_520 }, said: "cost unknown" },
])("a cost that nobody knows is shown as unknown, in one line: $cost", ({ cost, said }) => {
  const { sidebar } = panel({ works: [work({ cost })] })
  expect(texts(sidebar).at(-1)).toBe(said ?? "tokens 1.2M of 2.0M")
})

test("its bar, its line and its slot on the home screen", () => {
  expect(panel().mini?.text).toBe("█████░░░ 8/11")
  expect(panel().bottom?.text).toBe(" shop 8/11 · working · todo:9 Show the cart")
  expect(panel({ session: null }).home?.text).toBe("Unfinished plan: shop 8/11 working")
})

test("the line at the bottom names the task at hand: one that runs, else one whose result is back, else the next", () => {
  const row = (key: string, state: "next" | "running" | "returned" | "waits") => ({
    ...{ key, title: "It", waits_for: [] },
    state,
  })
  const named = (...window: WorkView["window"]) =>
    panel({ works: [work({ window, running: [] })] }).bottom?.text.split(" · ")[2]
  const [next, returned, running] = [row("a", "next"), row("b", "returned"), row("c", "running")]
  expect(named(next, returned, running)).toBe("c It")
  expect(named(next, returned)).toBe("b It")
  expect(named(row("d", "waits"), next)).toBe("a It")
  expect(named(row("d", "waits"))).toBeUndefined()
})

const STATES: readonly { readonly state: WorkView["state"]; readonly bottom: string }[] = [
  {
    state: { kind: "waiting-for-you", for: "question", asks: "Which colour?", session: LEAD },
    bottom: "waiting for your answer: Which colour?",
  },
  {
    state: { kind: "waiting-for-you", for: "approval", asks: null, session: LEAD },
    bottom: "waiting for your approval of the final wave. To approve: type /boulder-approve",
  },
  {
    state: { kind: "waiting", for: "provider", until: "2026-11-21T14:05:00.000Z" },
    bottom: "waiting for the provider until 14:05",
  },
  {
    state: { kind: "paused", reason: "aborted", more: null },
    bottom: "paused: you interrupted it. To resume: send its session a message or type /start-work",
  },
  {
    state: { kind: "idle" },
    bottom:
      "idle: no opencode is working on it (one that starts here and has its session resumes it after half a minute). To resume: type /start-work",
  },
  { state: { kind: "complete" }, bottom: "complete" },
]
test.each(STATES)("the line at the bottom: $bottom", ({ state, bottom }) => {
  const shown = panel({ works: [work({ state })], columns: 200 })
  expect(shown.bottom?.text).toContain(bottom)
  expect(texts(shown.sidebar).join(" ")).toContain(bottom)
})

describe("what is blocked", () => {
  test("says what would unblock it, or why; no more than three", () => {
    const counts = { total: 11, settled: 8, blocked: 5 }
    const { sidebar, bottom } = panel({ works: [work({ counts, blocked: blocked(5) })] })
    expect(texts(sidebar).slice(9, 16)).toEqual([
      "✖ todo:0 Get the key",
      "  until the key is in .env",
      "✖ todo:1 Get the key",
      "  no key",
      "✖ todo:2 Get the key",
      "  no key",
      "  2 more are blocked",
    ])
    expect(bottom?.text).toEndWith("· 5 blocked")
  })

  test.each([
    { listed: 9, words: "  11 more are blocked" },
    { listed: 13, words: "  11 more are blocked" },
    // Its plan was not read for the view.
    { listed: 0, words: "  14 are blocked" },
  ])("is counted in full where the view file lists $listed of it", ({ listed, words }) => {
    const counts = { total: 40, settled: 8, blocked: 14 }
    const { sidebar, bottom } = panel({ works: [work({ counts, blocked: blocked(listed) })] })
    expect(texts(sidebar)).toContain(words)
    expect(bottom?.text).toEndWith("· 14 blocked")
  })
})

describe("nothing is shown", () => {
  test("where there is no work", () => {
    expect(panel({ works: [] })).toEqual({ sidebar: [], mini: null, bottom: null, home: null })
  })
  test("of a finished work, but in its own session", () => {
    const done = work({ state: { kind: "complete" } })
    expect(panel({ works: [done], session: "ses_other" }).bottom).toBeNull()
    expect(panel({ works: [done] }).bottom?.text).toContain("complete")
    expect(panel({ works: [done] }).home).toBeNull()
  })
})

describe("several works", () => {
  const auth = work({
    work_id: "auth-1",
    plan_name: "auth",
    lead_session_id: "ses_auth",
    state: { kind: "idle" },
    running: [],
  })
  test("a session sees its own, and the others in a line each", () => {
    const shown = panel({ works: [work(), auth], session: "ses_auth", columns: 120 })
    expect(shown.sidebar[0]?.text).toStartWith("auth ")
    expect(texts(shown.sidebar)).toContain("shop 8/11 working")
    expect(shown.bottom?.text).toEndWith("· 1 more plan")
  })
  test("on a narrow home screen they are cut, not what resumes them", () => {
    const { home } = panel({ works: [work(), auth], session: null, columns: 60 })
    expect(home?.text).toBe("2 unfinished plans: shop 8/11 working, au… · /start-work")
    expect(columnsOf(home?.text ?? "")).toBeLessThanOrEqual(56)
  })
  test("a subagent sees the work that it runs for", () => {
    const shown = panel({ works: [auth, work()], session: CHILD })
    expect(shown.sidebar[0]?.text).toStartWith("shop ")
  })
})

test("wrong options are said above all", () => {
  expect(panel({ problems: ["Option x: …"] }).sidebar[0]?.text).toBe(
    "boulder: an option is wrong, see",
  )
})

const LONG = "A very long title that goes on and on, 漢字かな交じり文 and 👩‍👩‍👧 ".repeat(8)
const WIDE = "漢字".repeat(200)
test.each([
  { name: LONG, columns: 80 },
  { name: WIDE, columns: 37 },
  { name: WIDE, columns: 1 },
  { name: "", columns: 200 },
])("no line is wider than its slot, at $columns columns", ({ name, columns }) => {
  const row = { key: name, title: name, waits_for: [name] }
  const wide = work({
    plan_name: name,
    state: { kind: "waiting-for-you", for: "question", asks: name, session: null },
    counts: { total: 10_000, settled: 9_999, blocked: 12 },
    window: (["next", "running", "returned", "waits"] as const).map((state) => ({ ...row, state })),
    running: [
      { key: null, agent: name, session_id: null, since: null, heard_at: null, tool: name },
    ],
    limited: [{ key: name, title: name, until: null }],
    blocked: [{ key: name, title: name, reason: name, unblock: name }],
  })
  const { sidebar, mini, bottom, home } = panel({
    works: [wide, work({ ...wide, work_id: "b", lead_session_id: "ses_b" })],
    problems: [name],
    columns,
  })
  for (const { text } of sidebar) expect(columnsOf(text)).toBeLessThanOrEqual(37)
  expect(columnsOf(mini?.text ?? "")).toBeLessThanOrEqual(34)
  for (const line of [bottom, home])
    expect(columnsOf(line?.text ?? "")).toBeLessThanOrEqual(Math.max(1, columns))
})

test("what the panel advises is typed in the interface, whatever has paused a work", () => {
  for (const reason of ["only-blocked-left", "task-blocked", "aborted", "budget-spent"] as const) {
    const state = { kind: "paused", reason, more: null } as const
    const { sidebar, bottom } = panel({ works: [work({ state })], columns: 250 })
    const text = [...texts(sidebar), bottom?.text].join(" ")
    expect(text).not.toContain("opencode-boulder")
    expect(text.includes("/boulder-unblock")).toBe(reason.includes("blocked"))
  }
})

describe("the line at the bottom keeps what to do, however narrow the terminal", () => {
  const state = (reason: PauseReason, more: string | null = null) =>
    ({ kind: "paused", reason, more }) as const
  const bottom = (columns: number, given: WorkView["state"]) =>
    panel({ columns, works: [work({ state: given, running: [] })] }).bottom?.text
  test.each([
    {
      reason: "no-progress",
      says: " shop 8/11 · paused. To resume: type /start-work",
    },
    { reason: "only-blocked-left", says: " shop 8/11 · paused. To resume: type /boulder-unblock" },
    {
      reason: "aborted",
      says: " shop 8/11 · paused. To resume: send its session a message or type /start-work",
    },
    { reason: "stopped-by-user", says: " shop 8/11 · paused: you stopped it. To resume: type " },
  ] as const)("$reason at 80 columns", ({ reason, says }) => {
    const text = bottom(80, state(reason)) ?? ""
    expect(text).toStartWith(says)
    expect(text).not.toContain("…")
    expect(columnsOf(text)).toBeLessThanOrEqual(79)
  })
  test("an approval at 80 columns", () => {
    const state = { kind: "waiting-for-you", for: "approval", asks: null, session: null } as const
    expect(bottom(80, state)).toBe(
      " shop 8/11 · waiting for you. To approve: type /boulder-approve",
    )
  })
  test.each([{ name: "shop" }, { name: "shops" }, { name: "shop-2" }])(
    "whole, with more behind it: $name",
    ({ name }) => {
      const mine = work({ plan_name: name, state: state("aborted"), running: [] })
      const other = work({ work_id: "other", lead_session_id: "ses_other" })
      expect(panel({ works: [mine, other] }).bottom?.text).toMatch(/type \/start-work(?: |$)/)
    },
  )
  test("with room the whole is said", () => {
    expect(bottom(160, state("no-progress"))).toContain("paused: its last turns changed nothing")
  })
  test("every reason says at 80 columns what resumes it", () => {
    for (const reason of pauseReasonSchema.options) {
      const text = bottom(80, state(reason, "until 2026-11-22 14:05 UTC")) ?? ""
      expect(text).toMatch(/To resume: \S/)
    }
  })
})

describe("wrong options", () => {
  const problems = ["Option window: expected a number"]
  const words = "boulder: an option is wrong, see /boulder-status"
  test("are shown where there is no work", () => {
    const shown = panel({ works: [], problems })
    expect(shown.home?.text).toBe(words)
    expect(shown.bottom?.text).toBe(words)
    expect(shown.sidebar.map(({ text }) => text).join(" ")).toBe(words)
    expect(shown.mini).toBeNull()
  })
  test("are shown where the terminal has no sidebar", () => {
    expect(panel({ problems }).bottom?.text).toContain("wrong options: /boulder-status")
    expect(panel().bottom?.text).not.toContain("options")
  })
})

test.each([{ name: "add-checkout-page" }, { name: "2026-11-22-checkout-redesign" }])(
  "at 80 columns the line of the idle $name keeps what resumes it",
  ({ name }) => {
    const works = [work({ plan_name: name, state: { kind: "idle" } })]
    expect(panel({ works }).bottom?.text).toContain("idle. To resume: type /start-work")
  },
)
