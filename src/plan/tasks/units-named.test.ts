// What the name of a unit says: a word in it never makes the unit a part of a document, all of its words may.
import { expect, test } from "bun:test"
import { addLikeliest } from "../../../test/support/likeliest-boxes.ts"
import { parsePlan } from "../parse-plan.ts"

const planOf = (heading: string, box = " ") =>
  `# P\n\n## Setup\n\n- [${box}] A backup\n\n## Phase 1: Structure\n\n### 1. Create the config\n\n### 2. Move the trait\n\n### 3. Add a test\n\n## ${heading}\n\n### 4. Write the builder\n\n### 5. Reuse the types\n`
const offered = (text: string) => {
  const boxed = addLikeliest(text, "PLAN.md")
  return boxed.ok ? boxed.added.map(({ line }) => line) : []
}

test.each([
  "Phase 2: Dependency Alignment & Dead Code Removal",
  "Phase 2: Risk engine",
  "Phase 2 — Notes API",
  "Phase 2: Testing",
  "Phase 2. Requirements parser",
  "Phase II: Workflow engine",
  "Week 2: Commands and rules",
  "Stage 2 - Process manager",
])("headings below %s are said and offered as those below the unit before", (heading) => {
  for (const box of [" ", "x"]) {
    const text = planOf(heading, box)
    expect(offered(text)).toEqual([9, 11, 13, 17, 19])
    const [warning] = parsePlan(text).warnings.filter(({ rule }) => rule === "rows-without-box")
    expect(warning?.message).toStartWith("5 lines without a box")
  }
})

test("rows below a unit whose name has such a word are said as below any other", () => {
  const text =
    "# P\n\n## Phase 1: A\n\n- [x] a\n\n## Phase 2: Risk engine\n\n1. Write b\n2. Add c\n"
  expect(offered(text)).toEqual([9, 10])
  expect(offered(text.replace("Risk engine", "Risks"))).toEqual([7])
})

test("bullets that tell how a unit stands are none of what is left beside tasks: their heading is", () => {
  const text =
    "# P\n\n## In Progress\n\n### Task 1: E2E Tests\n\n- 68/78 pass\n- 10 failures\n\n### Task 2: B\n\n- [x] b\n"
  for (const name of ["E2E Tests", "E2E"]) {
    expect(offered(text.replace("E2E Tests", name))).toEqual([5])
  }
  expect(offered(text.replace("Task 1: E2E Tests", "Login"))).toEqual([5])
})

test.each([
  "Phase 2: Risks",
  "Phase 2: Goals and scope",
  "Phase 2: Out of scope",
  "Phase 2: Base (done)",
  "Option 2: Dependency graph",
  "Risk 2: Notes API",
  "Risk engine",
  "Dependencies",
  "Acceptance criteria",
])("headings below %s are none", (heading) => {
  expect(offered(planOf(heading))).toEqual([9, 11, 13])
})

test.each([
  ["Update dependencies", [9, 11, 13]],
  ["Extract process manager", [9, 11, 13]],
  ["Write the commands", [9, 11, 13]],
  ["Build process", [9, 11, 13]],
  ["Dependency alignment", [9, 11, 13]],
  ["Migration strategy", [9, 11, 13]],
  ["Dependencies", [9, 13]],
  ["Conventions", [9, 13]],
  ["启动流程", [9, 13]],
])("of the numbered heading 2. %s the boxes go to lines %p", (words, lines) => {
  const text = `# P\n\n## Setup\n\n- [x] a\n\n## Work\n\n### 1. Create b\n\n### 2. ${words}\n\n### 3. Move c\n`
  expect(offered(text)).toEqual(lines)
})
