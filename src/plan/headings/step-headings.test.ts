import { describe, expect, test } from "bun:test"
import { markedPlan, shownPlan } from "../../../test/support/shown-plan.ts"
import type { MarkState } from "../check-marked.ts"
import { nextStep } from "../headings/heading-tasks.ts"
import { markTask } from "../mark-task.ts"
import { matchTasks } from "../match-tasks.ts"
import { parsePlan } from "../parse-plan.ts"

/** Key, state and lines of each task; then sub-items, and what was left out. */
function read(text: string, path?: string): string[] {
  const plan = parsePlan(text, path === undefined ? {} : { path })
  return [
    ...plan.tasks.map(({ key, state, line }) => `${key} ${state} ${line}`),
    ...plan.subItems.map(({ line, parentKey }) => `sub ${line} of ${parentKey}`),
    ...plan.warnings.map(({ line, rule }) => `! ${line} ${rule}`),
  ]
}

const STEPS = "- [ ] **Step 1: a**\n- [ ] **Step 2: b**"

describe("a heading is the task where its rows are steps", () => {
  test.each([
    {
      name: "called Step",
      text: `### Task 1: A\n${STEPS}`,
      is: ["task:1 open 1", "sub 2 of task:1", "sub 3 of task:1"],
    },
    {
      name: "and its id stands in brackets",
      text: "## [T-005] A\n- status: done\n- acceptance:\n  - [x] a\n## **[T-006]** B\n- status: todo\n- acceptance:\n  - [ ] b\n## [T-007] C\n- status: todo",
      is: [
        "task:t-005 done 1",
        "task:t-006 open 5",
        "task:t-007 open 9",
        "sub 4 of task:t-005",
        "sub 8 of task:t-006",
      ],
    },
    {
      name: "that count anew",
      text: "## Task 1 — A\n- [x] 1. a\n- [ ] 2. b\n## Task 2 — B\n- [ ] 1. c",
      is: [
        "task:1 in_progress 1",
        "task:2 open 4",
        "sub 2 of task:1",
        "sub 3 of task:1",
        "sub 5 of task:2",
      ],
    },
    {
      name: "numbered by their list",
      text: "### Story 1. A\n1. [x] a\n2. [x] b\n### Story 2. B\n1. [ ] c",
      is: [
        "task:1 done 1",
        "task:2 open 4",
        "sub 2 of task:1",
        "sub 3 of task:1",
        "sub 5 of task:2",
      ],
    },
    {
      name: "below deeper headings",
      text: "## Task 1: A\n### Red\n- [x] Step 1: a\n### Green\n- [-] Step 2: b\n## Task 2: B",
      is: [
        "task:1 done 1",
        "task:2 open 6",
        "sub 3 of task:1",
        "sub 5 of task:1",
        "! 6 headings-without-box",
      ],
    },
    {
      name: "of a phase, counted anew",
      text: "## Phase 1: A\n- [x] 1. a\n- [x] 2. b\n## Phase 2: B\n- [ ] 1. c",
      is: [
        "task:1 done 1",
        "task:2 open 4",
        "sub 2 of task:1",
        "sub 3 of task:1",
        "sub 5 of task:2",
      ],
    },
    {
      name: "in other languages",
      text: "### 任务1：A\n- [x] 步骤 1：a\n### 任务2：B\n- [ ] **步骤 1：b**",
      is: ["task:1 done 1", "task:2 open 3", "sub 2 of task:1", "sub 4 of task:2"],
    },
    {
      name: "in phases of a task",
      text: "## Task 1: A\n### Phase 1\n- [x] Step 1: a\n### Phase 2\n- [ ] Step 2: b",
      is: ["task:1 in_progress 1", "sub 3 of task:1", "sub 5 of task:1"],
    },
    {
      name: "with emoji and numbers around its words",
      text: `### ✅ 1. **Task 1: A** 🎉\n${STEPS}`,
      is: ["task:1 open 1", "sub 2 of task:1", "sub 3 of task:1"],
    },
  ])("$name", ({ text, is }) => {
    expect<readonly string[]>(read(text)).toEqual(is)
  })

  test.each([
    {
      name: "without numbers",
      text: "### Task 1.1: A\n- [ ] a\n- [ ] b\n### Task 1.2: B\n- [x] c",
      rows: 3,
    },
    {
      name: "that go on counting",
      text: "### Task 1: A\n- [ ] 1. a\n### Task 2: B\n- [ ] 2. b",
      rows: 2,
    },
    {
      name: "numbered by the list of a phase",
      text: "### Phase 1: A\n1. [ ] a\n### Phase 2: B\n1. [ ] b\n2. [ ] c",
      rows: 3,
    },
    {
      name: "dotted below a group",
      text: "### Task 1: A\n- [ ] 1.1 a\n### Task 2: B\n- [ ] 2.1 b",
      rows: 2,
    },
    { name: "below the title of a plan", text: `# Task 7: A\n${STEPS}`, rows: 2 },
    { name: "below what is no task's name", text: `### Tasks\n${STEPS}`, rows: 2 },
  ])("rows are the tasks $name", ({ text, rows }) => {
    const plan = parsePlan(text)
    expect([plan.tasks.length, plan.subItems.length]).toEqual([rows, 0])
  })

  test("in a plan of superpowers rows may be called anything", () => {
    const text = "### Task 1: A\n- [x] a\n### Task 2: B\n- [ ] b\n\n## Checks\n- [ ] c"
    expect(read(text, "docs/superpowers/plans/a.md")).toEqual([
      "task:1 done 1",
      "task:2 open 3",
      "sub 2 of task:1",
      "sub 4 of task:2",
      "! 7 outside-rows",
    ])
  })

  test("a group of headings is none, and its own rows stand outside", () => {
    const text = `## Task 1: All\n- [ ] before\n### Task 1.1: A\n${STEPS}\n### Task 1.2: B\n${STEPS}`
    expect(read(text).filter((each) => !each.startsWith("sub"))).toEqual([
      "task:1.1 open 3",
      "task:1.2 open 6",
      "! 2 outside-rows",
    ])
  })

  test("headings that name earlier rows tell more of those rows", () => {
    const text =
      "## Progress\n- [x] Task 1: A\n- [ ] Task 2: B\n- [ ] Done by hand\n\n### Task 1: A\n\n### Task 2: B\n- [x] Step 1: c\n- [ ] Step 2: d"
    expect(read(text)).toEqual([
      "task:1 done 2",
      "task:2 open 3",
      expect.stringMatching(/^task:~\w+ open 4$/),
      "sub 9 of task:2",
      "sub 10 of task:2",
    ])
  })

  test("so they do where those rows are links to them, before or behind", () => {
    const before =
      "## Order\n- [x] [Task 1 — A](#task-1--a)\n- [ ] **[Task 2 — B](#task-2--b)** (two hours)\n\n### Task 1 — A\n- [x] Completed\n\n### Task 2 — B\n- [ ] Completed\n"
    const behind =
      "## Work\n### 1. A\nText.\n### 2. B\nText.\n\n## Progress\n- [x] [1. A](#1-a)\n- [ ] [2. B](#2-b)\n"
    const shown = [before, behind].map((text) => {
      const { tasks, subItems, warnings } = parsePlan(text)
      return [...tasks.map(({ line, state }) => `${line} ${state}`), subItems.length, warnings]
    })
    expect(shown).toEqual([
      ["2 done", "3 open", 2, []],
      ["8 done", "9 open", 0, []],
    ])
  })

  test("a second heading of the same name without rows is no second task", () => {
    const text = `### Task 1: A\n${STEPS}\n## Files\n### Task 1: A\n- a.ts`
    expect(read(text)[0]).toBe("task:1 open 1")
    expect(parsePlan(text).tasks).toHaveLength(1)
  })
})

describe("the state of a heading", () => {
  test.each([
    { boxes: "x x", state: "done" },
    { boxes: "x -", state: "done" },
    { boxes: "- -", state: "cancelled" },
    { boxes: "x  ", state: "in_progress" },
    { boxes: "/  ", state: "in_progress" },
    { boxes: "-  ", state: "open" },
    { boxes: "x !", state: "blocked" },
    { boxes: "! _", state: "open" },
    { boxes: "? x", state: "in_progress" },
  ])("with the boxes $boxes is $state", ({ boxes, state }) => {
    const rows = boxes
      .split(" ")
      .filter((each) => each !== "")
      .map((box, at) => `- [${box === "_" ? " " : box}] Step ${at + 1}: a`)
    const open = boxes.endsWith("  ") ? ["- [ ] Step 9: z"] : []
    const [task] = parsePlan(`### Task 1: A\n${[...rows, ...open].join("\n")}`).tasks
    expect(task?.state).toBe(state as "open")
  })

  test("optional steps hold nothing up, and none but optional ones make it optional", () => {
    const text = "### Task 1: A\n- [x] Step 1: a\n- [ ]* Step 2: b\n### Task 2: B\n- [ ]* Step 1: c"
    expect(parsePlan(text).tasks.map(({ state, optional }) => [state, optional])).toEqual([
      ["done", false],
      ["open", true],
    ])
  })

  test("next is its line, with the first step that is open", () => {
    const { next } = parsePlan("### Task 1: A\n- [x] Step 1: a\n- [ ] Step 2: b\n- [ ] Step 3: c")
    expect(next?.line).toBe(1)
    expect(next && nextStep(next)).toMatchObject({ line: 3, title: "Step 2: b" })
  })

  test("a note right below it blocks it, one of a step does not", () => {
    const step = "- [ ] Step 1: a\n  - BLOCKED: no key\n- [ ] Step 2: b"
    const [own] = parsePlan(`### Task 1: A\nBLOCKED: no paint\n\n${step}`).tasks
    const [other] = parsePlan(`### Task 1: A\n${step}\nBLOCKED: no brush`).tasks
    expect([own?.state, own?.note?.words]).toEqual(["blocked", "no paint"])
    expect([other?.state, other?.note]).toEqual(["open", undefined])
  })
})

const marks: [string, string, MarkState, string | undefined, string][] = [
  [
    "ticks its open boxes, and only those",
    "### Task 1: A\n- [x] Step 1: a\n- [ ] Step 2: b\n- [-] Step 3: c\n\n### Task 2: B\n- [ ] Step 1: d",
    "done",
    undefined,
    "### Task 1: A\n- [x] Step 1: a\n- [x] Step 2: b\n- [-] Step 3: c\n\n### Task 2: B\n- [ ] Step 1: d",
  ],
  [
    "leaves optional boxes alone",
    "### Task 1: A\n- [ ] Step 1: a\n- [ ]* Step 2: b",
    "done",
    undefined,
    "### Task 1: A\n- [x] Step 1: a\n- [ ]* Step 2: b",
  ],
  [
    "takes the ticks of a done one away",
    "### Task 1: A\n- [x] Step 1: a\n  - [x] deeper\n- [-] Step 2: b",
    "open",
    undefined,
    "### Task 1: A\n- [ ] Step 1: a\n  - [ ] deeper\n- [-] Step 2: b",
  ],
  [
    "begins its first step",
    "### Task 1: A\r\n- [ ] Step 1: a\r\n- [ ] Step 2: b",
    "in_progress",
    undefined,
    "### Task 1: A\r\n- [/] Step 1: a\r\n- [ ] Step 2: b",
  ],
  [
    "is begun already",
    "### Task 1: A\n- [x] Step 1: a\n- [ ] Step 2: b",
    "in_progress",
    undefined,
    "### Task 1: A\n- [x] Step 1: a\n- [ ] Step 2: b",
  ],
  [
    "writes a note right below it",
    "### Task 1: A\n- [ ] Step 1: a",
    "blocked",
    "no key",
    "### Task 1: A\n- BLOCKED: no key\n- [ ] Step 1: a",
  ],
  [
    "opens the steps of a done one before it blocks it",
    "### Task 1: A\n- [x] Step 1: a\n- [-] Step 2: b",
    "blocked",
    "no key",
    "### Task 1: A\n- BLOCKED: no key\n- [ ] Step 1: a\n- [-] Step 2: b",
  ],
  [
    "opens a status and the steps of a done one before it blocks it",
    "### Task 1: A\n**Status:** done\n- [x] Step 1: a",
    "blocked",
    "no key",
    "### Task 1: A\n- BLOCKED: no key\n**Status:** pending\n- [ ] Step 1: a",
  ],
  [
    "leaves the steps of a begun one as it blocks it",
    "### Task 1: A\n- [x] Step 1: a\n- [ ] Step 2: b",
    "blocked",
    "no key",
    "### Task 1: A\n- BLOCKED: no key\n- [x] Step 1: a\n- [ ] Step 2: b",
  ],
  [
    "takes its note away",
    "### Task 1: A\n- BLOCKED: no key\n\n- [x] Step 1: a\n  - BLOCKED: b\n- [ ] Step 2: c",
    "open",
    undefined,
    "### Task 1: A\n\n- [x] Step 1: a\n  - BLOCKED: b\n- [ ] Step 2: c",
  ],
  [
    "gives one without a step a box of its own",
    "### Task 1: A\ntext\n### Task 2: B\n- [ ] Step 1: a",
    "done",
    undefined,
    "### [x] Task 1: A\ntext\n### Task 2: B\n- [ ] Step 1: a",
  ],
]

test.each(marks)("a mark %s", (_, text, state, note, wanted) => {
  const [task] = parsePlan(text).tasks
  if (task === undefined) throw new Error("no task")
  expect(markTask(text, task, state, note)).toEqual({ ok: true, text: wanted })
})

test("a heading whose steps have changed since is refused", () => {
  const [task] = parsePlan(`### Task 1: A\n${STEPS}`).tasks
  if (task === undefined) throw new Error("no task")
  const result = markTask(`### Task 1: A\n${STEPS}\n- [ ] **Step 3: c**`, task, "done")
  expect(result.ok ? "" : result.message).toContain("Line 1 has changed")
})

test.each([
  { name: "a renumbered one has moved", now: ["2: A", "3: B"], is: ["moved 2", "moved 3"] },
  { name: "an inserted one is new", now: ["1: A", "2: X", "3: B"], is: ["same", "moved 3"] },
  { name: "a reworded one is another", now: ["1: A anew", "2: B"], is: ["retitled", "same"] },
  { name: "a moved one keeps its name", now: ["2: B", "1: A"], is: ["same", "same"] },
  { name: "a deleted one is gone", now: ["1: B"], is: ["gone", "moved 1"] },
])("in an edited plan $name", ({ now, is }) => {
  const plan = (names: readonly string[]) =>
    parsePlan(
      names.map((name) => `### Task ${name}\n- [x] Step 1: ${name}\n- [ ] Step 2: z`).join("\n"),
    )
  const told = matchTasks(plan(["1: A", "2: B"]).tasks, plan(now)).map((match) =>
    match.kind === "moved" ? `moved ${match.task.label}` : match.kind,
  )
  expect<readonly string[]>(told).toEqual(is)
})

test("a heading all of whose steps are optional is settled by ticking them", () => {
  const text = "### Task 1: A\n- [x] **Step 1: w**\n### Task 2: B\n- [ ]* **Step 1: o**\n"
  const plan = parsePlan(text)
  expect(plan.next?.key).toBe("task:2")
  const marked = plan.next === null ? null : markTask(text, plan.next, "done")
  expect(marked).toEqual({ ok: true, text: text.replace("[ ]*", "[x]*") })
})

const JUDGED = `# Pond

## Now

### Task 1: Dig

**Acceptance criteria:**

- [x] it is deep
- [x] it is even

**Verification:**

- [x] measured

### Task 2: Fill

- **Acceptance Criteria:**
  - [ ] it is full

## Later

- [ ] Plants
- [ ] Fish

## Open questions

- [ ] Which fish?
`

test("headings whose rows are criteria are the tasks, beside rows of other headings", () => {
  const { tasks, warnings } = parsePlan(JUDGED)
  expect(tasks.map(({ title, state, line }) => [line, title, state])).toEqual([
    [5, "Dig", "done"],
    [16, "Fill", "open"],
    [23, "Plants", "open"],
    [24, "Fish", "open"],
  ])
  expect(warnings.map(({ rule }) => rule)).toEqual(["outside-rows"])
})

test("rows below another label stay the tasks", () => {
  const text = JUDGED.replaceAll(/Acceptance criteria|Acceptance Criteria|Verification/g, "Work")
  expect(parsePlan(text).tasks.map(({ title }) => title)).toContain("it is deep")
})

test("numbered headings with a status whose rows are criteria are the tasks", () => {
  const part = (n: number, mark: string) =>
    `### ${n}. Lay stone ${n}\n**Status**: 🔴 Not Started\n**Verification**:\n- [${mark}] even\n- [ ] firm\n\n`
  const { tasks } = parsePlan(`# Path\n\n${part(1, "x")}${part(2, " ")}`)
  expect(tasks.map(({ label, state }) => [label, state])).toEqual([
    ["1", "in_progress"],
    ["2", "open"],
  ])
})

test("rows of other words behind the headings leave these their steps", () => {
  const text =
    "### Task 1: Dig\n- [ ] Step 1: a\n### Task 2: Fill\n- [ ] Step 1: b\n## Review\n- [ ] Task 1: looked at\n- [ ] Task 2: looked at\n"
  expect(parsePlan(text).tasks.map(({ title }) => title)).toEqual(["Dig", "Fill"])
})

test.each([
  { name: "one of two tasks", names: ["Dig", "Fill"], listed: "- [x] Task 1: Dig\n" },
  {
    name: "two of five tasks",
    names: ["Dig", "Fill", "Plant", "Feed", "Watch"],
    listed: "- [x] Task 1: Dig\n- [ ] Task 2: Fill\n",
  },
])("rows behind the headings that name $name are no list of them", ({ names, listed }) => {
  const tasks = names.map((name, at) => `### Task ${at + 1}: ${name}\n- [ ] Step 1: a\n`)
  expect(shownPlan(`${tasks.join("")}## Review\n${listed}`).slice(1)).toEqual(
    names.map((name) => `${name} open`),
  )
})

test("phases whose only boxes are what they are judged by are tasks, and the checks their steps", () => {
  const phase = (number: number, box: string) =>
    `## Phase ${number}: Lay row ${number}\n\n### Changes\n\n#### 1. Stones\n- carry them\n\n### Success Criteria:\n\n#### Automated Verification:\n- [${box}] it is level\n- [ ] it holds\n\n`
  const text = `# Wall\n\n## Overview\n\nA wall.\n\n${phase(1, "x")}${phase(2, " ")}## Testing Strategy\n\n1. push it\n`
  const plan = parsePlan(text)
  expect(shownPlan(text)).toEqual(["open", "Lay row 1 in_progress", "Lay row 2 open"])
  expect([plan.next?.line, plan.tasks.map(({ steps }) => steps?.length), plan.warnings]).toEqual([
    7,
    [2, 2],
    [],
  ])
  expect(markedPlan(text, "task:1", "done")).toBe(text.replace("- [ ] it holds", "- [x] it holds"))
})

test("one phase alone is such a task too, and success criteria of the whole plan make none", () => {
  const one = "# A\n\n## Phase 1: Dig\n\nwords\n\n### Success Criteria\n- [ ] deep\n"
  expect(shownPlan(one)).toEqual(["open", "Dig open"])
  const whole = "# A\n\n## Phase 1: Dig\n\nwords\n\n## Success Criteria\n- [ ] deep\n"
  expect(parsePlan(whole).tasks).toEqual([])
})

test.each(["Phase 1: Pond", "Stage 1 - Pond", "Task 1: Pond", "🏁 Milestone 1: Pond ✅"])(
  "a lone heading %j whose rows are called steps hides no rows of others",
  (heading) => {
    const text = `## ${heading}\n- [x] Step 1: dig\n- [x] Step 2: fill\n\n## Deployment\n- [ ] fish\n- [ ] frogs\n- [ ] plants\n`
    const { tasks, warnings } = parsePlan(text)
    expect([tasks.length, warnings]).toEqual([5, []])
    const two = text.replace(
      "## Deployment",
      `## ${heading.replace("1", "2")}\n- [ ] Step 1: mow\n\n## Deployment`,
    )
    expect(parsePlan(two).tasks.filter(({ steps }) => steps !== undefined)).toHaveLength(2)
  },
)

test("the rows of a lone phase are its plan's tasks, those of a lone task its steps", () => {
  const rows = "- [ ] Step 1: dig\n- [ ] Step 2: fill\n"
  expect(parsePlan(`## Phase 1: Pond\n${rows}`).tasks).toHaveLength(2)
  expect(parsePlan(`## Task 1: Pond\n${rows}`).tasks).toHaveLength(1)
})

const SAME = "- [ ] write a test\n- [ ] make it pass\n"

test.each([
  { name: "alone", first: "", second: "" },
  { name: "beside rows of its own", first: "- [ ] dig\n", second: "- [ ] fill\n- [ ] look\n" },
  {
    name: "behind checks",
    first: "**Acceptance checks**\n- [ ] it is deep\n\n**Review**\n- by Ann\n\n",
    second: "**Acceptance criteria:**\n- [ ] it is tight\n\n**Review**\n- by Bob\n\n",
  },
])("rows that are the same below several headings are their steps: $name", ({ first, second }) => {
  const text = `# P\n\n### Task 1: A\n\n${first}${SAME}\n### Task 2: B\n\n${second}${SAME}`
  expect(parsePlan(text)).toMatchObject({
    tasks: [{ key: "task:1" }, { key: "task:2" }],
    warnings: [],
  })
})

test.each([
  {
    name: "one row is no custom",
    text: "### Task 1: A\n- [ ] dig\n- [ ] test\n### Task 2: B\n- [ ] fill\n- [ ] test\n",
  },
  { name: "phases hold tasks", text: `## Phase 1: A\n${SAME}## Phase 2: B\n${SAME}` },
  {
    name: "most rows are their own",
    text: `### Task 1: A\n- [ ] a\n- [ ] b\n- [ ] c\n${SAME}### Task 2: B\n- [ ] d\n- [ ] e\n- [ ] f\n${SAME}`,
  },
])("rows that are the same below several headings stay tasks: $name", ({ text }) => {
  const { tasks } = parsePlan(text)
  expect(tasks).toHaveLength(text.match(/\[ \]/g)?.length ?? 0)
})

test.each(["Task", "**Task", "Задача"])("rows called %s 1 in each phase are the tasks", (word) => {
  const row = (number: number, title: string) => `- [ ] ${word} ${number}: ${title}\n`
  const phases = `## Phase 1: A\n\n${row(1, "dig")}${row(2, "fill")}\n## Phase 2: B\n\n${row(1, "plant")}`
  expect(parsePlan(phases).tasks.map(({ line }) => line)).toEqual([3, 4, 8])
  const numbered = phases.replaceAll(`${word} `, "")
  expect(parsePlan(numbered).tasks.map(({ line }) => line)).toEqual([1, 6])
})
