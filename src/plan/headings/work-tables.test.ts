import { expect, test } from "bun:test"
import { addBoxes } from "../add-boxes.ts"
import { parsePlan } from "../parse-plan.ts"

const COUNTED = "| # | Increment |\n|---|---|\n| 1 | Dig |\n| 2 | Fill |\n"

function told(text: string): readonly string[] {
  return parsePlan(text).warnings.map(({ line, rule }) => `${line} ${rule}`)
}

test.each([
  { name: "with a number each", rows: "| 1 | Dig |\n| 2 | Fill |\n" },
  { name: "with numbers before their names", rows: "| 1. Dig | a |\n| 2. Fill | b |\n" },
  { name: "with ids", rows: "| M1 | Dig |\n| M2 | Fill |\n" },
  { name: "with ticks", rows: "| Dig | ✅ |\n| Fill | ✅ |\n" },
])("a plan that is a table of rows $name is told as one", ({ rows }) => {
  expect(told(`# Roadmap\n\n| A | B |\n|---|---|\n${rows}`)).toContain("3 status-table")
})

test("a table whose head says that its rows are tasks is told as one", () => {
  const text = "# P\n\n## Tasks\n\n| Task | Owner |\n|---|---|\n| Dig | Ann |\n| Fill | Bob |\n"
  expect(told(text)).toEqual(["5 status-table"])
})

const TASKS = "| ID | Task | Owner |\n|---|---|---|\n| T01 | Dig | Ann |\n| T02 | Fill | Bob |\n"

test.each([...["Task ownership summary", "Summary", "Ownership", "Phase 1 — Build", "Team"]])(
  "a table of counted tasks is told as one below %j too",
  (heading) => {
    expect(told(`# P\n\n## ${heading}\n\n${TASKS}`)).toEqual(["5 status-table"])
  },
)

test("one that counts anything is told below a phase", () => {
  const phases = `# P\n\n## Phase 1: Build\n\n${COUNTED}\n## Overview\n\n### Phase 2: Ship\n`
  expect(told(phases)).toEqual(["5 status-table"])
})

test("of a table that shows open boxes just these are told", () => {
  const text = "# P\n\n| A | B |\n|---|---|\n| Dig | ☑ |\n| Fill | ☐ |\n"
  expect(told(text)).toEqual(["6 no-rows"])
})

test("the message says how many rows there are, how many have a tick, and what would be needed", () => {
  const text = "# P\n\n## Milestones\n\n| # | A |\n|--|--|\n| 01 ✅ | Dig |\n| 02 | Fill |\n"
  expect(parsePlan(text).warnings.map(({ message }) => message)).toEqual([
    'A table lists 2 rows, 1 of them with a tick, the first "01 ✅ Dig"; its rows cannot be ticked: write each as a row with a box, `- [ ] 1. Title`.',
  ])
})

test.each([
  { name: "below a heading of what stands beside", text: `# P\n\n## Risks\n\n${COUNTED}` },
  { name: "below a heading that names no work", text: `# P\n\n## Stack\n\n${COUNTED}` },
  { name: "of tasks that were done", text: `# P\n\n## Completed tasks\n\n${TASKS}` },
  { name: "of tasks that come later", text: `# P\n\n## Future work\n\n${TASKS}` },
  {
    name: "of tasks that have no number",
    text: "# P\n\n## Summary\n\n| Task | Owner |\n|---|---|\n| Dig | Ann |\n| Fill | Bob |\n",
  },
  { name: "in a fence", text: `# P\n\n\`\`\`\n${COUNTED}\`\`\`\n` },
  { name: "of figures", text: "# Plan\n\n| Users | Cost |\n|---|---|\n| 10 | 2 |\n| 5 | 1 |\n" },
  {
    name: "beside headings of the work",
    text: `# Plan\n\n${COUNTED}\n## Step 1: A\nx\n## Step 2: B\nx\n`,
  },
])("a table $name is none", ({ text }) => {
  expect(told(text).filter((each) => each.endsWith("status-table"))).toEqual([])
})

test("beside a table of the work a list below no heading of work gets no box, and one below such a heading does", () => {
  const list = "1. Add a door\n2. Add a wall\n"
  expect(addBoxes(`# P\n\n## Milestones\n\n${COUNTED}\n## House\n\n${list}`, "a.md").ok).toBe(false)
  expect(addBoxes(`# P\n\n## House\n\n${list}`, "a.md").ok).toBe(true)
  const order = `# Plan\n\n${COUNTED}\n## Release sequence\n\n${list}`
  expect(addBoxes(order, "a.md").ok).toBe(true)
  expect(told(order)).toEqual(["3 status-table", "10 no-boxes"])
})

test("rows below a heading of what was done are no work beside a table", () => {
  const text = `# Roadmap\n\n## What "finished" means\n\n1. It runs.\n2. It ends.\n\n## Milestones\n\n${COUNTED}`
  expect(told(text)).toEqual(["10 status-table"])
})

test.each([
  { rows: "| 1 | Done |\n| 2 | **CANCELLED** |\n", isLeft: false },
  { rows: "| 1 | Done |\n| 2 | Not started |\n", isLeft: true },
  { rows: "| 1 | Done |\n| 2 | see below |\n", isLeft: true },
  { rows: "", isLeft: true },
])("a table whose states are all settled asks for no row: $isLeft of $rows", ({ rows, isLeft }) => {
  const table = (states: string) => `| # | Status |\n|---|---|\n${states}\n`
  const said = (text: string) => parsePlan(text).warnings.map(({ message }) => message)
  const [message = ""] = said(`# P\n\n## Map\n\n${table(rows)}`)
  expect([message.includes("write each"), message.includes("no row of it is left")]).toEqual([
    isLeft,
    !isLeft,
  ])
  expect(said(`# P\n\n${table(rows)}${table("| 3 | todo |\n")}`).join()).toContain("write each")
})

test("so does a table below the state that they have, and one with a tick in each row", () => {
  const said = (text: string) => parsePlan(text).warnings.map(({ message }) => message)
  const board = "| ID | T |\n|---|---|\n| A1 | b |\n"
  expect(said(`# Board\n\n## Done (1)\n\n${board}`)).toEqual([
    'A table says how far things are ("| ID | T |"); no row of it is left to do.',
  ])
  expect(said("# P\n\n| A | B |\n|---|---|\n| Dig | ✅ |\n| Fill | ✅ |\n")).toEqual([
    'A table lists 2 rows, all with a tick, the first "Dig ✅"; no row of it is left to do.',
  ])
})
