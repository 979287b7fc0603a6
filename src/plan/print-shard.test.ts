import { expect, test } from "bun:test"
import { splitLines } from "./model/lines.ts"
import { parsePlan } from "./parse-plan.ts"
import { detailsOf, printShard } from "./print-shard.ts"
import { shardPlan } from "./shard-plan.ts"

const TEXT = `# Plan

## TODOs

- [x] 1. Add the table
  What to do: a table
  - [ ] its test

- [ ] 2. Add the "route": /login

Prose between the sections.

### Later
- [!] 3. Add the docs
  - BLOCKED: no words
`
const lines = splitLines(TEXT)
const { tasks } = parsePlan(TEXT)
const shards = shardPlan(tasks, 12)
const [shard] = shards

test("a shard has its tasks' own lines with their marks, and says of which plan", () => {
  if (shard === undefined) throw new Error("no shard")
  const hashes = tasks.map(({ titleHash }) => titleHash)
  expect(
    printShard({ planPath: "plans/a.md", shard, count: 1, lines, tasks, isOfRows: true }).text,
  ).toBe(`---
plan: "plans/a.md"
shard: 1
shards: 1
tasks:
  - { key: "todo:1", title_hash: "${hashes[0]}" }
  - { key: "todo:2", title_hash: "${hashes[1]}" }
  - { key: "todo:3", title_hash: "${hashes[2]}" }
---

# Plan

## TODOs

- [x] 1. Add the table
  What to do: a table
  - [ ] its test

- [ ] 2. Add the "route": /login

Prose between the sections.

### Later

- [!] 3. Add the docs
  - BLOCKED: no words
`)
})
test("its tasks read as they do in the plan", () => {
  if (shard === undefined) throw new Error("no shard")
  const again = parsePlan(
    printShard({ planPath: "a.md", shard, count: 1, lines, tasks, isOfRows: true }).text,
  ).tasks
  expect(again.map(({ title, state }) => `${state} ${title}`)).toEqual(
    tasks.map(({ title, state }) => `${state} ${title}`),
  )
})
test("the details of a task are the lines below its row", () => {
  const [first, , last] = tasks
  expect(first && detailsOf(lines, first)).toBe("  What to do: a table\n  - [ ] its test")
  expect(last && detailsOf(lines, last)).toBe("  - BLOCKED: no words")
})

test("a plan without lines gives rows of our own, with what it says of each task below", () => {
  const text = JSON.stringify({
    userStories: [
      { id: "US-1", title: "Add", description: "A table.", steps: ["One", "Two"], passes: true },
      { id: "US-2", title: "Show", passes: false, notes: "BLOCKED: no words" },
    ],
  })
  const plan = parsePlan(text, { path: "prd.json" })
  const [whole] = shardPlan(plan.tasks, 12)
  if (whole === undefined) throw new Error("no shard")
  const printed = printShard({
    planPath: "prd.json",
    shard: whole,
    count: 1,
    lines: [text],
    tasks: plan.tasks,
    isOfRows: false,
  }).text
  expect(printed.split("---\n\n")[1]).toBe(`- [x] US-1: Add
  A table.
  - One
  - Two

- [!] US-2: Show
  BLOCKED: no words
`)
  expect(plan.tasks.map((task) => detailsOf([text], task))).toEqual([
    "A table.\n- One\n- Two",
    "BLOCKED: no words",
  ])
})

test("what holds for every task is in each shard, with section notes where they stood, by its own lines", () => {
  const rows = (from: number, to: number) =>
    Array.from(
      { length: to - from + 1 },
      (_, at) => `- [ ] ${from + at}. Task ${from + at}\n`,
    ).join("")
  const text = `# Plan\n\nMust NOT have: a framework.\n\n## TODOs\n\n### Phase 1\n\nPrerequisite: none.\n\n${rows(1, 12)}\n### Phase 2\n\nPrerequisite: phase 1 is done.\n\n${rows(13, 30)}\n## Success\n\nAll tests pass.\n`
  const plan = parsePlan(text)
  const cut = shardPlan(plan.tasks, 12)
  const printed = cut.map((one) =>
    printShard({
      planPath: "a.md",
      shard: one,
      count: cut.length,
      lines: splitLines(text),
      tasks: plan.tasks,
      isOfRows: true,
    }),
  )
  expect(printed.length).toBe(3)
  for (const [index, { text: shown, rules, taskRanges }] of printed.entries()) {
    const all = shown.split("\n")
    const held = all.slice((rules?.from ?? 0) - 1, rules?.to).join("\n")
    expect(held).toContain("Must NOT have: a framework.")
    expect(held).toContain("All tests pass.")
    for (const [key, { from }] of taskRanges)
      expect(all[from - 1]).toBe(`- [ ] ${key.slice(5)}. Task ${key.slice(5)}`)
    expect(shown.includes("Prerequisite: phase 1 is done.")).toBe(index > 0)
  }
})

test("a long preamble is cut at a line, and says where the rest is", () => {
  const text = `# Plan\n\n${"A rule that holds for every task of this plan.\n".repeat(400)}\n- [ ] 1. One\n`
  const plan = parsePlan(text)
  const [one] = shardPlan(plan.tasks, 12)
  if (one === undefined) throw new Error("no shard")
  const printed = printShard({
    planPath: "a.md",
    shard: one,
    count: 1,
    lines: splitLines(text),
    tasks: plan.tasks,
    isOfRows: true,
  })
  expect(printed.text.length).toBeLessThan(6_600)
  expect(printed.text).toContain("(cut: the rest is in a.md, up to line 403)")
})
