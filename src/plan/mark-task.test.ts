import { expect, test } from "bun:test"
import type { MarkState } from "./check-marked.ts"
import { markTask } from "./mark-task.ts"
import { parsePlan } from "./parse-plan.ts"

const marks: [string, string, MarkState, string | undefined, string][] = [
  ["omo", "- [ ] 1. A", "done", undefined, "- [x] 1. A"],
  ["omo", "- [x] 1. A", "open", undefined, "- [ ] 1. A"],
  ["omo", "- [ ] 1. A", "in_progress", undefined, "- [/] 1. A"],
  ["kiro", "- [ ] 1. A", "in_progress", undefined, "- [-] 1. A"],
  ["conductor", "- [ ] Task: A", "in_progress", undefined, "- [~] Task: A"],
  ["generic", "- [ ] 1. A", "in_progress", undefined, "- [/] 1. A"],
  ["omo", "- [ ] 1. A", "blocked", undefined, "- [~] 1. A"],
  [
    "omo",
    "- [ ] 1. A\n- [ ] 2. B",
    "blocked",
    "no key",
    "- [~] 1. A\n  - BLOCKED: no key\n- [ ] 2. B",
  ],
  ["swarm", "- [ ] 1. A", "blocked", undefined, "- [BLOCKED] 1. A"],
  ["swarm", "- [BLOCKED] 1. A", "done", undefined, "- [x] 1. A"],
  ["generic", "- [ ] 1. A\n", "blocked", undefined, "- [ ] 1. A\n  - BLOCKED: no reason given\n"],
  [
    "generic",
    "- [ ] 1. A\n  goes on\n\n  b",
    "blocked",
    "no\nkey",
    "- [ ] 1. A\n  goes on\n  - BLOCKED: no key\n\n  b",
  ],
  ["generic", "- [ ] 1. A\n  - BLOCKED: no key\n  b", "open", undefined, "- [ ] 1. A\n  b"],
  ["generic", "- [ ] 1. A\n  - BLOCKED: no key", "open", undefined, "- [ ] 1. A"],
  ["generic", "- [ ] 1. A\r\n  - BLOCKED: no key", "in_progress", undefined, "- [/] 1. A"],
  ["generic", "- [x] 1. A\n  b", "blocked", "why", "- [ ] 1. A\n  b\n  - BLOCKED: why"],
  ["spec-kit", "\ufeff- [ ] T001 A\r\n\r\nb", "done", undefined, "\ufeff- [x] T001 A\r\n\r\nb"],
  ["spec-kit", "10. [ ] A\r\nb", "blocked", "why", "10. [ ] A\r\nb\r\n    - BLOCKED: why"],
  ["generic", "### 1. [ ] A\n---\n", "blocked", "why", "### 1. [ ] A\n- BLOCKED: why\n---\n"],
  ["generic", "### 1. [ ] A [ ] b", "done", undefined, "### 1. [x] A [ ] b"],
  [
    "generic",
    "-\t[ ] 1. A\n\t-\t[ ] b\n-\t[ ] 2. B",
    "blocked",
    "why",
    "-\t[ ] 1. A\n \t- BLOCKED: why\n\t-\t[ ] b\n-\t[ ] 2. B",
  ],
  ["generic", "- [ ]* 1. A", "done", undefined, "- [x]* 1. A"],
  ["generic", "- [] 1. A", "done", undefined, "- [x] 1. A"],
  ["generic", "- [pending] 1. A", "done", undefined, "- [complete] 1. A"],
  ["generic", "- [pending] 1. A", "in_progress", undefined, "- [in_progress] 1. A"],
  ["generic", "- [Completed] 1. A", "open", undefined, "- [pending] 1. A"],
  ["generic", "- [IN PROGRESS] 1. A", "done", undefined, "- [COMPLETE] 1. A"],
  [
    "generic",
    "- [pending] 1. A\n- [completed] 2. B",
    "done",
    undefined,
    "- [completed] 1. A\n- [completed] 2. B",
  ],
  ["generic", "- [pending] 1. A", "blocked", "why", "- [pending] 1. A\n  - BLOCKED: why"],
]

const LEGEND = "Legend: [~] = in progress, [!] = blocked"

const legends: [string, MarkState, string | undefined, string][] = [
  [LEGEND, "blocked", undefined, "[!]"],
  [LEGEND, "blocked", "why", "[!]"],
  [LEGEND, "in_progress", undefined, "[~]"],
  [LEGEND, "done", undefined, "[x]"],
  ["Legend: [/] = started, [>] = in progress", "in_progress", undefined, "[/]"],
]

test.each(legends)("writes by the plan's own %s: %s", (legend, state, note, wanted) => {
  const text = `${legend}\n\n## TODOs\n- [ ] 1. A\n- [ ] 2. B\n`
  const [task] = parsePlan(text, { dialect: "omo" }).tasks
  if (task === undefined) throw new Error("no task")
  const result = markTask(text, task, state, note)
  const line = note === undefined ? "" : `  - BLOCKED: ${note}\n`
  const written = text.replace("- [ ] 1. A\n", `- ${wanted} 1. A\n${line}`)
  expect(result).toEqual({ ok: true, text: written })
  expect(parsePlan(written, { dialect: "omo" }).tasks[0]?.state).toBe(state)
})

test("refuses a state that would read back as another", () => {
  const text = "Legend: [/] = done, [>] = done\n\n## TODOs\n- [ ] 1. A\n"
  const [task] = parsePlan(text).tasks
  if (task === undefined) throw new Error("no task")
  expect(markTask(text, task, "in_progress")).toEqual({
    ok: false,
    message:
      "Expected todo:1 to read as in_progress once it is written; found open. Mark it by hand.",
  })
})

test.each(marks)("writes into %s", (dialect, text, state, note, wanted) => {
  const [task] = parsePlan(text, { dialect }).tasks
  if (task === undefined) throw new Error("no task")
  const result = markTask(text, task, state, note)
  expect(result).toEqual({ ok: true, text: wanted })
  expect(parsePlan(wanted, { dialect }).tasks[0]?.state).toBe(state)
})

const changes: [string, string][] = [
  ["- [ ] 1. Another", "changed"],
  ["- [x] 1. A", "changed"],
  ["text\n- [ ] 1. A", "changed"],
  ["", "changed"],
]

test.each(changes)("refuses a plan that has become %j", (now) => {
  const [task] = parsePlan("- [ ] 1. A").tasks
  if (task === undefined) throw new Error("no task")
  const result = markTask(now, task, "done")
  expect(result.ok ? "" : result.message).toContain("Line 1")
})

test("refuses a task whose line is gone", () => {
  const task = parsePlan("a\n\n- [ ] 1. A").tasks[0]
  if (task === undefined) throw new Error("no task")
  expect(markTask("a", task, "done")).toEqual({
    ok: false,
    message: "Line 3 is no longer there: read the plan again.",
  })
})

test("refuses a task whose format keeps its state elsewhere", () => {
  const text = '<task type="auto">\n<name>Task 1: A</name>\n</task>'
  const [task] = parsePlan(text, { dialect: "gsd" }).tasks
  if (task === undefined) throw new Error("no task")
  const result = markTask(text, task, "done")
  expect(result.ok ? "" : result.message).toContain("no box")
})

test("a heading whose box `--add-boxes` wrote is ticked, and holds the same place as before", () => {
  const text =
    "# Pond\n## 12-Week Implementation Plan\n### Week 3: Detail\n**Deliverables:**\n- [ ] Dig\n- [ ] Fill\n### [ ] Milestone 1: Browse\n- text\n### [ ] Milestone 2: Swim\n- text\n## Launch Checklist\n### Pre-Launch\n- [ ] All done\n"
  for (const task of parsePlan(text).tasks) {
    for (const state of ["done", "in_progress", "blocked"] as const)
      expect(markTask(text, task, state).ok).toBe(true)
  }
})

test.each([
  { text: "- [wip] A\n- [x] B\n- [ ] C\n", done: "- [x] A" },
  { text: "- [ ] A\n- [√] B\n- [ ] C\n", done: "- [√] A" },
  { text: "- [ ] A\n- [X] B\n", done: "- [X] A" },
  { text: "- [ ] A\n- [X] B\n- [x] C\n", done: "- [x] A" },
  { text: "- [ ] A\n- [tested] B\n", done: "- [x] A" },
  { text: "Legend: [v] = done, [√] = blocked\n\n- [ ] A\n- [√] B\n", done: "- [v] A" },
  { text: "- [wip] A\n- [wip] B\n", done: "- [complete] A" },
  {
    text: "## Task 1: A\n\n**Status:** offen\n\n## Task 2: B\n\n**Status:** offen\n",
    done: "**Status:** erledigt",
  },
  {
    text: "## Task 1: A\n\n**Estado:** PENDIENTE\n\n## Task 2: B\n\n**Estado:** PENDIENTE\n",
    done: "**Estado:** COMPLETADO",
  },
])("done is written as the plan writes: $done", ({ text, done }) => {
  const [task] = parsePlan(text).tasks
  const marked = task === undefined ? null : markTask(text, task, "done")
  expect(marked?.ok && marked.text.split("\n")).toContain(done)
})

test("the words of a block take the place of those before, below a heading, too; without words those stay", () => {
  const text =
    "## Task 1: A\n- BLOCKED: no key\n\n- [ ] Step 1: w\n\n## Task 2: B\n- [ ] Step 1: w\n"
  const [task] = parsePlan(text).tasks
  if (task === undefined) throw new Error("no task")
  expect(markTask(text, task, "blocked", "no disk")).toEqual({
    ok: true,
    text: text.replace("no key", "no disk"),
  })
  expect(markTask(text, task, "blocked")).toEqual({ ok: true, text })
})

test.each([
  "## [ ] 🚀 Phase 1: Dig\n\nDeep.\n\n## [ ] ⭐ Phase 2: Fill\n\nFull.\n",
  "## ⭐ [ ] Task 1: Dig\n\nDeep.\n\n## ⭐ [ ] Task 2: Fill\n\nFull.\n",
  "## [ ] §1.2. Dig\n\nDeep.\n\n## [ ] §1.3. Fill\n\nFull.\n",
  `- [ ] 1. ${"x y ".repeat(2_000)}\n- [ ] 2. Fill\n`,
])("every task can be marked: %j", (text) => {
  const { tasks } = parsePlan(text)
  expect(tasks.length).toBe(2)
  for (const task of tasks) expect(markTask(text, task, "done").ok).toBe(true)
})
