import { describe, expect, test } from "bun:test"
import { aTaskState, compactionAnswer, EMPTY_TASK_STATE } from "../../test/support/task-states.ts"
import { decodeCompaction } from "./decode-compaction.ts"

const state = aTaskState()
const good = compactionAnswer(state, "Half done.")
const decoded = { kind: "decoded", taskState: state, displaySummary: "Half done." } as const
const pretty = JSON.stringify(JSON.parse(good), null, 2)
const turned = JSON.stringify({ display_summary: "Half done.", task_state: state })
const other = compactionAnswer(aTaskState({ goal: "Another goal" }), "A draft.")

describe("the object is found", () => {
  test.each([
    { name: "alone", text: good },
    { name: "printed over lines", text: pretty },
    { name: "with its fields in another order", text: turned },
    { name: "in a code fence", text: `Here it is:\n\`\`\`json\n${pretty}\n\`\`\`\nDone.` },
    { name: "behind braces", text: `if (x) { y() } {{ {"a": {" } {" ${good} }}}` },
    { name: "behind an odd quote in braces", text: `{ 5" wide ${good} "` },
    { name: "behind one that was cut off", text: `${good.slice(0, 200)}\nOnce more:\n${good}` },
    { name: "behind one that was cut off in a string", text: `${good.slice(0, 40)} ${good}` },
    { name: "before one that was cut off", text: `${good}\n${other.slice(0, 200)}` },
    { name: "behind a draft", text: `${other}\nBetter:\n${good}` },
    { name: "before one that is wrong", text: `${good}\n{"task_state": {}}` },
    { name: "in another object", text: `{"answer": ${good}}` },
    {
      name: "behind the form that the prompt shows",
      text: `{"task_state":{"goal":string},"display_summary":string}\n${good}`,
    },
  ])("$name", ({ text }) => {
    expect(decodeCompaction(text)).toEqual(decoded)
  })
  test("a summary may speak of such objects, of braces and quotes", () => {
    const summary = `It prints {"task_state": {}} and "}" \\ {`
    expect(decodeCompaction(compactionAnswer(state, summary))).toMatchObject({
      displaySummary: summary,
    })
  })
  test("a long summary is cut, with a sign", () => {
    const answer = decodeCompaction(compactionAnswer(state, "a".repeat(20_000)))
    expect(answer.kind === "decoded" && answer.displaySummary).toBe(`${"a".repeat(11_999)}…`)
  })
})

const asObject = (given: object) =>
  JSON.stringify({ task_state: state, display_summary: "Half done.", ...given })
describe("anything else is refused, with the reason", () => {
  test.each([
    { name: "nothing", text: "", is: "no-object" },
    { name: "prose", text: "We have done {much} and task_state is fine.", is: "no-object" },
    { name: "another object", text: '{"goal": "x"}', is: "no-object" },
    { name: "cut off", text: good.slice(0, -1), is: "cut-off" },
    { name: "cut off early", text: good.slice(0, 20), is: "cut-off" },
    { name: "an unknown field", text: asObject({ mood: "fine" }), is: "not-strict" },
    {
      name: "an unknown field of the state",
      text: asObject({ task_state: { ...state, mood: "" } }),
      is: "not-strict",
    },
    {
      name: "a missing field of the state",
      text: asObject({ task_state: { goal: "x" } }),
      is: "not-strict",
    },
    { name: "a null", text: asObject({ task_state: { ...state, goal: null } }), is: "not-strict" },
    {
      name: "a wrong type",
      text: asObject({ task_state: { ...state, progress: "all" } }),
      is: "not-strict",
    },
    { name: "no summary", text: JSON.stringify({ task_state: state }), is: "not-strict" },
    { name: "a blank summary", text: asObject({ display_summary: " \n" }), is: "not-strict" },
    { name: "no state", text: asObject({ task_state: null }), is: "not-strict" },
    { name: "no JSON", text: '{"task_state": {goal: 1}, "display_summary": ""}', is: "not-strict" },
    {
      name: "a prototype",
      text: good.replace('"goal"', '"__proto__":{},"goal"'),
      is: "not-strict",
    },
    {
      name: "the form that the prompt shows",
      text: '{"task_state":{"goal":string},"display_summary":string}',
      is: "not-strict",
    },
    { name: "an empty state", text: compactionAnswer(EMPTY_TASK_STATE), is: "empty-state" },
    {
      name: "a blank state",
      text: compactionAnswer({ ...EMPTY_TASK_STATE, goal: " \n", progress: ["", "\t"] }),
      is: "empty-state",
    },
  ])("$name: $is", ({ text, is }) => {
    expect(decodeCompaction(text)).toMatchObject({ kind: "refused", reason: is as "no-object" })
  })
  test("keys that reach a prototype are refused for that, at any depth", () => {
    for (const text of [
      good.replace('"goal"', '"__proto__":{},"goal"'),
      `${good.slice(0, -1)},"constructor":1}`,
      asObject({ mood: [{ prototype: 1 }] }),
    ])
      expect(decodeCompaction(text)).toMatchObject({
        reason: "not-strict",
        problem: expect.stringContaining("it has a reserved key"),
      })
  })
  test("so many objects from the end are tried, and no more", () => {
    const wrong = '{"task_state":{},"display_summary":""}'
    expect(decodeCompaction(good + wrong.repeat(63))).toEqual(decoded)
    expect(decodeCompaction(good + wrong.repeat(64)).kind).toBe("refused")
  })
  test("in words that say where", () => {
    expect(decodeCompaction(asObject({ mood: "fine" }))).toMatchObject({
      problem: 'the object: Unrecognized key: "mood"',
    })
  })
})

/** A search that looked at a part of it twice for each brace would not end within the limit of a test. */
describe("5 MB of noise", () => {
  const MB5 = 5 * 1_024 * 1_024
  const fill = (part: string) => part.repeat(Math.ceil(MB5 / part.length))
  test.each([
    { name: "opening braces", noise: fill("{") },
    { name: "braces in pairs", noise: fill("{}") },
    { name: "braces and spaces", noise: fill(`{${" ".repeat(99)}`) },
    { name: "one brace and spaces", noise: `{${" ".repeat(MB5)}` },
    { name: "objects that begin like ours", noise: fill('{"task_state":') },
    { name: "objects that begin like ours, nested", noise: fill('{"task_state":{"a":[') },
    {
      name: "objects that are like ours and wrong",
      noise: fill('{"task_state":{},"display_summary":""} '),
    },
    { name: "one object that begins like ours, of brackets", noise: `{"task_state":${fill("[")}` },
    { name: "quotes", noise: fill('"{"') },
    { name: "backslashes in a string", noise: `{"task_state":"${fill("\\")}` },
  ])("$name: the object behind it is found", ({ noise }) => {
    expect(decodeCompaction(`${noise}\n${good}`)).toEqual(decoded)
    expect(decodeCompaction(noise).kind).toBe("refused")
  })
  test("an object of 5 MB is refused", () => {
    expect(decodeCompaction(compactionAnswer(aTaskState({ goal: fill("a") })))).toMatchObject({
      reason: "not-strict",
      problem: "its object is longer than 1000000 characters",
    })
  })
})
