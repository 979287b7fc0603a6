import { expect, test } from "bun:test"
import { addLikeliest } from "../../../test/support/likeliest-boxes.ts"
import { parsePlan } from "../parse-plan.ts"

const COUNTED = "| # | Increment |\n|---|---|\n| 1 | Dig |\n| 2 | Fill |\n"

const table = (head: string, ...rows: string[]) =>
  `| ${head} |\n|${"---|".repeat(head.split("|").length)}\n${rows.map((row) => `| ${row} |\n`).join("")}\n`

const said = (text: string) =>
  parsePlan(text).warnings.flatMap(({ line, rule, message }) =>
    rule === "status-table" ? [`${line} ${message.slice(0, message.indexOf(": rows of"))}`] : [],
  )

function told(text: string): readonly string[] {
  return parsePlan(text).warnings.map(({ line, rule }) => `${line} ${rule}`)
}

test.each([
  { name: "with a number each", rows: "| 1 | Dig |\n| 2 | Fill |\n" },
  { name: "with numbers before their names", rows: "| 1. Dig | a |\n| 2. Fill | b |\n" },
  { name: "with ids", rows: "| M1 | Dig |\n| M2 | Fill |\n" },
  { name: "with ticks", rows: "| Dig | ⬜ |\n| Fill | ✅ |\n" },
])("a plan that is a table of rows $name is told as one", ({ rows }) => {
  expect(told(`# Roadmap\n\n| A | B |\n|---|---|\n${rows}`)).toContain("5 status-table")
})

test("a table whose head says that its rows are tasks is told as one", () => {
  const text = "# P\n\n## Tasks\n\n| Task | Owner |\n|---|---|\n| Dig | Ann |\n| Fill | Bob |\n"
  expect(told(text)).toEqual(["7 status-table"])
})

const TASKS = "| ID | Task | Owner |\n|---|---|---|\n| T01 | Dig | Ann |\n| T02 | Fill | Bob |\n"

test.each([...["Task ownership summary", "Summary", "Ownership", "Phase 1 — Build", "Team"]])(
  "a table of counted tasks is told as one below %j too",
  (heading) => {
    expect(told(`# P\n\n## ${heading}\n\n${TASKS}`)).toEqual(["7 status-table"])
  },
)

const named = (heading: string, head: string, ...rows: string[]) => {
  const text = `# Pond\n\nWords.\n\n## ${heading}\n\n${table(head, ...rows)}`
  return told(text).filter((each) => each.endsWith("status-table")).length
}

test.each([
  { heading: "Module breakdown", head: "# | Module | Owner | Effort", row: "Pump | Ann | 2d" },
  { heading: "Overview", head: "Task | Owner | Status", row: "Ann | " },
  { heading: "What we build", head: "Feature | Priority | Complexity", row: "High | Low" },
  { heading: "Timeline", head: "Phase | Deliverable | Duration", row: "Pit | 2 weeks" },
  { heading: "模块划分", head: "任务 | 负责人 | 预计工时", row: "张三 | 3天" },
  { heading: "Überblick", head: "Nr. | Arbeitspaket | Aufwand", row: "Grube | 2 PT" },
])("what is planned of its rows makes a table one of work: $head below $heading", (each) => {
  const first = /^(?:#|Nr)/.test(each.head) ? ["1", "2"] : ["Dig it", "Fill it"]
  const rows = first.map((cell) => `${cell} | ${each.row}`)
  expect(named(each.heading, each.head, ...rows)).toBe(1)
  expect(named("What will not change", each.head, ...rows)).toBe(0)
})

test.each([
  { head: "Component | Owner", row: "Ann" },
  { head: "Feature | Free | Status", row: "no | Beta" },
  { head: "Metric | Target | Owner | Due date", row: "3 ms | Ann | Monday" },
  { head: "# | Question | Owner | Due", row: "Which pump | Ann | Monday" },
  { head: "# | Option | Effort | Complexity", row: "A pump | low | low" },
  { head: "# | Risk | Owner | Priority", row: "It leaks | Ann | high" },
  { head: "Package | Version | Status", row: "3 | stable" },
  { head: "Option | Default | Description", row: "5 | how deep" },
])("a table of what is so is none: $head", ({ head, row }) => {
  const rows = ["1", "2"].map(
    (number) => `${head.startsWith("#") ? number : `pump${number}`} | ${row}`,
  )
  expect(named("Details", head, ...rows)).toBe(0)
})

test.each([
  ...[
    { heading: "里程碑与验收", head: "里程碑" },
    { heading: "Etapas del trabajo", head: "Etapa" },
  ],
  { heading: "Phase overview", head: "Phase" },
  { heading: "Milestones and acceptance", head: "Milestone" },
])("one that counts units is told below $heading", ({ heading, head }) => {
  const milestones = `| ${head} | Output |\n|---|---|\n| **M0 Dig** ✅ | Pit |\n| **M1 Fill** | Pond |\n`
  expect(told(`# P\n\n## ${heading}\n\n${milestones}`)).toEqual(["8 status-table"])
  expect(told(`# P\n\n## Risk overview\n\n${milestones}`)).toEqual([])
})

test("one that counts anything is told below a phase", () => {
  const phases = `# P\n\n## Phase 1: Build\n\n${COUNTED}\n## Overview\n\n### Phase 2: Ship\n`
  expect(told(phases)).toEqual(["7 status-table"])
})

test("one of other work than that of the likeliest headings is told beside them, and an overview of theirs is not", () => {
  const table = "| Step | Task |\n|---|---|\n| 1 | Dig |\n| 2 | Fill |\n| 3 | Plant |\n"
  const steps = (first: string) =>
    told(`# P\n\n## Plan\n\n${table}\n## Step 1: ${first}\nx\n## Step 2: Send\nx\n`)
  expect(steps("Watch")).toEqual(["7 status-table", "11 no-boxes"])
  expect(steps("Dig")).toEqual(["11 no-boxes"])
})

test("a table that shows open boxes is told as one, and as nothing else", () => {
  const text = "# P\n\n| A | B |\n|---|---|\n| Dig | ☑ |\n| Fill | ☐ |\n"
  expect(told(text)).toEqual(["6 status-table"])
})

test("the message says how many rows there are, how many are not done, and what would be needed", () => {
  const text = "# P\n\n## Milestones\n\n| # | A |\n|--|--|\n| 01 ✅ | Dig |\n| 02 | Fill |\n"
  expect(parsePlan(text).warnings.map(({ message }) => message)).toEqual([
    'A table lists 2 rows of work, 1 of them not done, the first "02 Fill": rows of a table cannot be ticked; write each that is a task as a row with a box, `- [ ] 1. Title`.',
  ])
})

test.each([
  { name: "below a heading of what stands beside", text: `# P\n\n## Risks\n\n${COUNTED}` },
  { name: "below a heading that names no work", text: `# P\n\n## Stack\n\n${COUNTED}` },
  { name: "of tasks that were done", text: `# P\n\n## Completed tasks\n\n${TASKS}` },
  { name: "of tasks that come later", text: `# P\n\n## Future work\n\n${TASKS}` },
  {
    name: "of who owns what",
    text: "# P\n\n## Summary\n\n| Module | Owner |\n|---|---|\n| Pit | Ann |\n| Pump | Bob |\n",
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
  expect(addLikeliest(`# P\n\n## Milestones\n\n${COUNTED}\n## House\n\n${list}`, "a.md").ok).toBe(
    false,
  )
  expect(addLikeliest(`# P\n\n## House\n\n${list}`, "a.md").ok).toBe(true)
  const order = `# Plan\n\n${COUNTED}\n## Release sequence\n\n${list}`
  expect(addLikeliest(order, "a.md").ok).toBe(true)
  expect(told(order)).toEqual(["5 status-table", "10 no-boxes"])
})

test("rows below a heading of what was done are no work beside a table", () => {
  const text = `# Roadmap\n\n## What "finished" means\n\n1. It runs.\n2. It ends.\n\n## Milestones\n\n${COUNTED}`
  expect(told(text)).toEqual(["12 status-table"])
})

test.each([
  { rows: "| 1 | Done |\n| 2 | **CANCELLED** |\n", isLeft: false },
  { rows: "| 1 | Done |\n| 2 | Not started |\n", isLeft: true },
  { rows: "| 1 | Done |\n| 2 | see below |\n", isLeft: true },
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
    "A table lists 1 row of work; no row of it is left to do.",
  ])
  for (const heading of ["1. Done (v1.1)", "一、已完成（v1.1）", "二、已上线"]) {
    const rules = "## 3. Engineering conventions\n\n- Rule one\n"
    const later = `## 2. Deferred items\n\n${board}`
    expect(said(`# Board\n\n## ${heading}\n\n${board}\n${later}\n${rules}`)).toEqual([
      "A table lists 1 row of work; no row of it is left to do.",
    ])
  }
  expect(said("# P\n\n| A | B |\n|---|---|\n| Dig | ✅ |\n| Fill | ✅ |\n")).toEqual([
    "A table lists 2 rows of work; no row of it is left to do.",
  ])
})

const PHASES_DONE = table("Phase | State", "0 | ✅ Done", "1 | ✅ Done")
const OUTSTANDING = `## Still outstanding\n\n${table("# | Item | Notes", "6.4 | Service registry | Not built", "10.2 | Accessibility | Thin")}`

test.each([
  {
    name: "several tables",
    text: `${TASKS}\n### B\n\n${TASKS}`,
    is: '2 tables list 4 rows of work, the first "T01 Dig"',
  },
  {
    name: "an open table behind a finished one",
    text: `${PHASES_DONE}${OUTSTANDING}`,
    is: 'A table lists 2 rows of work, the first "6.4 Service registry"',
  },
  {
    name: "two open tables",
    text: `${PHASES_DONE.replace("1 | ✅ Done", "1 | 🟡 Partial")}${OUTSTANDING}`,
    is: '2 tables list 4 rows of work, 3 of them not done, the first "1"',
  },
  {
    name: "what is left, without a number",
    text: `## Remaining\n\n${table("Item | Notes", "The registry | Not built")}`,
    is: 'A table lists 1 row of work, the first "The registry"',
  },
  {
    name: "a row that says done and explains it",
    text: table(
      "Phase | State",
      "0 | ✅ Done — fail-then-fix, but for the first",
      "1 | ✅ Done — the first broker",
      "2 | todo",
    ),
    is: 'A table lists 3 rows of work, 2 of them not done, the first "0"',
  },
  {
    name: "a column of states with another head",
    text: table(
      "ID | Summary | Stage | Note",
      "B1 | Dig it | Done | c 1",
      "T2 | Fill it | Done | docs ✓",
      "F3 | Add fish | Design | -",
    ),
    is: 'A table lists 3 rows of work, 1 of them not done, the first "F3 Add fish"',
  },
  {
    name: "groups within it",
    text: table("ID | Task | Status", "**HOME** | | ", "H1 | Dig | done", "H2 | Fill it | 📋"),
    is: 'A table lists 2 rows of work, 1 of them not done, the first "H2 Fill it"',
  },
  {
    name: "pull requests",
    text: `## PR matrix\n\n${table("ID | Branch | PR title", "D-0 | a/spec | docs: design", "D-1 | a/asm | feat: data")}`,
    is: 'A table lists 2 rows of work, the first "D-0 a/spec docs: design"',
  },
  {
    name: "tasks in a third column",
    text: `## Matrix\n\n${table("ID | Branch | Task", "D-0 | a/spec | design", "D-1 | a/asm | data")}`,
    is: 'A table lists 2 rows of work, the first "D-0 a/spec"',
  },
  {
    name: "crosses below a head of states",
    text: table("Step | Status", "Load it | ❌", "Split it | ❌"),
    is: 'A table lists 2 rows of work, the first "Load it"',
  },
  {
    name: "tables of one head, some in words that nobody knows",
    text: `${table("Feature | Estado", "Dig it | ✅ Hecho", "Fill it | ⏳ Planificado")}## v2\n\n${table("Feature | Estado", "Add fish | 📝 Investigación")}`,
    is: '2 tables list 3 rows of work, 2 of them not done, the first "Fill it"',
  },
  {
    name: "links, and a state behind other words",
    text: table(
      "Plan | Title | Status",
      "[01](01-a.md) | Dig it | merged — done",
      "[02](02-b.md) | Fill it | todo",
    ),
    is: 'A table lists 2 rows of work, 1 of them not done, the first "02 Fill it"',
  },
  {
    name: "phases below a heading of no work",
    text: `## Phase index\n\n${table("Phase | Name", "[0](a.md) | Dig it", "[1](b.md) | Fill it")}`,
    is: 'A table lists 2 rows of work, the first "0 Dig it"',
  },
  {
    name: "boxes in a column",
    text: table("Status | Task", "[x] | Dig it", "[ ] | Fill it", "[x] | Look"),
    is: 'A table lists 3 rows of work, 1 of them not done, the first "Fill it"',
  },
])("of $name all that is left is told at once", ({ text, is }) => {
  expect(said(`# Game\n\n${text}`).map((each) => each.replace(/^\d+ /, ""))).toEqual([is])
})

test.each([
  { name: "variables", rows: ["State | Type", "`open` | `boolean`", "`name` | `string`"] },
  { name: "variables in a second column", rows: ["Name | State", "`a` | `open`", "`b` | `done`"] },
  { name: "codes", rows: ["Status | Meaning", "200 | OK", "404 | Not found"] },
  {
    name: "a machine",
    rows: ["State | Trigger | Next", "idle | click | loading", "loading | reply | done"],
  },
  { name: "an enumeration", rows: ["Status | Label", "`pending` | Waiting", "`paid` | Paid"] },
  { name: "a legend", rows: ["Status | Meaning", "todo | not begun", "done | it runs"] },
  {
    name: "boxes that are a legend",
    rows: ["Status | Meaning", "[ ] | not begun", "[x] | it runs"],
  },
  { name: "phases of the moon", rows: ["Phase | Light", "New | none", "Full | all"] },
  { name: "limits", rows: ["Feature | Status", "`H~2~O` | Not supported", "Icons | Limited"] },
  { name: "files", rows: ["File | Status", "a.ts | New", "b.ts | Modified", "c.ts | New"] },
  { name: "decisions", rows: ["ADR | Status", "1 | Proposed", "2 | Accepted"] },
  { name: "what is had", rows: ["Variable | Required", "A | ✅", "B | ✅", "C | ❌"] },
  {
    name: "what can be done",
    rows: ["Part | Read | Write", "A | ✅ | ❌", "B | ✅ | ✅", "C | ✅ | ✅"],
  },
])("a table of $name tells no states, in a plan of headings as in one that is done", ({ rows }) => {
  const [head = "", ...others] = rows
  const text = `## States\n\n${table(head, ...others)}`
  expect(said(`# P\n\n## Steps\n### 1. Draw\nx\n### 2. Wire\nx\n${text}`)).toEqual([])
  expect(said(`# P\n\n## Tasks\n- [x] Draw\n- [x] Wire\n${text}`)).toEqual([])
})

test.each([
  { name: "with a sign and a link", row: "✅ `a.app`", isLeft: false },
  { name: "with a sign and other words", row: "✅ Working", isLeft: false },
  { name: "with a sign and a part", row: "✅ 80%", isLeft: true },
  { name: "with a sign that is taken back", row: "✅ Done, but it fails", isLeft: true },
  { name: "in words", row: "Done — by all tests", isLeft: false },
  { name: "in words that lack something", row: "Done, tests missing", isLeft: true },
  { name: "in words gainsaid by a sign", row: "❌ Done", isLeft: true },
  { name: "with a sign of what is left", row: "⏳ Manual action", isLeft: true },
  { name: "that is no state", row: "see below", isLeft: false },
  { name: "with where to look", row: "merged (see backlog) — done", isLeft: false },
  { name: "with where to look first", row: "see backlog: todo", isLeft: true },
  { name: "with what to look for", row: "done (see what is left)", isLeft: true },
])("in a plan that is done a row $name is left: $isLeft", ({ row, isLeft }) => {
  const text = `# P\n\n- [x] Dig\n\n${table("Part | Status", "A | done", `B | ${row}`)}`
  expect(said(text)).toHaveLength(isLeft ? 1 : 0)
})

test("a column of what is had is none of states below the title either", () => {
  const text = table("Variable | Required", "A | ✅", "B | ✅", "C | ❌")
  expect(said(`# P\n\n${text}## Tasks\n\n- [x] Dig\n`)).toEqual([])
})

test("beside tables that are done only bullets of what is left are told", () => {
  const bullets = (heading: string) =>
    `# P\n\n${PHASES_DONE}## ${heading}\n\n- The first\n- The second\n`
  expect(told(bullets("Remaining"))).toEqual(["3 status-table", "10 no-boxes"])
  expect(told(bullets("Direction"))).toEqual(["3 status-table"])
  expect(told(bullets("Remaining").replace("1 | ✅ Done", "1 | todo"))).toEqual([
    "6 status-table",
    "10 no-boxes",
  ])
})

test.each([
  { heading: "里程碑", head: "里程碑 | 交付" },
  { heading: "里程碑与验收", head: "里程碑 | 交付" },
  { heading: "Meilensteine", head: "Meilenstein | Ergebnis" },
  { heading: "Hitos", head: "Hito | Entrega" },
])("a table of $head below $heading is one of work", ({ heading, head }) => {
  const text = `# P\n\n## ${heading}\n\n| ${head} |\n|---|---|\n| **M0 Design** ✅ | a |\n| **M1 Frame** | b |\n| **M2 Quota** | c |\n`
  expect(parsePlan(text).warnings.map(({ message }) => message)).toEqual([
    expect.stringContaining(
      'A table lists 3 rows of work, 2 of them not done, the first "M1 Frame',
    ),
  ])
})

test.each([
  { name: "names a ticked task", row: "5. Dig the pond", is: [] },
  { name: "names none", row: "6. Build the wall", is: ["9 status-table"] },
])("a row not done that $name: $is", ({ row, is }) => {
  const tasks = "- [x] **Phase 4: Plan** - it\n- [x] **Phase 5: Dig the pond** (1 plan) - deep\n"
  const text = `# Roadmap\n\n${tasks}\n| Phase | Plans | Status |\n|---|---|---|\n| 4. Plan | 1/1 | Complete |\n| ${row} | 0/1 | Not started |\n`
  expect(told(text)).toEqual([...is])
})

const LEFT = "3 rows of work, 2 of them not done, the first"

test.each([
  {
    name: "in front",
    head: "| Status | Task |",
    rows: ["| ✅ | Dig |", "| | Fill |", "| | Rake |"],
  },
  { name: "of two", head: "| Task | Done |", rows: ["| Dig | ✅ |", "| Fill | |", "| Rake | |"] },
  {
    name: "at the end",
    head: "| # | Task | Status |",
    rows: ["| 1 | Dig | done |", "| 2 | Fill | |", "| 3 | Rake | |", "| **Total** | 3 | 5h |"],
  },
  {
    name: "below a column Done",
    head: "| ID | Slice | Risk | Done | After |",
    rows: [
      "| S01 | Dig | high | &#10004; | A |",
      "| S02 | Fill | high | ⬜ | B |",
      "| S03 | Rake | low | | C |",
    ],
  },
])("a row whose state is empty is left: $name", ({ head, rows }) => {
  const table = [head, head.replace(/[^|]+/g, "---"), ...rows].join("\n")
  const name = `${rows[1]?.match(/\b(?:S02|2) /) ?? ""}Fill`
  for (const [box, though] of [
    ["", ""],
    ["- [x] Hut\n\n", ", though no box is open"],
  ]) {
    const line = box === "" ? 6 : 8
    expect(said(`# P\n\n${box}${table}\n`)).toEqual([
      `${line} A table lists ${LEFT} "${name}"${though}`,
    ])
  }
})
