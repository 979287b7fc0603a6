import { expect, test } from "bun:test"
import {
  aPlan,
  aTask,
  aTaskSession,
  at,
  aWork,
  CHILD,
  LEAD,
  NOW,
} from "../../../test/support/builders.ts"
import { liveViewOf } from "../../boulder/live-view.ts"
import { NOTHING_REMEMBERED } from "../../decide/memory/session-memory.ts"
import { viewOfWork } from "./view-of-work.ts"

const lead = {
  waitingFor: null,
  asks: null,
  session: null,
  backsOffUntil: null,
  hostWaitsUntil: null,
}
const LONG = "x".repeat(5_000)
const tasks = [
  aTask({ label: "1", state: "done" }),
  aTask({ label: "2", title: "Write the parser" }),
  aTask({ label: "3" }),
  aTask({ label: "4", runnable: false, dependsOn: ["todo:2"] }),
  aTask({ label: "5", state: "blocked", runnable: false, title: LONG }),
]
const [, two, three] = tasks
if (two === undefined || three === undefined) throw new Error("two tasks are expected")

const shown = viewOfWork({
  work: aWork({
    context: { tokens: 10, soft_limit: 60_000, hard_limit: 90_000, scaled: false },
    task_sessions: { "todo:3": aTaskSession(three) },
    dispatches: {
      call_1: {
        task_key: "todo:2",
        title_hash: two.titleHash,
        parent_session_id: LEAD,
        session_id: null,
        agent: "general",
        resumes: null,
        started_at: at(-90),
      },
    },
  }),
  plan: aPlan(tasks),
  blocked: [
    {
      key: "todo:5",
      title: LONG,
      reason: "no key\u001b[31m",
      unblock: null,
      isHeld: false,
      handoff: null,
    },
  ],
  lead,
  memoryOf: (id) => ({
    ...NOTHING_REMEMBERED,
    calls:
      id === LEAD
        ? [{ callId: "call_1", workId: "w", task: two, childId: CHILD, isBack: false }]
        : [],
    contextTokens: id === LEAD ? 1_234 : 0,
    heardAt: NOW - 5_000,
    tools: [{ callId: "c", name: "bash", ranMs: 0, isTold: false }],
  }),
  windowSize: 3,
  now: NOW,
})

test("the window says what runs, what is back, and what waits for what", () => {
  expect(shown.window.map(({ key, state, waits_for }) => [key, state, ...waits_for])).toEqual([
    ["todo:2", "running"],
    ["todo:3", "returned"],
    ["todo:4", "waits", "todo:2"],
  ])
})

test("a running subagent is shown with its beginning, its last word and its tool", () => {
  expect(shown.running).toEqual([
    {
      key: "todo:2",
      agent: "general",
      session_id: CHILD,
      since: at(-90),
      heard_at: at(-5),
      tool: "bash",
    },
  ])
})

test("the context is what the lead has told last, and the counts are the plan's", () => {
  expect(shown.context?.tokens).toBe(1_234)
  expect(shown.counts).toEqual({ total: 5, settled: 1, blocked: 1 })
})

test("however long titles are, the view is one that its readers take", () => {
  const written = { version: 1, writer: "w", at: at(0), problems: [], works: [shown] }
  expect(liveViewOf(JSON.parse(JSON.stringify(written)))?.works).toHaveLength(1)
  expect(shown.blocked[0]?.reason).not.toContain("\u001b")
})

test("of a lead that has told no context yet, the work's own is shown", () => {
  const context = { tokens: 10, soft_limit: 60_000, hard_limit: 90_000, scaled: false }
  const { context: seen } = viewOfWork({
    ...{ work: aWork({ context }), plan: aPlan(tasks), blocked: [], lead, now: NOW, windowSize: 3 },
    memoryOf: () => NOTHING_REMEMBERED,
  })
  expect(seen?.tokens).toBe(10)
})
