import { describe, expect, test } from "bun:test"
import type { MarkState } from "./check-marked.ts"
import { markTask } from "./mark-task.ts"
import { parsePlan } from "./parse-plan.ts"

function marked(text: string, key: string, state: MarkState, note?: string): string {
  const task = parsePlan(text).tasks.find((one) => one.key === key)
  if (task === undefined) throw new Error(`no ${key}`)
  const done = markTask(text, task, state, note)
  return done.ok ? done.text : `refused: ${done.message}`
}

const plan = (status: string, more = "") =>
  `---\nname: A\ntodos:\n  - id: a\n    content: First\n${status}${more}---\n\nstatus: pending\n`
const B = "  - id: b\n    content: Second\n    status: pending\n"

describe("the word behind `status:` is written, and nothing else", () => {
  test.each([
    { state: "done" as const, from: "    status: pending\n", to: "    status: completed\n" },
    { state: "open" as const, from: "    status: completed\n", to: "    status: pending\n" },
    {
      state: "in_progress" as const,
      from: '    status:  "pending"  # soon\n',
      to: '    status:  "in_progress"  # soon\n',
    },
    { state: "done" as const, from: "", to: "    status: completed\n" },
    { state: "done" as const, from: "    status:\n", to: "    status: completed\n" },
    {
      state: "blocked" as const,
      from: "    status: pending\n",
      to: "    status: pending # BLOCKED: no key (hnd_1)\n",
    },
    {
      state: "open" as const,
      from: "    status: in_progress # BLOCKED: no key (hnd_1)\n",
      to: "    status: pending\n",
    },
    {
      state: "done" as const,
      from: "    status: pending # BLOCKED: no key (hnd_1)\n",
      to: "    status: completed\n",
    },
    {
      state: "done" as const,
      from: "    status: pending # soon # **BLOCKED:** no key\n",
      to: "    status: completed # soon\n",
    },
  ])("$from is $state: $to", ({ state, from, to }) => {
    const note = state === "blocked" ? "no key (hnd_1)" : undefined
    expect(marked(plan(from, B), "task:a", state, note)).toBe(plan(to, B))
  })
  test("comments stand before entries and between their keys", () => {
    const text = plan("    # soon\n    status: pending\n", `# Phase 2\n  # second\n${B}`).replace(
      "todos:\n",
      "todos:\n  # Phase 1\n\n",
    )
    const done = text.replace(/status: pending(?=\n---)/, "status: completed")
    expect(marked(text, "task:b", "done")).toBe(done)
    expect(marked(text, "task:a", "done")).toBe(text.replace("pending", "completed"))
    expect(parsePlan(text).tasks.map(({ line }) => line)).toEqual([6, 12])
  })
  test("in a file of Windows, and its last line", () => {
    const text = plan("", "").replaceAll("\n", "\r\n")
    expect(marked(text, "task:a", "done")).toBe(
      plan("    status: completed\n").replaceAll("\n", "\r\n"),
    )
  })
})

test.each([
  { comment: "# BLOCKED: no key (hnd_1)", words: "no key (hnd_1)" },
  { comment: "# soon # **BLOCKED:** no key", words: "no key" },
])("the reason of a block is the task's: $comment", ({ comment, words }) => {
  const [task] = parsePlan(plan(`    status: pending ${comment}\n`)).tasks
  expect([task?.state, task?.note?.words]).toEqual(["blocked", words])
})

describe("refused, with what was found", () => {
  test("todos on one line", () => {
    const text = "---\ntodos: [{ id: a, content: First, status: pending }]\n---\n"
    expect(marked(text, "task:a", "done")).toContain("Expected each todo on lines of its own")
  })
  test("an entry in braces", () => {
    const text = "---\ntodos:\n  - { id: a, content: First, status: pending }\n---\n"
    expect(marked(text, "task:a", "done")).toStartWith("refused: ")
  })
})

describe("a task of Backlog.md that lists nothing is the task itself", () => {
  const file = (status: string, below = "Oil it.") =>
    `---\nid: T-1\ntitle: "Mill: oil"\nstatus: ${status}\ncreated_date: 2026-01-02\ndependencies:\n  - T-9\n---\n\n## Description\n\n${below}\n`
  test.each([
    { state: "done" as const, from: "To Do", to: "Done" },
    { state: "open" as const, from: '"Done"', to: '"To Do"' },
    { state: "in_progress" as const, from: "To Do  # soon", to: "In Progress  # soon" },
    { state: "blocked" as const, from: "To Do", to: "To Do # BLOCKED: no oil" },
    { state: "open" as const, from: "In Progress # BLOCKED: no oil", to: "To Do" },
  ])("$from is $state: $to", ({ state, from, to }) => {
    const [task] = parsePlan(file(from)).tasks
    expect([task?.key, task?.title, task?.line, task?.endLine]).toEqual([
      "task:t-1",
      "Mill: oil",
      1,
      12,
    ])
    expect(marked(file(from), "task:t-1", state, state === "blocked" ? "no oil" : undefined)).toBe(
      file(to),
    )
  })
  test("done it is complete, and of its own words an unknown one is said", () => {
    expect(parsePlan(file("Done")).state).toBe("complete")
    expect(parsePlan(file("Draft")).warnings.map(({ rule }) => rule)).toEqual([
      "whole-file",
      "unknown-marker",
    ])
  })
  test.each(["- [ ] #1 It turns", "- [x] #1 It turns", "* [ ] Oil"])("not with %s", (below) => {
    expect(parsePlan(file("To Do", below)).dialect).toBe("backlog.md")
  })
})

test("a block without a reason says so", () =>
  expect(marked(plan("    status: pending\n"), "task:a", "blocked")).toContain(
    "    status: pending # BLOCKED: no reason given\n",
  ))
