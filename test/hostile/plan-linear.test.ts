import { expect, test } from "bun:test"
import { planText } from "../../src/cli/views/plan-text.ts"
import { addBoxes } from "../../src/plan/boxes/add-boxes.ts"
import { markTask } from "../../src/plan/mark-task.ts"
import type { ParseOptions } from "../../src/plan/model/plan.ts"
import { parsePlan } from "../../src/plan/parse-plan.ts"
import { tooSlow } from "../support/hostile-growth.ts"
import { addLikeliest } from "../support/likeliest-boxes.ts"

/** Larger than in the table of all readers: some parts of the grammar begin to be slow only here. */
const LARGE = [60_000, 240_000] as const

const shapes: [string, (size: number) => string][] = [
  ["one line of letters", (size) => `- [ ] 1. ${"a".repeat(size)}`],
  ["one line of brackets", (size) => `- ${"[".repeat(size)}`],
  ["one line of boxes", (size) => "- [ ] ".repeat(size / 6)],
  ["one line of spaces", (size) => `- [ ] 1. A${" ".repeat(size)}b`],
  ["one line of tabs and a box", (size) => `${"\t".repeat(size)}- [ ] 1. A`],
  ["one line of stars", (size) => `- [ ] ${"*".repeat(size)}`],
  ["one line of dashes and spaces", (size) => `${"- ".repeat(size / 2)}x`],
  ["one line of quotes", (size) => ">".repeat(size)],
  ["one line of digits", (size) => `- [ ] ${"1.".repeat(size / 2)}`],
  ["one line of words for dependencies", (size) => `- [ ] 1. ${"(depends on ".repeat(size / 12)}`],
  ["a comment that nothing closes", (size) => `<!--${"\n- [ ] a".repeat(size / 8)}`],
  ["many comments that nothing closes", (size) => "<!-- a\n".repeat(size / 7)],
  ["many fences that nothing closes", (size) => "```a\n".repeat(size / 5)],
  ["fences of falling length", (size) => fallingFences(size)],
  ["fences in items that nothing closes", (size) => "- ```a\n  ```b\n".repeat(size / 13)],
  ["fences that a later fence closes", (size) => reopened(size, "```a\n", "```\n")],
  ["fences of rising length that a later fence closes", (size) => risingFences(size)],
  ["comments that a later comment closes", (size) => reopened(size, "<!-- a\n", "-->\n")],
  ["fences in items that a later fence closes", (size) => reopenedInItems(size)],
  ["lists in lists", (size) => nestedLists(size)],
  ["blank lines in deep lists", (size) => `${"- ".repeat(30)}a\n${"\n".repeat(size)}`],
  [
    "a table of states and blanks",
    (size) => `| Status |\n${" ".repeat(4_000)}x\n`.repeat(size / 4_012),
  ],
  [
    "a table of many columns",
    (size) => `${"|".repeat(2_000)}\n${"|-".repeat(1_000)}|\n${"| 1 | done |\n".repeat(size / 13)}`,
  ],
  ["tables of work", (size) => "| # | Status |\n|--|--|\n| 1 | ✅ a |\n\n".repeat(size / 36)],
  ["headings", (size) => "# a\n".repeat(size / 4)],
  [
    "overviews before tasks a level too deep",
    (size) => "## Overview\n### Task 1: a\n".repeat(size / 26),
  ],
  ["headings with boxes", (size) => "## [ ] a\n### b\n".repeat(size / 15)],
  ["headings with steps", (size) => "### Task 1: a\n- [ ] Step 1: b\n".repeat(size / 31)],
  [
    "headings that are tasks without a step",
    (size) => `### Task 1: a\n- [ ] Step 1: b\n${"### Task 2: a\n".repeat(size / 15)}`,
  ],
  [
    "one heading with many steps",
    (size) => `### Task 1: a\n${"- [ ] Step 1: b\n".repeat(size / 16)}`,
  ],
  [
    "rows that headings tell more of",
    (size) =>
      `${"- [ ] Task 1: a\n".repeat(size / 32)}${"### Task 1: a\n- [ ] b\n".repeat(size / 32)}`,
  ],
  [
    "rows outside of a section",
    (size) => `## Tasks\n- [ ] a\n## Log\n${"- [ ] a\n".repeat(size / 8)}`,
  ],
  ["a heading of words", (size) => `## ${"criteria final ".repeat(size / 15)}\n- [ ] a`],
  ["headings of signs", (size) => "## 1. ✅ **a** ✅ :\n".repeat(size / 18)],
  ["notes below a row", (size) => `- [ ] 1. A\n${"  - BLOCKED: none of it\n".repeat(size / 24)}`],
  ["one line of a verdict", (size) => `- [x] F1. ${"VERDICT: REJECT ".repeat(size / 16)}`],
  ["rows of one title", (size) => "- [ ] a\n".repeat(size / 8)],
  ["rows that depend on each other", (size) => chain(size / 40)],
  [
    "rows that depend on one row",
    (size) => `- [ ] 1. A\n${"- [ ] B (depends on 1)\n".repeat(size / 23)}`,
  ],
  ["ranges over everything", (size) => "- [ ] T1. A (depends on T1-T9)\n".repeat(size / 31)],
  ["rows below one row", (size) => `- [ ] 1. A\n${"  - [ ] b\n".repeat(size / 10)}`],
  ["an open front matter", (size) => `---\n${"a: [\n".repeat(size / 5)}`],
  ["front matter of aliases", (size) => `---\na: &a [${"x,".repeat(size / 2)}]\n---\n`],
  ["a table of tags", (size) => "- [P] a\n".repeat(size / 8)],
  ["lone carriage returns", (size) => "- [ ] a\r".repeat(size / 8)],
  [
    "a status and all that may stand beside it",
    (size) => statuses(size, "(2026-01-02) by Ann, #12 5/5 "),
  ],
  ["a status and a digit again and again", (size) => statuses(size, "1 ")],
  ["a heading of a number and blanks", (size) => `## 第1${" ".repeat(size)}!\n- [x] a`],
  ["numbers in front of rows", (size) => "1. b\n\n- [x] a\n".repeat(size / 14)],
  ["numbered rows without a box", (size) => `- [x] a\n${"1. b\n".repeat(size / 5)}`],
  ["headings without a box", (size) => `- [x] a\n${"### T1.1: b\n".repeat(size / 12)}`],
  ["rows in code", (size) => `- [x] a\n${"- `[ ]` b `c` [ d\n".repeat(size / 18)}`],
  ["a row of many words before its box", (size) => `- [x] a\n- ${"`a: [ ]= ".repeat(size / 9)}`],
  ["a legend without end", (size) => `Legend: ${"[~] ".repeat(size / 4)}`],
]

test.each(shapes)("reads %s in linear time", async (_, build) => {
  expect(await tooSlowFor(build)).toBeNull()
})

test.each([
  { indent: 0, what: "a tasks.json of one line" },
  { indent: 2, what: "a tasks.json of many lines" },
])("reads $what in linear time", async ({ indent }) => {
  const build = (size: number) => JSON.stringify({ tasks: tasksJson(size / 12) }, null, indent)
  expect(await tooSlowFor(build, { path: "tasks.json" })).toBeNull()
})

/** Plans of data; a JSON plan is told by its path, todos by the front matter. */
const data: [string, (size: number) => string][] = [
  ["stories on one line", (size) => JSON.stringify({ userStories: stories(size / 40) })],
  ["stories on many lines", (size) => JSON.stringify({ userStories: stories(size / 40) }, null, 2)],
  ["features of one title", (size) => JSON.stringify(stories(size / 40))],
  [
    "stories that depend on each other",
    (size) =>
      JSON.stringify({
        userStories: stories(size / 60).map((one) => ({ ...one, dependsOn: [1] })),
      }),
  ],
  ["lists in lists", (size) => "[".repeat(size)],
  ["objects in objects", (size) => '{"features":'.repeat(size / 12)],
  [
    "blanks before a key that is missing",
    (size) => `{"userStories":[{"id":1,"title":"a${" ".repeat(size)}b"},{"passes":true}]}`,
  ],
  ["one text", (size) => JSON.stringify([{ title: "a ".repeat(size / 2), passes: false }])],
  ["keys without an end", (size) => `{${'"a":1,'.repeat(size / 6)}"features":[]}`],
  ["status words", (size) => `[${'{"status":"- _-"},'.repeat(size / 18)}{}]`],
]

test.each(data)("reads a JSON plan of %s in linear time", async (_, build) => {
  expect(await tooSlowFor(build, { path: "prd.json" })).toBeNull()
})

test.each(data)("marks a task of a JSON plan of %s in linear time", async (_, build) => {
  const mark = (text: string) => {
    const [task] = parsePlan(text, { path: "prd.json" }).tasks
    if (task !== undefined) markTask(text, task, "done")
  }
  expect(await tooSlow(mark, build, { sizes: LARGE })).toBeNull()
})

/** Front matter over 64 kB is skipped, so these are long in their entries or behind them. */
test.each([
  {
    what: "todos",
    build: (size: number) => todos(Math.min(size, 60_000)) + "a\n".repeat(size / 2),
  },
  { what: "boxes below", build: (size: number) => todos(100) + "- [ ] a\n".repeat(size / 8) },
  { what: "too many todos", build: (size: number) => todos(size) },
  {
    what: "a status and blanks",
    build: (size: number) =>
      todos(1).replace("pending", `pending${" ".repeat(Math.min(60_000, size))}.`),
  },
  { what: "one long todo", build: (size: number) => todos(1).replace("T", "a ".repeat(size / 2)) },
])("reads $what of front matter in linear time", async ({ build }) => {
  expect(await tooSlowFor(build)).toBeNull()
  const mark = (text: string) => {
    const [task] = parsePlan(text).tasks
    if (task !== undefined) markTask(text, task, "done")
  }
  expect(await tooSlow(mark, build, { sizes: [15_000, 60_000] })).toBeNull()
})

test("a JSON plan of 10 MB and an issue list of 10 MB are read", () => {
  const description = "Say what it holds, and why."
  const told = stories(90_000).map((story) => ({ ...story, description }))
  const whole = JSON.stringify({ userStories: told }, null, 2)
  expect(whole.length).toBeGreaterThan(10_000_000)
  expect(parsePlan(whole, { path: "prd.json" }).counts.total).toBe(90_000)
  const issues = '{"id":"a-1","status":"open"}\n'.repeat(360_000)
  expect(issues.length).toBeGreaterThan(10_000_000)
  expect(parsePlan(issues, { path: "issues.jsonl" }).state).toBe("invalid")
})

test("boxes are added to a plan of 10 MB, before its rows or its headings", () => {
  const many = (line: (at: number) => string) =>
    Array.from({ length: 20_000 }, (_, at) => `${line(at + 1)} ${"a ".repeat(260)}`).join("\n")
  for (const text of [many((at) => `${at}.`), many((at) => `## Step ${at}`)]) {
    expect(text.length).toBeGreaterThan(10_000_000)
    const added = addLikeliest(text, "a.md")
    expect(added.ok && added.added.length).toBe(20_000)
  }
})

test("boxes are added to lines that are given one by one in linear time", async () => {
  const build = (size: number) => {
    const text = "- a\n".repeat(size / 4)
    return { text, typed: Array.from({ length: size / 8 }, (_, at) => 2 * at + 1).join(",") }
  }
  const add = ({ text, typed }: ReturnType<typeof build>) => addBoxes(text, "a.md", typed)
  expect(add(build(80_000)).ok).toBe(true)
  expect(await tooSlow(add, build, { sizes: [20_000, 80_000] })).toBeNull()
})

test("reads 200,000 headings and a line of 5 MB", () => {
  expect(parsePlan("# a\n".repeat(200_000)).state).toBe("invalid")
  expect(parsePlan(`- [ ] 1. ${"a ".repeat(2_500_000)}`).counts.total).toBe(1)
})

test("shows 200,000 lines that were skipped", () => {
  const plan = parsePlan("- [P] a\n".repeat(200_000))
  expect(planText("a.md", plan, 80)).toContain("200000 lines were skipped")
})

function tooSlowFor(build: (size: number) => string, options: ParseOptions = {}) {
  return tooSlow((text: string) => parsePlan(text, options), build, { sizes: LARGE })
}

function tasksJson(count: number) {
  return Array.from({ length: count }, (_, at) => ({ id: at, title: "A", status: "done" }))
}

function stories(count: number) {
  return Array.from({ length: count }, (_, at) => ({ id: at, title: "A", passes: at % 2 === 0 }))
}

function todos(size: number): string {
  const entry = "  - id: a\n    content: T\n    status: pending\n"
  return `---\ntodos:\n${entry.repeat(Math.max(1, size / entry.length))}---\n`
}

function statuses(size: number, remark: string): string {
  const line = `**Status:** Done ${remark.repeat(Math.floor(380 / remark.length))}`
  return `### Task 1: a\n${line}\n\n`.repeat(size / (line.length + 16))
}

function fallingFences(size: number): string {
  const openers = Array.from({ length: Math.sqrt(size) }, (_, at) =>
    "`".repeat(Math.sqrt(size) - at + 3),
  )
  return `${openers.join("a\n")}\n${"a\n".repeat(size / 2)}`
}

/** Each opener finds the one end far below, and rows and an opener before it. */
function reopened(size: number, opener: string, end: string): string {
  const half = size / 2 / opener.length
  return `${opener.repeat(half)}- [ ] a\n${opener.repeat(half)}${end}`
}

function risingFences(size: number): string {
  const count = Math.sqrt(size)
  const openers = Array.from({ length: count }, (_, at) => `${"`".repeat(at + 3)}a`)
  return `${openers.join("\n")}\n- [ ] a\n${"`".repeat(count + 3)}a\n${"a\n".repeat(size / 2)}${"`".repeat(count + 3)}`
}

function reopenedInItems(size: number): string {
  return `- a\n${reopened(size, "  ```a\n", "  ```\n")}`
}

function nestedLists(size: number): string {
  const depth = Math.floor(Math.sqrt(size))
  return Array.from({ length: depth }, (_, at) => `${"  ".repeat(at)}- [ ] a`).join("\n")
}

function chain(rows: number): string {
  return Array.from({ length: rows }, (_, at) => `- [ ] ${at + 1}. A (depends on ${at})`)
    .join("\n")
    .replace(" (depends on 0)", "")
}
