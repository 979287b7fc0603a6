import { describe, expect, test } from "bun:test"
import { LEAD } from "../../test/support/builders.ts"
import { aStoredTaskState, aTaskState, EMPTY_TASK_STATE } from "../../test/support/task-states.ts"
import {
  boundedTaskState,
  isEmptyTaskState,
  parseTaskState,
  printTaskState,
  type TaskState,
  withoutSummary,
} from "./task-state.ts"

const problemOf = (file: unknown) => {
  const parsed = parseTaskState(JSON.stringify(file), LEAD)
  return "problem" in parsed ? parsed.problem : null
}
const stored = aStoredTaskState()
const withState = (given: object) => ({ ...stored, task_state: { ...stored.task_state, ...given } })
const without = (name: string) => {
  const { [name]: _, ...rest } = { ...stored.task_state } as Record<string, unknown>
  return { ...stored, task_state: rest }
}

describe("a state's file", () => {
  test("is read as it was written", () => {
    expect(parseTaskState(printTaskState(stored), LEAD)).toEqual({ stored })
  })
  test("has exactly the fields of a task state", () => {
    expect(Object.keys(JSON.parse(printTaskState(stored)).task_state)).toEqual([
      "goal",
      "progress",
      "open_items",
      "next_step",
      "blockers",
      "key_artifacts",
      "decisions",
      "user_constraints",
    ])
  })
  test.each([
    {
      name: "an unknown field",
      file: withState({ mood: "fine" }),
      says: 'task_state: Unrecognized key: "mood"',
    },
    {
      name: "an unknown field beside the state",
      file: { ...stored, more: 1 },
      says: 'the object: Unrecognized key: "more"',
    },
    {
      name: "a missing field",
      file: without("blockers"),
      says: "task_state.blockers: Invalid input: expected array, received undefined",
    },
    {
      name: "a null",
      file: withState({ goal: null }),
      says: "task_state.goal: Invalid input: expected string, received null",
    },
    {
      name: "a wrong type",
      file: withState({ next_step: ["a"] }),
      says: "task_state.next_step: Invalid input: expected string, received array",
    },
    {
      name: "a wrong item",
      file: withState({ decisions: ["a", 2] }),
      says: "task_state.decisions.1: Invalid input: expected string, received number",
    },
    {
      name: "no state",
      file: { ...stored, task_state: null },
      says: "task_state: Invalid input: expected object, received null",
    },
    {
      name: "no version",
      file: { ...stored, schema_version: undefined },
      says: "schema_version: Invalid input: expected 1",
    },
    {
      name: "another version",
      file: { ...stored, schema_version: 2 },
      says: "schema_version: Invalid input: expected 1",
    },
    {
      name: "another session",
      file: { ...stored, session_id: "ses_other" },
      says: "session_id: it is another session's",
    },
    {
      name: "many problems",
      file: { ...stored, task_state: {} },
      says: "task_state.goal: Invalid input: expected string, received undefined; task_state.progress: Invalid input: expected array, received undefined; task_state.open_items: Invalid input: expected array, received undefined; and 5 more",
    },
    {
      name: "an array",
      file: [],
      says: "the object: Invalid input: expected object, received array",
    },
  ])("fails at load with a message: $name", ({ file, says }) => {
    expect(problemOf(file)).toBe(says)
  })
  test("fails for what is no JSON, and for keys that reach a prototype", () => {
    expect(parseTaskState("{", LEAD)).toEqual({ problem: "it is no JSON" })
    const text = printTaskState(stored).replace('"goal"', '"__proto__": {}, "goal"')
    expect(parseTaskState(text, LEAD)).toEqual({ problem: "it has a reserved key __proto__" })
  })
  test("is not written when it could not be read", () => {
    expect(() => printTaskState({ ...stored, updated_at: "yesterday" })).toThrow("ISO datetime")
  })
})

describe("the bounds", () => {
  test.each([
    {
      name: "a text over 2,000 characters",
      given: { goal: "a".repeat(2_001) },
      is: { goal: `${"a".repeat(1_999)}…` },
    },
    { name: "one of 2,000", given: { goal: "a".repeat(2_000) }, is: { goal: "a".repeat(2_000) } },
    {
      name: "an item over 400 characters",
      given: { progress: ["b".repeat(401)] },
      is: { progress: [`${"b".repeat(399)}…`] },
    },
    {
      name: "over 32 items",
      given: { blockers: Array.from({ length: 33 }, (_, i) => `${i}`) },
      is: { blockers: Array.from({ length: 32 }, (_, i) => `${i}`) },
    },
    {
      name: "blank and repeated items",
      given: { decisions: ["", " ", "a", "a ", "b"] },
      is: { decisions: ["a", "b"] },
    },
    {
      name: "line breaks and control characters",
      given: { next_step: " a\r\n\tb\u0000c " },
      is: { next_step: "a b c" },
    },
    {
      name: "a character of two halves at the cut",
      given: { progress: [`${"c".repeat(398)}🚀🚀`] },
      is: { progress: [`${"c".repeat(398)}…`] },
    },
    { name: "half a character", given: { goal: "a\ud83d" }, is: { goal: "a\ufffd" } },
  ] as readonly { name: string; given: Partial<TaskState>; is: Partial<TaskState> }[])(
    "$name",
    ({ given, is }) => {
      expect(boundedTaskState({ ...EMPTY_TASK_STATE, ...given })).toEqual({
        ...EMPTY_TASK_STATE,
        ...is,
      })
    },
  )
  test("hold on save and on load", () => {
    const long = aStoredTaskState({ task_state: aTaskState({ goal: "a".repeat(9_000) }) })
    expect(JSON.parse(printTaskState(long)).task_state.goal.length).toBe(2_000)
    const read = parseTaskState(JSON.stringify(long), LEAD)
    expect("stored" in read && read.stored.task_state.goal.length).toBe(2_000)
  })
  test("an empty state is known", () => {
    expect(isEmptyTaskState(EMPTY_TASK_STATE)).toBe(true)
    expect(isEmptyTaskState({ ...EMPTY_TASK_STATE, blockers: ["a"] })).toBe(false)
  })
})

describe("the state before one", () => {
  const { schema_version: _, session_id: __, ...earlier } = stored
  const first = { ...stored, summary_id: "msg_1" }
  const second = {
    ...aStoredTaskState({ task_state: aTaskState({ goal: "Another" }) }),
    summary_id: "msg_2",
    before: { ...earlier, summary_id: "msg_1" },
  }
  test.each([
    { name: "comes back with an undo of its summary", from: second, gone: ["msg_2"], is: first },
    { name: "is none of the first state", from: first, gone: ["msg_1"], is: null },
    { name: "stays for any other message", from: second, gone: ["msg_3"], is: second },
    { name: "goes with an undo past both", from: second, gone: ["msg_1", "msg_2"], is: null },
    { name: "is not known of an older file", from: stored, gone: ["msg_1"], is: stored },
  ])("$name", ({ from, gone, is }) => {
    const left = gone.reduce<typeof stored | null>(
      (state, id) => (state === null ? null : withoutSummary(state, id)),
      from,
    )
    expect(left).toEqual(is)
  })
  test("is kept within the bounds, and as strictly", () => {
    expect(parseTaskState(printTaskState(second), LEAD)).toEqual({ stored: second })
    const long = { ...second.before, task_state: aTaskState({ goal: "a".repeat(9_000) }) }
    const printed = JSON.parse(printTaskState({ ...second, before: long }))
    expect(printed.before.task_state.goal).toHaveLength(2_000)
    expect(problemOf({ ...second, before: { ...long, mood: "fine" } })).toBe(
      'before: Unrecognized key: "mood"',
    )
    expect(problemOf({ ...second, before: null })).toContain("before: Invalid input")
    expect(problemOf({ ...second, summary_id: "" })).toContain("summary_id: ")
  })
})
