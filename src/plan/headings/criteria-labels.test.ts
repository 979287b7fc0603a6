// What stands below a label such as `**Acceptance criteria:**`, told in one place for rows and for headings that are tasks.
import { expect, test } from "bun:test"
import { addLikeliest } from "../../../test/support/likeliest-boxes.ts"
import { parsePlan } from "../parse-plan.ts"
import { labelOn, rowsBelowLabel } from "./criteria-labels.ts"

test.each([
  ["**Acceptance criteria:**", "Acceptance criteria:"],
  ["__Done when__:", "Done when"],
  ["- **Verification:**", "Verification:"],
  ["**Steps**", "Steps"],
  ["Acceptance criteria:", "Acceptance criteria"],
  ["Acceptance criteria", null],
  ["**Status:** done", null],
  ["- [ ] **Verification:**", null],
  ["", null],
])("the words of the label %j are %j", (line, words) => {
  expect(labelOn(line)).toBe(words)
})

/** What the same label makes of the rows below it: under a heading that names a task, and at the margin beside rows that are tasks. */
const underTask = (label: string) => {
  const text = ["Dig", "Fill"].map(
    (word, at) =>
      `### Task ${at + 1}: ${word}\n- [ ] ${word} the pond\n${label}\n- [ ] ${word} a\n- [ ] ${word} b\n`,
  )
  return parsePlan(text.join("\n")).tasks.length === 2
}
const besideRows = (label: string) =>
  parsePlan(`# Pond\n- [ ] Dig\n- [ ] Fill\n\n${label}\n- [ ] Fish live\n`).tasks.length

test.each([
  { label: "**Acceptance criteria:**", kind: "never" },
  { label: "**Success criteria (all):**", kind: "never" },
  { label: "**Definition of Done**", kind: "never" },
  { label: "**Done when:**", kind: "never" },
  { label: "**验收标准**", kind: "never" },
  { label: "**Verification:**", kind: "checks" },
  { label: "**How to verify:**", kind: "checks" },
  { label: "**Steps:**", kind: "parts" },
  { label: "**Subtasks:**", kind: "parts" },
  { label: "**Checklist**", kind: "parts" },
  { label: "**Work:**", kind: null },
  { label: "**Notes:**", kind: null },
])("rows below $label are $kind", ({ label, kind }) => {
  expect(rowsBelowLabel(labelOn(label) ?? "")).toBe(kind as ReturnType<typeof rowsBelowLabel>)
  expect(underTask(label)).toBe(kind !== null)
  expect(besideRows(label)).toBe(3)
})

const TWO_LISTS = (label: string) =>
  `Goal:\nPolish it.\n\nTasks:\n\nA. Look\n1. Draw the header\n2. Add the footer\n\n${label}\n1. All is drawn.\n   wide\n2. No old path remains.\n`
const MORE = "\nB. Files\n1. Move the images\n2. Update the paths\n"

test.each([
  "Acceptance Criteria:",
  "Acceptance Criteria (must satisfy)",
  "**Acceptance Criteria:**",
  "**Acceptance Criteria (must satisfy)**",
  "**Definition of Done**",
])("a list behind %j gets no box, and is no work once all is settled", (label) => {
  const added = addLikeliest(TWO_LISTS(label), "PLAN.md")
  expect(added.ok && added.added.map(({ line }) => line)).toEqual([7, 8])
  const settled = added.ok ? added.text.replaceAll("[ ]", "[x]") : ""
  const { state, warnings } = parsePlan(settled)
  expect(state).toBe("complete")
  expect(warnings.filter(({ rule }) => rule !== "duplicate-label")).toEqual([])
})

test.each(["B. More", "We accept what is done.", "Steps:"])(
  "a list behind %j gets them",
  (label) => {
    const added = addLikeliest(TWO_LISTS(label), "PLAN.md")
    expect(added.ok && added.added).toHaveLength(4)
  },
)

test("behind another line they begin again", () => {
  const added = addLikeliest(TWO_LISTS("Acceptance Criteria:") + MORE, "PLAN.md")
  expect(added.ok && added.added.map(({ line }) => line)).toEqual([7, 8, 16, 17])
})

test.each([
  ...["**Cons**:", "Disadvantages:", "**Nachteile:**", "**Desventajas**", "**Inconvénients**:"],
  ...["**Минусы:**", "**Svantaggi**", "**缺点：**", "**デメリット**", "**Notes:**"],
])("what stands below %s is no work that is left, whatever its sign", (label) => {
  const rows = "- ❌ It is slow\n- ❌ It is dear\n"
  const text = `# P\n\n## Options\n\n${label}\n${rows}\n## Next steps\n\n1. [x] Dig\n2. [x] Fill\n`
  expect(parsePlan(text).warnings).toEqual([])
})

test("nor are the ids of requirements", () => {
  const text =
    "# P\n\n## Phase 1: Dig\n\n**Requirements:**\n- DIG-01\n- DIG-02\n\nPlans:\n- [x] 01-01 Dig it\n"
  expect(parsePlan(text).warnings).toEqual([])
})

test.each([
  ...["Done when", "**Acceptance:**", "Criterion 1", "Criterio", "Critério de aceitação"],
  ...["Hecho cuando", "Fertig, wenn", "Kriterium", "Critère d'acceptation", "Критерий приёмки"],
  ...["验收标准", "完了条件", "완료 조건", "Erledigt wenn", "Готово, когда"],
])("rows that begin with %s belong to the rows before them", (words) => {
  const judged = `- [ ] ${words.includes(":") ? words : `${words}:`} it holds\n`
  const text = `- [x] Dig\n${judged}- [ ] Fill\n${judged}`
  const { tasks, subItems, warnings } = parsePlan(text)
  expect(tasks.map(({ title }) => title)).toEqual(["Dig", "Fill"])
  expect(subItems.map(({ line }) => line)).toEqual([2, 4])
  expect(warnings.map(({ line, rule }) => [line, rule])).toEqual([[2, "open-below-done"]])
})

test.each([
  "- [ ] Dig\n- [ ] Fill\n- [ ] Acceptance: the client has seen it\n",
  "- [ ] Acceptance: one\n- [ ] Acceptance: two\n- [ ] Acceptance: three\n",
  "- [ ] Dig\n- [ ] Acceptance criteria editor\n- [ ] Fill\n",
])("a single one, and nothing but such rows, are tasks: %j", (text) => {
  expect(parsePlan(text).tasks).toHaveLength(3)
})

test.each(["Acceptance criteria:", "验收：", "验收 A："])(
  "rows with a box below a plain line %s are tasks like any",
  (label) => {
    const { tasks } = parsePlan(`- [x] Dig\n\n${label}\n- [ ] deep\n`)
    expect(tasks.map(({ title }) => title)).toEqual(["Dig", "deep"])
  },
)
