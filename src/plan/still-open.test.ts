import { expect, test } from "bun:test"
import { addBoxes } from "./boxes/add-boxes.ts"
import { parsePlan } from "./parse-plan.ts"

/** Forms that shorter readers ended as complete with work left, or never ended; an adversary wrote them. */
const read = (text: string) => parsePlan(`# P\n\n${text}`, { path: "plans/p.md" })

/** Two headings that say complete, and a third without a status. */
const headings = (numbers: readonly string[]) =>
  `## ${numbers.join(": A\n**Status:** complete\n\n## ")}: C\n\nText\n`

test.each([
  { form: "a row in bold, box and all", text: "- [x] 1. one\n- [x] 2. two\n- **[ ] 3. three**\n" },
  { form: "a box in bold", text: "- [x] one\n- **[ ]** three\n" },
  { form: "a heading in a list item", text: "- [x] one\n- [x] two\n- ### [ ] three\n" },
  {
    form: "bare boxes, those of the second phase indented",
    text: "## Phase 1\n\n[x] one\n[x] two\n\n## Phase 2\n\n  [ ] three\n  [ ] four\n",
  },
  {
    form: "a third phase, in Roman numbers",
    text: headings(["Phase I", "Phase II", "Phase III"]),
  },
  { form: "a third stage, in words", text: headings(["Stage One", "Stage Two", "Stage Three"]) },
  { form: "a third step", text: headings(["Step 1", "Step 2", "Step 3"]) },
  { form: "a third sprint", text: headings(["Sprint 1", "Sprint 2", "Sprint 3"]) },
  {
    form: "a third number",
    text: "### 1. Dig\nStatus: ✅ Done\n\n### 2. Fill\nStatus: ✅ Done\n\n### 3. Plant\n\nText\n",
  },
])("work is left in a plan with $form", ({ text }) => {
  expect(read(text).state).toBe("open")
})

test("rows below a part without phases are tasks, beside parts that have some", () => {
  const parts = "# A\n\n## Phase 1\n- [x] a\n## Phase 2\n- [x] b\n\n# B\n\n## Phase 1\n- [x] c\n\n"
  expect(read(`${parts}# C\n\n- [ ] d\n- [ ] e\n`).state).toBe("open")
})

test("rows without boxes that count on from rows with boxes are said", () => {
  const { warnings } = read("## Backend\n\n1. [x] a\n2. [x] b\n\n## Frontend\n\n3. c\n4. d\n")
  expect(warnings.map(({ rule }) => rule)).toContain("rows-without-box")
})

test("a legend of two rows is no work", () => {
  const legend = "---\nLegend:\n- [ ] = pending\n- [x] = complete\n"
  expect(read(`## Tasks\n- [x] a\n- [x] b\n\n${legend}`).state).toBe("complete")
})

test.each(["1. Dig: done", "- Dig · done", "- Dig [x]"])(
  "%s gets a tick where boxes are written",
  (line) => {
    const added = addBoxes(
      `# P\n\n## Tasks\n\n${line}\n${line.replace("1.", "2.")}\n`,
      "p.md",
      "5-6",
    )
    expect(
      added.ok &&
        added.text
          .split("\n")
          .slice(4, 6)
          .every((row) => row.includes("[x] Dig")),
    ).toBe(true)
  },
)
