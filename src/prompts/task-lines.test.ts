import { expect, test } from "bun:test"
import { V1_WORDS } from "../opencode/host/v1/v1-words.ts"
import { parsePlan } from "../plan/parse-plan.ts"
import { howToWork } from "./how-to-work.ts"
import { taskLines } from "./task-lines.ts"

const PLAN =
  "### Task 1: Light the lamp\n- [x] Step 1: Wire it\n- [ ] Step 2: Test it\n### Task 2: Dim it\n- [ ] Step 1: Ask"

test("a heading that is a task is shown with the step that comes next, the first of the window alone", () => {
  expect(taskLines(parsePlan(PLAN).tasks)).toEqual([
    '- task:1 "Light the lamp" (lines 1-3), next "Step 2: Test it" (line 3)',
    '- task:2 "Dim it" (lines 4-5)',
  ])
})

test("it is settled by all its boxes", () => {
  const { next } = parsePlan(PLAN)
  expect(howToWork(next ?? undefined, "by-hand", V1_WORDS)).toContain(
    "then tick all its boxes in the plan",
  )
})
