// Emphasis around a box.
import { expect, test } from "bun:test"
import { markTask } from "../mark-task.ts"
import { parsePlan } from "../parse-plan.ts"
import { readHeadingBox, readLineBox } from "./box.ts"

const ROWS =
  "1. **[x] Dig** the hole\n2. **[ ] Fill** it\n- __[ ] Path__\n- *[~]* Wall\n- **[x]** Gate\n"

test("a box that emphasis begins in front of is a row's like any other", () => {
  const { tasks } = parsePlan(ROWS)
  expect(tasks.map(({ title, marker, line }) => [line, marker, title])).toEqual([
    [1, "x", "Dig the hole"],
    [2, " ", "Fill it"],
    [3, " ", "Path__"],
    [4, "~", "Wall"],
    [5, "x", "Gate"],
  ])
})

test("its mark is written between its brackets, and nothing else", () => {
  const marked = parsePlan(ROWS).tasks.map((task) => {
    const found = markTask(ROWS, task, task.state === "done" ? "open" : "done")
    return found.ok ? found.text.split("\n")[task.line - 1] : found.message
  })
  expect(marked).toEqual([
    "1. **[ ] Dig** the hole",
    "2. **[x] Fill** it",
    "- __[x] Path__",
    "- *[x]* Wall",
    "- **[ ]** Gate",
  ])
})

test("a tag in emphasis is no box", () => {
  expect(parsePlan("- [ ] a\n- **[P1]** b\n- **[WIP] c**\n- **[a](b)** c\n").tasks).toHaveLength(1)
})

test("a text that says it is done beside an open box stays open, with a warning", () => {
  const rules = (row: string) => parsePlan(`${row}\n`).warnings.map(({ rule }) => rule)
  expect(rules("- [ ] **Task 1: Dig** ✅ DONE (2026-01-02)")).toEqual(["done-text"])
  expect(rules("- [ ] ~~Dig~~")).toEqual(["done-text"])
  expect(rules("- [ ] ~~Dig~~ (not needed, see ADR 12)")).toEqual(["done-text"])
  expect(rules("- [ ] ~~Dig~~ (still needed)")).toEqual([])
  expect(rules("- [ ] ~~Dig~~ Fill (deep)")).toEqual([])
  expect(rules("- [ ] Dig (done)")).toEqual(["done-text"])
  expect(rules("- [x] Dig ✅")).toEqual([])
  expect(rules("- [ ] Show ✅ beside what is done")).toEqual([])
  expect(rules("- [ ] Dig ✅ (mostly done)")).toEqual([])
  expect(rules("- [ ] Show the spinner (waiting for the server)")).toEqual([])
  expect(rules("- [ ] Add the status (blocked)")).toEqual([])
  expect(rules("- [ ] Write `Sprint 1: ✅ Complete`")).toEqual([])
  expect(rules("- [ ] Dig `a.ts` ✅ Done")).toEqual(["done-text"])
  expect(rules("- [ ] Draw — blocked-users page")).toEqual([])
})

test.each([
  { row: "- [ ] Dig (done)", says: "says done", rule: "done-text" },
  { row: "- [ ] ~~Dig~~ (done)", says: "is struck out", rule: "done-text" },
  { row: "- [ ] Dig (won't do)", says: 'says "won\'t do"', rule: "held-text" },
  {
    row: "- [ ] Dig (deferred - needs a spade that the smith has not made so far)",
    says: 'says "deferred"',
    rule: "held-text",
  },
  { row: "- [ ] Dig — on hold", says: 'says "on hold"', rule: "held-text" },
  { row: "- [ ] Dig [blocked]", says: 'says "blocked"', rule: "held-text" },
  { row: "- [ ] Dig - SKIPPED", says: 'says "SKIPPED"', rule: "held-text" },
  { row: "- [ ] Dig (skipped)", says: 'says "skipped"', rule: "held-text" },
  { row: "- [ ] Dig 跳过", says: 'says "跳过"', rule: "held-text" },
])("$row: the box counts, and the warning says so", ({ row, says, rule }) => {
  const { tasks, warnings } = parsePlan(`${row}\n`)
  const message = `The text ${says}, but the box is open: the task stays open.`
  expect([tasks.map(({ state }) => state), warnings]).toEqual([
    ["open"],
    [{ line: 1, rule, message }],
  ])
})

test.each([
  "### [NEW] pump.ts",
  "#### [New] pump.ts",
  "## [P1] Pump",
  "## [1.1.0] - May",
  "### 1. [NEW] a",
])("a tag before a heading's words is no box: %j", (line) => {
  expect(readHeadingBox(line)).toBeNull()
})

test.each([
  "### [ ] a",
  "### [x] a",
  "### 1. [DONE] a",
  "## [TODO] a",
  "### [review] a",
  "## [!] a",
])("a marker before a heading's words is one: %j", (line) => {
  expect(readHeadingBox(line)).not.toBeNull()
})

test.each([
  "## Setup [DONE]",
  "## Phase 1：Setup [COMPLETE]",
  "### 阶段一：基础 [ ] ##",
  "### Pump [x]",
])("what a heading ends in is no box: %j", (line) => {
  expect(readHeadingBox(line)).toBeNull()
})

test("rows below a heading that ends in a state stay tasks, and say so of an open box", () => {
  const text =
    "# P\n\n## Setup [COMPLETE]\n- [x] Dig\n- [x] Fill\n\n## Pumps [PENDING]\n- [ ] Buy\n"
  expect(parsePlan(text).tasks.map(({ title }) => title)).toEqual(["Dig", "Fill", "Buy"])
  const open = parsePlan("# P\n\n## Setup [ ]\n\n## Pumps [ ]\n")
  expect(open.warnings.map(({ rule }) => rule)).toEqual(["no-rows"])
})

test.each(["### [ ] Dig ##", "### 1. [x] Dig #", "- ### [ ] Dig ##"])(
  "the signs that close a heading are none of its words: %j",
  (line) => {
    expect(readLineBox(line)?.text).toMatch(/Dig$/)
  },
)
