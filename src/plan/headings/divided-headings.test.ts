// Headings whose rows stand below labels or headings that say what a task is divided into, or judged by.
import { expect, test } from "bun:test"
import { markedPlan, shownPlan } from "../../../test/support/shown-plan.ts"
import { parsePlan } from "../parse-plan.ts"

const part = (heading: string, name: string, label: string) =>
  `${heading}\n**Owner**: Ann\n\n${label}\n- [x] ${name} a\n- [ ] ${name} b\n\n**Goals:**\n- [ ] ${name} c\n\n`

test.each([
  { label: "**Subtasks:**" },
  { label: "#### Subtasks" },
  { label: "#### Sub-tasks:" },
  { label: "**Checklist:**" },
  { label: "#### Implementation steps" },
  { label: "**子任务**:" },
])("rows below $label are parts of the task above, and so is what stands beside them", (each) => {
  const text = `# Pond\n\n${part("### Task 1: Dig", "d", each.label)}${part("### Task 2: Fill", "f", each.label)}`
  expect(shownPlan(text)).toEqual(["open", "Dig in_progress", "Fill in_progress"])
  expect(parsePlan(text).tasks.map(({ steps }) => steps?.length)).toEqual([3, 3])
  expect(markedPlan(text, "task:1", "done")).toBe(
    text.replace("[ ] d b", "[x] d b").replace("[ ] d c", "[x] d c"),
  )
})

test.each([
  { one: "### 1. Dig", two: "### 2. Fill", labels: ["1", "2"] },
  { one: "## §1.1. Dig", two: "## §1.2. Fill", labels: ["1.1", "1.2"] },
  { one: "### WP-001: Dig", two: "### WP-002: Fill", labels: ["WP-001", "WP-002"] },
  { one: "### P1-S2-T01: Dig", two: "### P1-S2-T02: Fill", labels: ["P1-S2-T01", "P1-S2-T02"] },
])("headings such as $one are the tasks where all their rows are parts or criteria", (each) => {
  const text = `# Pond\n\n## 0. Rules\n\nWords.\n\n${each.one}\n\n**Acceptance criteria:**\n- [x] deep\n\n${each.two}\n\n**Exit criteria:**\n- [ ] full\n- [ ] clear\n`
  expect(shownPlan(text)).toEqual(["open", "Dig done", "Fill open"])
  expect(parsePlan(text).tasks.map(({ label }) => label)).toEqual([...each.labels])
  const parts = text.replaceAll(/\*\*(?:Acceptance|Exit) criteria:\*\*/g, "#### Subtasks:")
  expect(shownPlan(parts)).toEqual(["open", "Dig done", "Fill open"])
})

test("boxes nested below the numbered rows of Subtasks are steps as well", () => {
  const of = (id: string, name: string) =>
    `### ${id}: ${name}\n**Priority**: high\n\n#### Subtasks:\n1. **Think** (an hour)\n   - [x] ${name} a\n\n2. **Do** (a day)\n   - [ ] ${name} b\n\n#### Dependencies:\n- none\n\n`
  const text = `# Pond\n\n${of("AT-1", "Dig")}${of("AT-2", "Fill")}## Notes\n- be fast\n`
  expect(shownPlan(text)).toEqual(["open", "Dig in_progress", "Fill in_progress"])
})

test("one such heading with other rows is a task among the others", () => {
  const of = (number: string, label: string) =>
    `### §${number}. Part ${number}\n\n**Acceptance criteria:**\n${label}- [ ] ${number} a\n- [ ] ${number} b\n\n`
  const text = `# Pond\n\n${of("1.1", "")}${of("1.2", "\n**Way A:**\n")}${of("1.3", "")}`
  expect(parsePlan(text).tasks.map(({ label }) => label)).toEqual(["1.1", "1.2", "1.3"])
})

test("numbered headings around those that are tasks look like none", () => {
  const of = (id: string) => `### ${id}: Dig ${id}\n\n#### Subtasks:\n- [ ] ${id} a\n\n`
  const text = `# Pond\n\n## 0. Found\n\nWords.\n\n## 1. Changes\n\nWords.\n\n## 2. Work\n\n${of("AT-1")}${of("AT-2")}## 3. Flow\n\nWords.\n\n## 4. Undo\n\nWords.\n`
  expect([shownPlan(text), parsePlan(text).warnings.map(({ rule }) => rule)]).toEqual([
    ["open", "Dig AT-1 open", "Dig AT-2 open"],
    ["rows-without-box"],
  ])
})

test.each([
  ...[
    "**Checklist de implementación:**",
    "**Pasos:**",
    "**Passos de implementação:**",
    "**Étapes :**",
  ],
  ...["**Schritte:**", "**Шаги:**", "**步骤：**", "**実装手順**", "**단계:**", "**Steps:**"],
])("rows below %s of each task are its steps", (label) => {
  const task = (number: number) =>
    `### Task ${number}: T${number}\n\n${label}\n\n- [ ] a${number}\n- [ ] b${number}\n\n`
  const { tasks } = parsePlan(`# P\n\n${task(1)}${task(2)}`)
  expect(tasks.map(({ title, steps }) => [title, steps?.length])).toEqual([
    ["T1", 2],
    ["T2", 2],
  ])
})

test("a task whose parts are numbered headings with criteria of their own is one like those beside it", () => {
  const criteria = "**Acceptance**:\n- [ ] c\n- [ ] d\n\n"
  const text = `# P\n\n### Task 1.1: A\n${criteria}### Task 2.1: B\n#### 2.1.1 X\n${criteria}#### 2.1.2 Y\n${criteria}### Task 2.2: C\n${criteria}`
  const { tasks, warnings } = parsePlan(text)
  expect(tasks.map(({ title, steps }) => [title, steps?.length])).toEqual([
    ["A", 2],
    ["B", 4],
    ["C", 2],
  ])
  expect(warnings).toEqual([])
})

test.each(["Story", "Task"])(
  "numbers that state their state below %s 1 are tasks, not parts",
  (word) => {
    const text = `# P\n\n## ${word} 1: A\n### 1.1 X\n**Status:** Done\n\n### 1.2 Y\n**Status:** Not started\n\n## ${word} 2: B\n### 2.1 Z\n**Status:** Not started\n`
    const { tasks } = parsePlan(text)
    expect(tasks.map(({ key, state }) => `${key} ${state}`)).toEqual([
      "task:1.1 done",
      "task:1.2 open",
      "task:2.1 open",
    ])
  },
)

test("numbers with criteria are tasks again once one beside them states its state", () => {
  const part = (number: string, status = "") =>
    `### ${number}\n${status}**Acceptance:**\n- [ ] ${number} works\n- [ ] ${number} is seen\n\n`
  const text = (status: string) =>
    `# P\n\n## Task 1: A\n${part("1.1 X", status)}${part("1.2 Y")}## Task 2: B\n${part("2.1 Z")}`
  const titles = (status: string) => parsePlan(text(status)).tasks.map(({ title }) => title)
  expect(titles("")).toEqual(["A", "B"])
  expect(titles("**Status:** Done\n")).toEqual(expect.arrayContaining(["X", "Y"]))
})
