// Headings with a status, and what stands beside them: none of it is lost, and none of it takes their place.
import { expect, test } from "bun:test"
import { markedPlan, shownPlan } from "../../../test/support/shown-plan.ts"
import { markTask } from "../mark-task.ts"
import { parsePlan } from "../parse-plan.ts"

test.each([
  { kind: "Milestone", one: "- Status: complete", two: "- Status: in progress\n" },
  { kind: "Story", one: "**Status:** Done", two: "**Status:** In Progress" },
  { kind: "Task", one: "**Status:** done", two: "**Status:** in progress" },
])(
  "rows below a $kind are tasks beside one without rows that says its state",
  ({ kind, one, two }) => {
    const text = `# R\n\n## ${kind} 1: A\n${one}\n\nshipped\n\n## ${kind} 2: B\n${two}\n- [ ] api\n- [ ] ui\n\n## ${kind} 3: C\n${two}\n- [ ] mail\n`
    expect(shownPlan(text)).toEqual(["open", "A done", "api open", "ui open", "mail open"])
  },
)

test.each([
  { name: "no status", body: "things to do\n", is: "B open" },
  { name: "a status in a table", body: "| **Status** | pending |\n", is: "B open" },
  {
    name: "a status behind another field",
    body: "**Priority:** High | **Status:** in progress | **Owner:** Ann\n",
    is: "B in_progress",
  },
  {
    name: "a status below a heading of its own",
    body: "#### Details\n**Status:** pending\n",
    is: "B open",
  },
])("a phase with $name is a task beside phases that are complete", ({ body, is }) => {
  const text = `# Task Plan\n\n## Phases\n\n### Phase 1: A\n- **Status:** complete\n\n### Phase 2: B\n${body}\n### Phase 3: C\n- **Status:** complete\n`
  expect(shownPlan(text)).toEqual(["open", "A done", is, "C done"])
})

test("phases without a box and a status are tasks beside those that have one of them", () => {
  const text =
    "# P\n## Phases\n### Phase 1: A\n- [x] a\n- **Status:** complete\n### Phase 2: B\n- **Status:** complete\n### Phase 3: C\n- [x] c\n- **Status:** complete\n### Phase 4: D\n1. dd\n### Phase 5: E ✅\n2. ee\n"
  expect(shownPlan(text)).toEqual(["open", "a done", "B done", "c done", "D open", "E done"])
  const { warnings } = parsePlan(text)
  expect(warnings.map(({ line, rule }) => [line, rule])).toEqual([[11, "headings-without-box"]])
  expect(warnings[0]?.message).toBe(
    'task:4 has neither box nor Status below its heading: once it is done, write "- **Status:** complete" there.',
  )
})

test.each([
  { like: "**Status:** Complete", is: "**Status:** Complete" },
  { like: "Status: ✅ done", is: "Status: ✅ done" },
  { like: "- **Status**: Done", is: "- **Status**: Done" },
  { like: "| **Status** | Done |", is: "**Status:** Done" },
])("beside $like a heading without one is to get $is, as a mark writes it", ({ like, is }) => {
  const text = `# P\n\n## Task 1: A\n${like}\n\n## Task 2: B\n${like}\n\n## Task 3: C\n\nx\n`
  const { tasks, warnings } = parsePlan(text)
  expect(warnings[0]?.message).toContain(`once it is done, write "${is}" there.`)
  const [, , third] = tasks
  const marked = third === undefined ? null : markTask(text, third, "done")
  expect(marked?.ok && marked.text).toContain(`## Task 3: C\n${is}\n`)
})

test.each([
  {
    name: "before the work",
    text: "# Plan\n## Risks\n### 1. Key leaks\n- Status: open\n### 2. Disk full\n- Status: done\n\n## Work\n- [ ] a\n- [ ] b\n",
  },
  {
    name: "behind the work",
    text: "# Plan\n- [ ] a\n- [ ] b\n\n## Risks\n### 1. Key leaks\n- Status: open\n### 2. Disk full\n- Status: closed\n### 3. Rain\n- Status: done\n",
  },
])("a register of numbered risks does not take the place of the rows: $name", ({ text }) => {
  expect(shownPlan(text)).toEqual(["open", "a open", "b open"])
})

test("numbered headings with a status count as none where more rows stand outside, and are said", () => {
  const text =
    "# P\n## Now\n- [x] a\n- [x] b\n- [x] c\n## 1. Later\nStatus: planned\n## 2. Gone\nStatus: done\n"
  const { state, warnings } = parsePlan(text, { dialect: "generic" })
  expect(state).toBe("complete")
  expect(warnings.map(({ line, message }) => [line, message])).toEqual([
    [6, '1 heading says a Status that is not done, and is no task next to the rows: "1. Later".'],
  ])
})

test("phases told once as rows and once as headings with a status are one task each", () => {
  const text =
    "# Roadmap\n## Phases\n- [x] **Phase 1: A**\n- [ ] **Phase 2: B**\n\n## Phase Details\n### Phase 1: A\n**Status**: Complete\n### Phase 2: B\n**Status**: Not started\n"
  expect(shownPlan(text, { path: ".planning/ROADMAP.md" })).toEqual(["open", "A done", "B open"])
})

test("a status line is the heading's own, not the field of an answer that its words describe", () => {
  const text =
    "## Task 1: Endpoint\nReturn an object with\n\n- status: done\n- id: 3\n\n**Status:** pending\n\n## Task 2: B\n**Status:** pending\n"
  expect(shownPlan(text)).toEqual(["open", "Endpoint open", "B open"])
  const marked = markedPlan(text, "task:1", "in_progress")
  expect(marked).toBe(text.replace("pending", "in_progress"))
})

const said = (word: string) =>
  `## Phase 1: A\n**Status:** ${word}\n\n## Phase 2: B\n**Status:** complete\n\n## Phase 3: C\n**Status:** complete\n`

test.each([
  ...["Done, but tests still fail", "done except tests", "complete?", "⏳ complete soon"],
  ...["Complete (80%)", "Done — 2 left", "complete rewrite needed"],
])("%j does not say that all is done", (word) => {
  expect(parsePlan(said(word)).state).toBe("open")
})

test.each([
  ...["Done (2026-01-02)", "complete — all tests pass, 0 failed", "Done in #12", "✅ Completed"],
  ...["Completed 2026-01-02", "done. Nothing is left", "已完成", "**完了**", "Complete (100%)"],
])("%j says that all is done", (word) => {
  expect(parsePlan(said(word)).state).toBe("complete")
})

test.each(["hardly complete", "Halbwegs", "80% complete", "Done, but tests fail", ""])(
  "a status %j that nobody knows is named in the warning, with its line",
  (word) => {
    const [warning] = parsePlan(said(word)).warnings
    const what = word === "" ? "The Status is empty" : `The Status "${word}" is unknown`
    expect([warning?.line, warning?.message]).toEqual([
      2,
      `${what}: the task counts as open and is not run.`,
    ])
  },
)

test("a heading among such that says something else of itself is not lost", () => {
  const text =
    "## Task 1: A\n**Status:** done\n## Task 2: B\n**Status:** done\n## Task 3: C\n**Assignee:** me\n"
  expect(shownPlan(text)).toEqual(["open", "A done", "B done", "C open"])
})

test("ids of headings may be joined, or a letter", () => {
  const text =
    "## Phase 1: A\n**Status:** completed\n### Task p01-t01: B\n**Status:** completed\n### Task p01-t02: C\n**Status:** pending\n"
  const keys = (each: string) => parsePlan(each).tasks.map(({ key, state }) => `${key} ${state}`)
  expect(keys(text)).toEqual(["task:p01-t01 done", "task:p01-t02 open"])
  const lettered = "### Phase A: Look\nStatus: done\n### Phase B — Mend\nStatus: pending\n"
  expect(keys(lettered)).toEqual(["task:a done", "task:b open"])
  const worded = keys(lettered.replaceAll(/A:|B —/g, "of work"))
  expect(worded.map((each) => each.slice(0, 6))).toEqual(["task:~", "task:~"])
})

test("the head of a table is no status", () => {
  const text =
    "## Task 1: A\n| Status | Owner |\n|---|---|\n| done | Ann |\n\n## Task 2: B\n| Status | done |\n\n## Task 3: C\nStatus: done\n"
  expect(shownPlan(text)).toEqual(["open", "A open", "B done", "C done"])
  expect(parsePlan(text).warnings.map(({ rule }) => rule)).toEqual(["headings-without-box"])
})

test.each([
  ...["Done (2/5)", "❌ Done", "Completed 3 of 5", "Completed: no", "Implemented, not tested"],
  ...["Done, tests missing", "completed with errors", "Done - needs review"],
])("%j leaves its heading's task open, and is said", (word) => {
  const text = `## Task 1: A\n**Status:** ${word}\n\n## Task 2: B\n**Status:** done\n`
  expect(shownPlan(text)).toEqual(["open", "A open", "B done"])
  expect(parsePlan(text).warnings.map(({ line, rule }) => [line, rule])).toEqual([
    [2, "unknown-marker"],
  ])
})

test("numbered headings beside the rows whose status takes back what it says are said", () => {
  const text =
    "# P\n## Now\n- [x] a\n- [x] b\n- [x] c\n## 1. Later\nStatus: Done (2/5)\n## 2. Gone\nStatus: done\n"
  const { warnings } = parsePlan(text, { dialect: "generic" })
  expect(warnings.map(({ line, rule }) => [line, rule])).toEqual([[6, "unread-status"]])
})

test.each([
  { heading: "✅ A", status: "DONE (commit: initial scaffold → Neon)", is: [] },
  { heading: "A", status: "DONE (commits abc..def)", is: [] },
  { heading: "A", status: "DONE (see the commit)", is: [] },
  { heading: "A", status: "DONE (tests missing)", is: ["unread-status"] },
  { heading: "A", status: "Done (2/5)", is: ["unread-status"] },
  { heading: "✅ A", status: "In progress", is: ["unread-status"] },
])(
  "a remark behind a done status says no more than ticked rows, unless it tells of a lack: $heading, $status",
  ({ heading, status, is }) => {
    const { warnings } = parsePlan(`# P\n\n## ${heading}\n**Status: ${status}**\n\n- [x] a\n`)
    expect(warnings.map(({ rule }) => rule)).toEqual([...is] as never)
  },
)

test.each(["pending", "Done (1/3)"])(
  "a single heading that says %j beside a tick is said",
  (word) => {
    const { state, warnings } = parsePlan(`# P\n- [x] a\n\n### Task 1: A\n**Status:** ${word}\n`)
    expect([state, warnings.map(({ line, rule }) => [line, rule])]).toEqual([
      "complete",
      [[4, "unread-status"]],
    ])
  },
)

const TITLED =
  "# Roadmap\n\n## Legend\n- **Status:** Not started / Done\n\n## Now\n\n### Usage metrics\n**Status:** Not started\n\n### Backups\n**Status:** Done (via Traefik)\n\n### Log viewer\n**Status:** In progress\n"

test("headings without a number that say their states are the tasks of a plan without rows", () => {
  expect(shownPlan(TITLED)).toEqual([
    "open",
    "Usage metrics open",
    "Backups done",
    "Log viewer in_progress",
  ])
  const key = parsePlan(TITLED).tasks[0]?.key ?? ""
  const marked = TITLED.replace("metrics\n**Status:** Not started", "metrics\n**Status:** Done")
  expect(markedPlan(TITLED, key, "done")).toBe(marked)
})

test.each([
  { name: "a row", text: `${TITLED}\n## More\n- [ ] A\n`, is: ["open", "A open"] },
  {
    name: "one such heading",
    text: "# A\n\n## Backups\n**Status:** done\n\n## Design\nText\n",
    is: ["invalid"],
  },
  {
    name: "headings of no work",
    text: "# A\n\n## Overview\n**Status:** done\n\n## Current status\n**Status:** in progress\n",
    is: ["invalid"],
  },
])("they are none beside $name", ({ text, is }) => {
  expect(shownPlan(text)).toEqual(is)
})

test("beside numbered headings that say their states, and on a board, they are tasks too", () => {
  const board =
    "## In Progress\n\n## Blocked / Needs Decision\n\n### Home screen (S-26)\n- **Status:** Blocked — waits for Ann\n\n## Completed Recently\n\n### PB-1: Fill\n- **Status:** Completed\n\n### PB-2: Plant\n- **Status:** Completed\n"
  expect(shownPlan(board)).toEqual([
    "only-blocked",
    "Home screen (S-26) blocked",
    "Fill done",
    "Plant done",
  ])
  const numbered = `${TITLED}\n## 1. A\n**Status:** done\n\n### Details\n**Status:** pending\n`
  expect(shownPlan(numbered).slice(4)).toEqual(["A done"])
  const questions =
    "## Open questions\n\n### Which pump?\n**Status:** open\n\n### Which hose?\n**Status:** done\n"
  expect(shownPlan(questions)).toEqual(["invalid"])
})

test.each([
  "Tests",
  "Unit tests",
  "End-to-End Tests Coverage",
  "Testing and deployment",
  "Verification",
])("a heading that says its state below %j is a task like the others", (name) => {
  const text = (state: string) =>
    `# P\n\n## Routes\n\n### A\n**Status:** Done\n\n### B\n**Status:** Done\n\n## ${name}\n\n### C\n**Status:** ${state}\n`
  expect(shownPlan(text("To do"))).toEqual(["open", "A done", "B done", "C open"])
  expect(shownPlan(text("Done"))).toEqual(["complete", "A done", "B done", "C done"])
})

test.each(["Test notes", "Risks", "Verification history"])("one below %j is none", (name) => {
  const text = `# P\n\n## Routes\n\n### A\n**Status:** Done\n\n### B\n**Status:** To do\n\n## ${name}\n\n### C\n**Status:** To do\n`
  expect(shownPlan(text)).toEqual(["open", "A done", "B open"])
})

test("one outside the sections that says that it is done is no open row there", () => {
  const text = (state: string) =>
    `# P\n\n## Phase 1: A\n\n### 1. Dig\n**Status:** Done\n\n### 2. Fill\n**Status:** Done\n\n## Testing\n\n### 1. Pump\n**Status:** Done\n\n### 2. Tap\n**Status:** ${state}\n`
  expect(shownPlan(text("Done"))).toEqual(["complete", "Dig done", "Fill done"])
  expect(shownPlan(text("To do"))).toEqual(["rows-outside", "Dig done", "Fill done"])
  expect(parsePlan(text("To do")).warnings.map(({ line, rule }) => [line, rule])).toEqual([
    [16, "outside-rows"],
  ])
})

test.each(["Final Results", "Outcome", "Retrospective"])(
  "%s with a draft's status is no task",
  (name) => {
    const task = (at: number) => `### Task ${at}: Dig\n\n**Status:** Complete\n\n`
    const text = `# P\n\n## Tasks\n\n${task(1)}${task(2)}## ${name}\n\n**Status:** Draft\n`
    expect(shownPlan(text)).toEqual(["complete", "Dig done", "Dig done"])
  },
)

test.each([
  { status: "✅ PASS with improvements implemented", is: [] },
  { status: "✅ PASS but two tests are missing", is: ["unread-status"] },
  { status: "PASS with improvements implemented", is: ["unread-status"] },
])("of a finished story's review it is said only that something is left: $status", (each) => {
  const text = `# S\n\n## Tasks / Subtasks\n- [x] Dig (AC: 1)\n\n## QA Results\n### Summary\n**Status:** ${each.status}\n`
  const { warnings } = parsePlan(text, { path: "docs/stories/1.2.story.md" })
  expect(warnings.map(({ rule }) => rule)).toEqual([...each.is])
})

test("a plan of headings with a status is not complete because a row was noted", () => {
  const text =
    "# P\n\n## A\n**Status:** Complete\n\n## B\n**Status:** Not started\n\n## Notes\n- [x] c\n"
  expect(parsePlan(text).state).toBe("rows-outside")
  expect(parsePlan(text.replace("Not started", "Complete")).state).toBe("complete")
})

test.each([
  "# P\n\n## Metadata\n**Status:** In progress\n\n## Tasks\n- [x] a\n",
  "# P\n\n## Tasks\n- [x] a\n\n## Decision 1: X\n**Status:** Accepted\n\n## Decision 2: Y\n**Status:** Proposed\n",
  "# P\n\n- [x] a\n\n## Future work\n### B\n**Status:** Not started\n### C\n**Status:** Not started\n",
  "# P\n\n## A\n**Status:** In progress\n- [x] a\n\n## B\n**Status:** In progress\n- [x] b\n",
  "# P\n\n- [x] 1. A\n- [x] 2. B\n\n### 1. A\n**Status:** Not started\n\n### 2. B\n**Status:** Not started\n",
  "# P\n\n- [x] a\n\nThe API returns\n[] if nothing is found.\n",
  "# P\n\n- [x] a, where the box\n  [ ] in the form is empty\n",
  "# P\n\n- [x] a\n\n## Optional\n[ ] roses\n",
])("a document's own state, records, what is put off, and words are nothing open: %j", (text) => {
  expect(parsePlan(text).state).toBe("complete")
})

test("a line at the margin that begins with an open box is", () => {
  expect(parsePlan("# P\n\n- [x] a\n\n[ ] b\n").state).toBe("rows-outside")
})
