// Which sections are read: what a warning says of them is true.
import { expect, test } from "bun:test"
import { shownPlan } from "../../../test/support/shown-plan.ts"
import { parsePlan } from "../parse-plan.ts"

test("the criteria of Backlog.md stay tasks beside a longer implementation plan", () => {
  const text =
    "---\nid: task-3\ntitle: Y\nstatus: To Do\ncreated_date: '2026-01-01'\n---\n\n## Acceptance Criteria\n- [ ] #1 a\n- [ ] #2 b\n\n## Implementation Plan\n- [x] 1. x\n- [x] 2. y\n- [x] 3. z\n"
  const options = { path: "backlog/tasks/task-3 - Y.md" }
  expect(shownPlan(text, options)).toEqual([
    "open",
    "a open",
    "b open",
    "x done",
    "y done",
    "z done",
  ])
  expect(parsePlan(text, options).warnings.map(({ rule }) => rule)).toEqual(["joined-sections"])
})

test("where common sections are read too, what stands outside of them is said, and not that all is read", () => {
  const text = "## TODOs\n- [x] a\n## Phase 1\n- [x] b\n- [x] c\n## Extra\n- [ ] d\n"
  const { warnings } = parsePlan(text, { path: ".omo/plans/a.md" })
  expect(warnings.map(({ line, rule }) => [line, rule])).toEqual([
    [1, "joined-sections"],
    [7, "outside-rows"],
  ])
})

test("the columns of a board are read beside its column Todo", () => {
  const text =
    "## Todo\n- [x] a\n- [x] b\n\n## 🚧 In Progress\n- [ ] c\n\n## Done\n- [x] d\n\n## Blocked\n- [ ] e\n"
  const { tasks, warnings } = parsePlan(text)
  expect(tasks.map(({ title }) => title)).toEqual(["a", "b", "c", "d"])
  expect(warnings.map(({ line, rule }) => [line, rule])).toEqual([[12, "outside-rows"]])
})
