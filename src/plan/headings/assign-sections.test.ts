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
