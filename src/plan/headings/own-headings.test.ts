import { expect, test } from "bun:test"
import { addLikeliest } from "../../../test/support/likeliest-boxes.ts"

const offered = (text: string) => {
  const boxes = addLikeliest(text, "plan.md")
  return boxes.ok ? boxes.added.map(({ line }) => line) : []
}

const TASKS = "### Task 1: Dig\n\nDeep.\n\n### Task 2: Fill\n\nSlowly.\n"

test.each(["Overview", "Background", "Project goals", "Goals and context", "概要", "Hintergrund"])(
  "tasks a level too deep below %s are the plan's",
  (heading) => {
    expect(offered(`# Pond\n\n## ${heading}\n\nWater.\n\n${TASKS}`)).toEqual([7, 11])
    expect(offered(`# Pond\n\n## ${heading}\n\nWater.\n\n${TASKS}\n## Notes\n\nx\n`)).toEqual([
      7, 11,
    ])
    const stepped = TASKS.replaceAll("Task", "Step")
    expect(offered(`# Pond\n\n## ${heading}\n\nWater.\n\n${stepped}`)).toEqual([7, 11])
  },
)

test.each(["Findings", "Decisions", "Verification", "Risks", "Overview of risks"])(
  "those below %s are none",
  (heading) => {
    expect(offered(`# Pond\n\n## ${heading}\n\nWater.\n\n${TASKS}`)).toEqual([])
  },
)

test.each([
  { name: "phases", work: "## Phase 1: Dig\n\nx\n\n## Phase 2: Fill\n\nx\n", lines: [13, 17] },
  { name: "a heading of work", work: "## Steps\n\n1. Dig it\n2. Fill it\n", lines: [15, 16] },
])("an overview of $name that follow names no work", ({ work, lines }) => {
  const text = `# Pond\n\n## Overview\n\n### Phase 1: Dig\n\nx\n\n### Phase 2: Fill\n\nx\n\n${work}`
  expect(offered(text)).toEqual([...lines])
})

test.each([
  ...["Implementation plan (root cause)", "Steps (risks)", "Umsetzung (Root-Cause-Fix)"],
  ...["Tasks (overview and goals)", "Plan (notes)"],
])("a remark does not make %s tell of no work", (heading) => {
  const work = "### 1) Reed\n\n- x\n\n### 2) Wall\n\n- y\n"
  expect(offered(`# Pond\n\n## ${heading}\n\n${work}`)).toEqual([5, 9])
  expect(offered(`# Pond\n\n## ${heading}\n\n1. The reed\n2. The wall\n\n## Files\n- a\n`)).toEqual(
    [5, 6],
  )
})

test("a translation and a state do", () => {
  const text = (heading: string) => `# Pond\n\n## ${heading}\n\n1. The reed\n2. The wall\n`
  expect(offered(text("검증 계획 (Verification plan)"))).toEqual([])
  const boxes = addLikeliest(text("Steps (done)"), "plan.md")
  expect(boxes.ok && boxes.text).toContain("1. [x] The reed")
})

test.each(["Wave", "Sprint", "Phase"])("a %s of checks among others is one of the work", (unit) => {
  const tasks = (at: number) => `### Task ${at}.1 — A\n\nx\n\n### Task ${at}.2 — B\n\nx\n\n`
  const text = `# Pond\n\n## ${unit} 1 — Dig\n\n${tasks(1)}## ${unit} 2 — Docker & Verification (final)\n\n${tasks(2)}`
  expect(offered(text)).toEqual([5, 9, 15, 19])
})
