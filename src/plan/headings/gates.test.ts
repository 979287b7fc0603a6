// A gate is a thing to be built; gates, where a heading says no more, are what work is judged by.
import { expect, test } from "bun:test"
import { parsePlan } from "../parse-plan.ts"

const titles = (path: string, text: string) =>
  parsePlan(text, { path }).tasks.map(({ title }) => title)

test("OpenSpec: numbered tasks below `## 2. Approval gate` are tasks", () => {
  const text = "## 1. Setup\n- [x] 1.1 a\n\n## 2. Approval gate\n- [ ] 2.1 Add the button\n"
  expect(titles("openspec/changes/add-x/tasks.md", text)).toEqual(["a", "Add the button"])
})

test("spec-kit: so are those of a phase and of a story about a gate", () => {
  const text =
    "# Tasks: X\n\n## Phase 1: Setup\n- [x] T001 a\n\n## Phase 3: User Story 1 - Approval gate (Priority: P1)\n- [ ] T003 [US1] Add button\n\n## Phase 4: Quality gates\n- [ ] T004 Add coverage\n"
  expect(titles("specs/001-x/tasks.md", text)).toHaveLength(3)
})

test("omo: and a numbered row below a subheading of TODOs", () => {
  const text = "# X\n\n## TODOs\n- [x] 1. a\n\n### Approval gate\n- [ ] 2. Add the button\n"
  expect(titles(".omo/plans/x.md", text)).toEqual(["a", "Add the button"])
})

test("a heading that asks for a gate is work", () => {
  const text =
    "# P\n\n## 1. Setup\n- [x] a\n\n## 2. Implement the review gate\n- [ ] Add the endpoint\n\n## 3. Release\n- [x] c\n"
  expect(titles("plans/x.md", text)).toEqual(["a", "Add the endpoint", "c"])
})
