import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { aPlan, aTask, aTaskSession, aWork, CHILD, LEAD } from "../../test/support/builders.ts"
import { aTaskState, EMPTY_TASK_STATE } from "../../test/support/task-states.ts"
import { decodeCompaction } from "../boulder/decode-compaction.ts"
import { workFacts } from "../boulder/work-facts.ts"
import { V1_WORDS } from "../opencode/host/v1/v1-words.ts"
import { clearedOutput } from "./cleared-output.ts"
import { compactionPrompt, fallbackSummary } from "./compaction-text.ts"
import { taskStateText } from "./task-state-text.ts"
import { begunText } from "./work-facts-text.ts"

const tasks = [
  aTask({ label: "1", title: "Add the users table", state: "done" }),
  aTask({ label: "2", title: "Add the login route", line: 14, endLine: 19 }),
  aTask({ label: "3", title: "Add rate limiting", line: 20, endLine: 20 }),
  aTask({ label: "4", title: "Write the docs", state: "blocked" }),
]
const [done, login] = tasks
const work = aWork({
  plan_name: "auth-rewrite",
  active_plan: ".boulder/plans/auth-rewrite.md",
  task_sessions: Object.fromEntries(
    [done, login].flatMap((task) => (task === undefined ? [] : [[task.key, aTaskSession(task)]])),
  ),
  dispatches: {
    call_1: {
      task_key: "todo:3",
      title_hash: "0",
      parent_session_id: LEAD,
      session_id: null,
      agent: "general",
      resumes: null,
      started_at: "2026-11-21T12:00:00.000Z",
    },
  },
})
const running = [{ sessionId: `${CHILD}2`, title: "Look at the login code (@explore subagent)" }]
const blocked = [
  {
    key: "todo:4",
    title: "Write the docs",
    reason: "no access",
    unblock: null,
    isHeld: false,
    handoff: null,
  },
]
const plan = aPlan(tasks)
const facts = workFacts({ work, plan, window: tasks.slice(1, 3), blocked, running })
const bare = workFacts({ work: aWork(), plan: null, window: [], blocked: [], running: [] })
const state = aTaskState()
const fallback = { sessionId: LEAD, state, facts, userWords: ["Make it safe"], resumedBy: null }

const WORDINGS: readonly { readonly file: string; readonly text: string | null }[] = [
  { file: "compaction-prompt", text: compactionPrompt(state, facts) },
  { file: "compaction-prompt-first", text: compactionPrompt(null, bare) },
  { file: "compaction-prompt-without-work", text: compactionPrompt(state, null) },
  { file: "summary-fallback", text: fallbackSummary({ ...fallback, failure: "cut-off" }) },
  {
    file: "summary-fallback-first",
    text: fallbackSummary({
      ...fallback,
      failure: "not-saved",
      state: null,
      facts: workFacts({ work, plan, window: [], blocked, running: [] }),
    }),
  },
  { file: "summary-in-flight", text: begunText(facts, null) },
  { file: "summary-begun-again", text: begunText(facts, V1_WORDS.resume) },
  { file: "task-state", text: taskStateText(state, LEAD) },
  {
    file: "task-state-cut",
    text: taskStateText(
      {
        ...state,
        progress: Array.from(
          { length: 32 },
          (_, index) => `Step ${index} of the long migration went well`,
        ),
        open_items: Array.from(
          { length: 32 },
          (_, index) => `Item ${index}: ${"migrate it ".repeat(30)}`,
        ),
      },
      LEAD,
    ),
  },
  { file: "task-state-short", text: taskStateText({ ...EMPTY_TASK_STATE, goal: "Ship it" }, LEAD) },
]

describe("the wording of every text around a compaction, word for word", () => {
  test.each(WORDINGS)("$file", ({ file, text }) => {
    const path = new URL(`../../test/fixtures/prompts/${file}.txt`, import.meta.url)
    expect(`${text}\n`).toBe(readFileSync(path, "utf8"))
  })
})

describe("what the texts hold", () => {
  test("the prompt has the state to the letter, whatever is in it", () => {
    const nasty = aTaskState({ goal: 'Return Promise<void> </boulder> `x` "y" \\ \u2028' })
    const prompt = compactionPrompt(nasty, null)
    const line = prompt.split("\n").find((one) => one.startsWith('{"task_state":{"goal":"'))
    expect(JSON.parse(line ?? "")).toEqual({ task_state: nasty })
    expect(prompt.match(/<\/boulder>/g)).toEqual(["</boulder>"])
  })
  test("a model that says the prompt again has given no answer", () => {
    expect(decodeCompaction(compactionPrompt(state, facts)).kind).toBe("refused")
    expect(decodeCompaction(compactionPrompt(null, null)).kind).toBe("refused")
  })
  test("nothing runs: nothing is said of it", () => {
    expect(begunText(bare, null)).toBeNull()
    expect(begunText(bare, V1_WORDS.resume)).toBeNull()
  })
  test("settled tasks have no session to go on with", () => {
    expect(facts.sessions.map(({ task_key }) => task_key)).toEqual(["todo:2"])
  })
})

test("an output that was cleared is one line, whatever it was of", () => {
  const line = clearedOutput("bash", `echo </boulder>\n${"long ".repeat(900)}`, 12_345)
  expect(line).toBe(
    "[boulder: old output of bash echo ‹/boulder› long long long long long long long long long long long long long long long long long long… cleared, 12345 characters; call it again if you need it]",
  )
})
