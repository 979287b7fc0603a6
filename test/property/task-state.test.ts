import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { encode } from "gpt-tokenizer/encoding/o200k_base"
import { decodeCompaction } from "../../src/boulder/decode-compaction.ts"
import {
  boundedTaskState,
  isEmptyTaskState,
  parseTaskState,
  printTaskState,
  type TaskState,
} from "../../src/boulder/task-state.ts"
import { compactionPrompt } from "../../src/prompts/compaction-text.ts"
import { taskStateText } from "../../src/prompts/task-state-text.ts"
import { LEAD } from "../support/builders.ts"
import {
  aStoredTaskState,
  aTaskState,
  compactionAnswer,
  MAX_FIELD_CHARS,
  MAX_ITEM_CHARS,
  MAX_ITEMS,
} from "../support/task-states.ts"

const CASES = 400

const word = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.constantFrom(
    "{",
    "}",
    '"',
    "\\",
    '{"task_state":',
    "</boulder>",
    "\n",
    "\u0000",
    "🚀",
    "\ud83d",
  ),
)
const text = fc.array(word, { maxLength: 120 }).map((words) => words.join(""))
const list = fc.array(text, { maxLength: 40 })
const state: fc.Arbitrary<TaskState> = fc.record({
  goal: text,
  progress: list,
  open_items: list,
  next_step: text,
  blockers: list,
  key_artifacts: list,
  decisions: list,
  user_constraints: list,
})
const notEmpty = state.filter((given) => !isEmptyTaskState(boundedTaskState(given)))
const FIELDS = Object.keys(aTaskState()) as (keyof TaskState)[]

const check = <Given>(given: fc.Arbitrary<Given>, holds: (given: Given) => void) =>
  fc.assert(fc.property(given, holds), { numRuns: CASES })

function expectItems(items: readonly string[]): void {
  expect(items.length).toBeLessThanOrEqual(MAX_ITEMS)
  expect(new Set(items).size).toBe(items.length)
  expect(items).not.toContain("")
  expectTexts(items, MAX_ITEM_CHARS)
}

function expectTexts(texts: readonly string[], maxChars: number): void {
  for (const text of texts) {
    expect(text.length).toBeLessThanOrEqual(maxChars)
    expect(text.trim()).toBe(text)
    expect(text.isWellFormed()).toBe(true)
  }
}

describe("the bounds of a task state", () => {
  test("hold for every state, and a bounded state is left as it is", () =>
    check(state, (given) => {
      const bounded = boundedTaskState(given)
      const { goal, next_step, ...lists } = bounded
      expectTexts([goal, next_step], MAX_FIELD_CHARS)
      Object.values(lists).forEach(expectItems)
      expect(boundedTaskState(bounded)).toEqual(bounded)
    }))

  test("hold on save and on load: what is written is read as it was written", () =>
    check(state, (given) => {
      const stored = aStoredTaskState({ task_state: given })
      const read = parseTaskState(printTaskState(stored), LEAD)
      expect(read).toEqual({ stored: { ...stored, task_state: boundedTaskState(given) } })
      expect(parseTaskState(JSON.stringify(stored), LEAD)).toEqual(read)
    }))
})

/** One field gone, null, of another type, or one more: nothing else is changed. */
const damage = fc.oneof(
  fc.constantFrom(...FIELDS).map((field) => (one: TaskState) => {
    const { [field]: _, ...rest } = one
    return rest
  }),
  fc
    .tuple(fc.constantFrom(...FIELDS), fc.constantFrom(null, 1, true, {}, [1], [null]))
    .map(([field, value]) => (one: TaskState) => ({ ...one, [field]: value })),
  fc
    .tuple(
      fc.string().filter((key) => !Object.hasOwn(aTaskState(), key)),
      fc.constantFrom(null, "", [], {}),
    )
    .map(
      ([key, value]) =>
        (one: TaskState) =>
          Object.fromEntries([...Object.entries(one), [key, value]]),
    ),
)

describe("strictness", () => {
  test("a state that differs in any one field's form is neither read nor decoded", () =>
    check(fc.tuple(notEmpty, damage), ([given, damaged]) => {
      const task_state = damaged(given)
      const file = JSON.stringify({ ...aStoredTaskState(), task_state })
      expect(parseTaskState(file, LEAD)).toHaveProperty("problem")
      const answer = JSON.stringify({ task_state, display_summary: "x" })
      expect(decodeCompaction(answer)).toMatchObject({ kind: "refused", reason: "not-strict" })
    }))
})

const noise = fc
  .array(fc.oneof(word, fc.constantFrom("```json\n", '{"goal": "', "function () { return {} }")))
  .map((parts) => parts.join(""))

describe("the scan", () => {
  test("finds the object in any noise", () =>
    check(fc.tuple(noise, notEmpty, noise), ([before, given, after]) => {
      const answer = decodeCompaction(`${before}${compactionAnswer(given)}\n${after}`)
      expect(answer).toMatchObject({ kind: "decoded", taskState: boundedTaskState(given) })
    }))

  test("refuses the object cut off anywhere", () =>
    check(fc.tuple(notEmpty, fc.double({ min: 0, max: 1, noNaN: true })), ([given, share]) => {
      const whole = compactionAnswer(given)
      const cut = whole.slice(0, Math.floor(share * (whole.length - 1)))
      expect(decodeCompaction(cut).kind).toBe("refused")
    }))
})

describe("the state in the prompt", () => {
  test("takes at most 1,200 tokens, stands in one frame, and is the same for the same state", () =>
    check(state, (given) => {
      const bounded = boundedTaskState(given)
      const shown = taskStateText(bounded, LEAD)
      expect(encode(shown).length).toBeLessThanOrEqual(1_200)
      expect(shown.match(/<\/?boulder>/g)).toEqual(["<boulder>", "</boulder>"])
      expect(taskStateText(structuredClone(bounded), LEAD)).toBe(shown)
    }))

  test("is asked for with itself to the letter", () =>
    check(state, (given) => {
      const bounded = boundedTaskState(given)
      const line = compactionPrompt(bounded, null).split("\n").at(-2) ?? ""
      expect(JSON.parse(line)).toEqual({ task_state: bounded })
    }))
})
