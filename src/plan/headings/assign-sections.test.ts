import { expect, test } from "bun:test"
import { parsePlan } from "../parse-plan.ts"

const WORK = "- [ ] 1. Dig\n- [ ] 2. Fill\n"
const WAVE = "## Final Verification Wave\n- [ ] F1. Look\n- [ ] F2. Measure\n- [ ] F3. Ask\n"
const PATH = ".sisyphus/plans/pond.md"

/** Headings that CommonMark does not know, or that we do not. */
const misspelled = ["---## TODOs", "--- ## TODOs", "##TODOs", "    ## TODOs", "**TODOs**", "TODOs:"]

test.each([...misspelled, "## Work", "## Verification strategy\n\n##TODOs"])(
  "a final wave is never the whole: %j",
  (heading) => {
    const { tasks, next, warnings } = parsePlan(
      `# Pond\n## Work Objectives\n### Must Have\n- water\n\n${heading}\n\n${WORK}\n${WAVE}`,
      { path: PATH },
    )
    const keys = ["task:1", "task:2", "final-wave:f1", "final-wave:f2", "final-wave:f3"]
    expect(tasks.map(({ key }) => key)).toEqual(keys)
    expect(next?.key ?? null).toBe("task:1")
    expect(warnings).toEqual([])
  },
)

test("what stands behind a wave is not reviewed by it", () => {
  const { tasks, warnings } = parsePlan(`${WAVE}## Later\n- [ ] Paint\n`, { path: PATH })
  expect(tasks.map(({ section }) => section)).toEqual(Array(3).fill("final-wave"))
  expect(warnings.map(({ rule }) => rule)).toEqual(["outside-rows"])
})

test.each(["## TODOs", "##TODOs"])(
  "reviews of work that has no box do not outweigh it: %j",
  (heading) => {
    const { warnings } = parsePlan(`# Pond\n\n${heading}\n\n1. Dig\n2. Fill\n\n${WAVE}`, {
      path: PATH,
    })
    expect(warnings.map(({ rule }) => rule)).toContain("rows-without-box")
  },
)

test.each([
  { heading: "Integration tests", id: "T003", is: ["t001", "t002", "t003"] },
  { heading: "Integration tests", id: "T004", is: ["t001", "t002"] },
  { heading: "Integration tests", id: "X003", is: ["t001", "t002"] },
  { heading: "Acceptance criteria", id: "T003", is: ["t001", "t002"] },
])("a row $id below $heading is a task where it goes on behind one", ({ heading, id, is }) => {
  const text = `## Backend Tasks\n- [ ] T001 a\n- [ ] T002 b\n## ${heading}\n- [ ] ${id} c\n`
  const { tasks, warnings } = parsePlan(text, { path: "specs/001-x/tasks.md" })
  expect(tasks.map(({ label }) => label?.toLowerCase() ?? "")).toEqual([...is])
  expect(warnings.some(({ rule }) => rule === "series-section")).toBe(is.length > 2)
})

test("plans of a GSD phase that has no row are tasks, and that is said", () => {
  const text =
    "# Roadmap\n\n## Phases\n- [x] **Phase 1: A** - a\n- [ ] **Phase 2: B** - b\n\n## Phase Details\n\n### Phase 01.1: C (INSERTED)\n**Plans:** 1/1 plans complete\n\nPlans:\n- [ ] 01.1-01-PLAN.md -- c\n"
  const { tasks, warnings } = parsePlan(text, { path: ".planning/ROADMAP.md" })
  expect(tasks.map(({ label }) => label)).toEqual(["1", "2", "01.1-01"])
  expect(warnings.map(({ message }) => message)).toEqual([
    'Rows below "Phase 01.1: C (INSERTED)" are read as tasks too, since no row stands for their phase.',
  ])
})
