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
  expect(printShard({ planPath: "plans/a.md", shard, count: 1, lines })).toBe(`---
plan: "plans/a.md"
shard: 1
shards: 1
tasks:
  - { key: "todo:1", title_hash: "${hashes[0]}" }
  - { key: "todo:2", title_hash: "${hashes[1]}" }
  - { key: "todo:3", title_hash: "${hashes[2]}" }
---

- [x] 1. Add the table
  What to do: a table
  - [ ] its test

- [ ] 2. Add the "route": /login

Prose between the sections.

- [!] 3. Add the docs
  - BLOCKED: no words
`)
})
test("its tasks read as they do in the plan", () => {
  if (shard === undefined) throw new Error("no shard")
  const again = parsePlan(printShard({ planPath: "a.md", shard, count: 1, lines })).tasks
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
  const printed = printShard({ planPath: "prd.json", shard: whole, count: 1, lines: [text] })
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
