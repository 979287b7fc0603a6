import { expect, test } from "bun:test"
import { markTask } from "../mark-task.ts"
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
  expect(messages).toContain(
    `No state is known for the marker [q]: ${says} A line such as \`Legend: [q] = done\` says what it means.`,
  )
})

test("what a marker of several rows means is said once, with the number of the others", () => {
  const { warnings } = parsePlan("- [q] a\n- [w] b\n- [q] c\n- [ ] d\n- [q] e\n")
  expect(warnings.map(({ line, message }) => [line, message.split(". ").at(-1)])).toEqual([
    [1, "So it is on 2 other lines."],
    [2, "A line such as `Legend: [w] = done` says what it means."],
  ])
  const told = parsePlan("Legend: [q] = done\n\n- [q] a\n- [ ] b\n")
  expect([told.tasks.map(({ state }) => state), told.warnings]).toEqual([["done", "open"], []])
})

test("a heading keeps its id behind a sign when it is marked", () => {
  const text =
    "#### ⭐ Task 1.1: A\ntext\n\n#### Task 1.2: B\ntext\n\n#### Task 1.3: C\n**Checklist**:\n- [ ] x\n"
  const [task] = parsePlan(text).tasks
  if (task === undefined) throw new Error("no task")
  expect(markTask(text, task, "done")).toMatchObject({ text: text.replace("⭐", "[x] ⭐") })
})
