import { describe, expect, test } from "bun:test"
import { encode } from "gpt-tokenizer/encoding/o200k_base"
import { aPlan, aTask, aTaskSession, aWork } from "../../test/support/builders.ts"
import { FOREIGN, fill } from "../../test/support/foreign-text.ts"
import { MAX_FIELD_CHARS, MAX_ITEM_CHARS, MAX_ITEMS } from "../../test/support/task-states.ts"
import { boundedTaskState, type TaskState } from "../boulder/task-state.ts"
import { type WorkFacts, workFacts } from "../boulder/work-facts.ts"
import { V1_WORDS } from "../opencode/host/v1/v1-words.ts"
import { compactionPrompt, fallbackSummary } from "./compaction-text.ts"
import { quote } from "./quote.ts"
import { taskStateText } from "./task-state-text.ts"
import { begunText, workFactsLines } from "./work-facts-text.ts"

const BUDGETS = { state: 1_200, prompt: 350, facts: 1_000, begun: 500, fallback: 2_500 }

/** An id of the host's form (docs/HOST.md, the task tool) that costs a token a character. */
const DEAR_ID = "ses_0a1b2c3d4e5fQ7xJ9zK3vW5qX8"
/** A long key of odd letters (take-key.ts). */
const KEY = "todo:xgq-kln-rjl-pjz-qjz-qzj#9"

const tokens = (text: string): number => encode(text).length

/** A state in which every field is as full as it may be, of one foreign text. */
function fullState(foreign: string) {
  const items = Array.from({ length: MAX_ITEMS }, (_, index) =>
    fill(`${index}${foreign}`, MAX_ITEM_CHARS),
  )
  return boundedTaskState({
    goal: fill(foreign, MAX_FIELD_CHARS),
    progress: items,
    open_items: items,
    next_step: fill(foreign, MAX_FIELD_CHARS),
    blockers: items,
    key_artifacts: items,
    decisions: items,
    user_constraints: items,
  })
}

function fullFacts(foreign: string): WorkFacts {
  const tasks = Array.from({ length: 20 }, (_, index) => ({
    ...aTask({
      label: String(index),
      title: fill(foreign, 400),
      state: "blocked",
      line: 123_456,
      endLine: 234_567,
    }),
    key: KEY,
  }))
  const sessions = tasks.map((task, index) => [
    `${index}`,
    aTaskSession(task, { session_id: DEAR_ID, agent: fill(foreign, 256) }),
  ])
  const begun = tasks.map((task, index) => [
    `${index}`,
    {
      task_key: task.key,
      title_hash: "0",
      parent_session_id: DEAR_ID,
      session_id: null,
      agent: fill(foreign, 256),
      resumes: null,
      started_at: "2026-11-21T12:00:00.000Z",
    },
  ])
  const work = aWork({
    plan_name: fill(foreign, 512),
    active_plan: quote(fill(foreign), 66).slice(0, -1),
    task_sessions: Object.fromEntries(sessions),
    dispatches: Object.fromEntries(begun),
  })
  const running = tasks.map(() => ({ sessionId: DEAR_ID, title: fill(foreign, 400) }))
  const blocked = tasks.map(({ key, title }) => {
    const reason = fill(foreign, 2_000)
    return { key, title, reason, unblock: reason, isHeld: false, handoff: null }
  })
  return workFacts({ work, plan: aPlan(tasks), window: tasks.slice(0, 10), blocked, running })
}

const WORST = FOREIGN.map(({ name, foreign }) => {
  const state = fullState(foreign)
  const facts = fullFacts(foreign)
  const userWords = Array.from({ length: 9 }, () => fill(foreign))
  const given = {
    failure: "not-saved" as const,
    sessionId: DEAR_ID,
    facts,
    userWords,
    resumedBy: V1_WORDS.resume,
  }
  return {
    name,
    spent: {
      state: tokens(taskStateText(state, DEAR_ID)),
      prompt: tokens(compactionPrompt(null, null)),
      facts: tokens(workFactsLines(facts, V1_WORDS.resume).join("\n")),
      begun: tokens(begunText(facts, V1_WORDS.resume) ?? ""),
      fallback: Math.max(
        tokens(fallbackSummary({ ...given, state })),
        tokens(fallbackSummary({ ...given, state: null })),
      ),
    },
  }
})

describe("the budgets around a compaction hold for the fullest state and work", () => {
  test.each(WORST)("$name", ({ spent }) => {
    for (const text of Object.keys(BUDGETS) as (keyof typeof BUDGETS)[])
      expect([text, spent[text] <= BUDGETS[text]]).toEqual([text, true])
  })
  test("and the figures are known", () => {
    const most = (text: keyof typeof BUDGETS) => Math.max(...WORST.map(({ spent }) => spent[text]))
    // biome-ignore lint/suspicious/noConsole: the figures of the report
    console.log(
      `    most tokens: ${Object.keys(BUDGETS)
        .map((text) => `${text} ${most(text as keyof typeof BUDGETS)}`)
        .join(", ")}`,
    )
    expect(most("state")).toBeGreaterThan(600)
  })
})

describe("a state of the size that a compaction asks for", () => {
  const sentences = (count: number, what: string): string[] =>
    Array.from({ length: count }, (_, index) => `${what} in src/part-${index}/store.ts`)
  const asked: TaskState = {
    goal: "Move the login of the customer portal from tokens to sessions that support can revoke",
    user_constraints: sentences(
      8,
      "Never touch the billing tables or what belongs to another team",
    ),
    decisions: sentences(8, "Keep bcrypt with cost 12, since the other one has no binary"),
    next_step: "Write the limiter, then run the tests of the retry path and look at the log",
    blockers: sentences(2, "The staging database is read-only until Monday, says Anna"),
    open_items: sentences(4, "Move the remaining callers over to the new interface"),
    key_artifacts: sentences(4, "The reader and its table of tests"),
    progress: sentences(4, "Moved all callers and deleted the old adapter"),
  }
  const words = JSON.stringify(asked).split(" ").length

  test("has about 350 words", () => {
    expect(words).toBeGreaterThan(330)
    expect(words).toBeLessThan(370)
  })
  test("is shown whole, to the letter", () => {
    const text = taskStateText(asked, DEAR_ID)
    for (const item of Object.values(asked).flat()) expect(text).toContain(item)
    expect(text).not.toContain("more:")
  })
})

describe("what does not fit", () => {
  test("is counted, and each field that says something is shown", () => {
    const text = taskStateText(fullState("Add the login route with rate limiting "), DEAR_ID)
    for (const heading of [
      "Goal: ",
      "constraints:\n- ",
      "reopens it:\n- ",
      "Next step: ",
      "Blockers:\n- ",
      "Open:\n- ",
      "Artifacts:\n- ",
      "Progress:\n- ",
    ])
      expect(text).toContain(heading)
    const shown = text.match(/^- /gm)?.length ?? 0
    expect(text).toContain(`(${6 * MAX_ITEMS - shown} more: opencode-boulder state ${DEAR_ID})`)
  })
})
