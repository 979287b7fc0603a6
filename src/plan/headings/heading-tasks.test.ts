import { expect, test } from "bun:test"
import { parsePlan } from "../parse-plan.ts"
import { nextStep } from "./heading-tasks.ts"

const step = (line: number, optional: boolean, state: "open" | "done" = "open") => ({
  line,
  title: "a",
  state,
  marker: "",
  optional,
})

test("the next step of a heading is its first required one, else its first of all", () => {
  const next = (...steps: ReturnType<typeof step>[]) => nextStep({ steps })?.line ?? null
  expect(next(step(1, true), step(2, false), step(3, false))).toBe(2)
  expect(next(step(1, true), step(2, true))).toBe(1)
  expect(next(step(1, true, "done"), step(2, true))).toBe(2)
  expect(next()).toBeNull()
})

test.each([
  { text: "- [q] 1. A\n- [x] 2. B\n", says: "the task counts as open and is not run." },
  {
    text: "### Task 1: A\n\n- [ ] Step 1: a\n- [q] Step 2: b\n\n### Task 2: B\n\n- [ ] Step 1: c\n",
    says: "the step counts as open.",
  },
])("a marker that nobody knows is named, and what it makes of its row: $says", ({ text, says }) => {
  const messages = parsePlan(text).warnings.map(({ message }) => message)
  expect(messages).toContain(`No state is known for the marker [q]: ${says}`)
})
