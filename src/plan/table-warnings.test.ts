import { expect, test } from "bun:test"
import { parsePlan } from "./parse-plan.ts"

const table = (head: string, ...rows: string[]) =>
  `| ${head} |\n|${"---|".repeat(head.split("|").length)}\n${rows.map((row) => `| ${row} |\n`).join("")}\n`

const STATUS = table("Phase | Status", "1. Dig | done", "2. Fill | open")

function said(text: string): readonly string[] {
  return parsePlan(text).warnings.flatMap(({ line, rule, message }) =>
    rule === "table-rows" ? [`${line} ${message.split(/: |\. /)[1]}`] : [],
  )
}

test("a table of a plan without boxes gets a message that names it, and what would be needed", () => {
  expect(parsePlan(`# P\n\n${STATUS}`).warnings).toEqual([
    {
      line: 3,
      rule: "table-rows",
      message:
        'Rows of a table cannot be ticked and are not run: "Phase | Status" (2 rows). Write each row that is a task as a list row with a box, `- [ ] 1. Title`.',
    },
  ])
})

test.each([
  {
    name: "several, the longest first",
    text: `${STATUS}${table("Risk | **Cure**", "a | b", "c | d", "e | f")}`,
    is: '8 line 8 "Risk | Cure" (3 rows), line 3 "Phase | Status" (2 rows)',
  },
  {
    name: "of one head together, a single row too",
    text: `${STATUS}${table("ID", "1")}## B\n\n${table("Phase | Status", "3 | open")}`,
    is: '3 lines 3, 14 "Phase | Status" (3 rows)',
  },
  {
    name: "more than a few of one head",
    text: STATUS.repeat(5),
    is: '3 lines 3, 8, 13, … "Phase | Status" (10 rows)',
  },
  {
    name: "more than a few heads",
    text: ["A", "B", "C", "D", "E", "F", "F"].map((head) => table(head, "1", "2", "3")).join(""),
    is: '33 lines 33, 39 "F" (6 rows), line 3 "A" (3 rows), line 9 "B" (3 rows), line 15 "C" (3 rows), and 2 more tables',
  },
  {
    name: "without a head",
    text: table(" | ", "Goal | [Pond](a.md)", "Owner | Ann"),
    is: '3 "Goal | Pond" (2 rows)',
  },
  {
    name: "without bars around",
    text: "ID | Task\n---|---\n1 | Dig\n2 | Fill\n",
    is: '3 "ID | Task" (2 rows)',
  },
])("what is told of tables: $name", ({ text, is }) => {
  expect(said(`# P\n\n${text}`)).toEqual([is])
})

test.each([
  { name: "in a fence", text: `\`\`\`\n${STATUS}\`\`\`\n` },
  { name: "in a comment", text: `<!--\n${STATUS}-->\n` },
  { name: "with a single row", text: table("Phase | Status", "1 | open") },
  { name: "without a row", text: "| A | B |\n|---|---|\n" },
  { name: "that says what marks mean", text: table("Mark | Meaning", "[ ] | open", "[x] | done") },
  { name: "beside an open box", text: `- [x] a\n- [ ] b\n\n${STATUS}` },
  { name: "of a settled task", text: `- [x] a\n\n  ${STATUS.replaceAll("\n", "\n  ")}` },
  { name: "below a heading that is a task", text: `## [x] 1. Dig\n\n${STATUS}` },
])("a table $name is not told", ({ text }) => {
  expect(said(`# P\n\n${text}`)).toEqual([])
})

test("where no box is open a table outside the tasks is told", () => {
  expect(said(`# P\n\n- [x] a\n\n## B\n\n${STATUS}`)).toEqual(['7 "Phase | Status" (2 rows)'])
})

test("open boxes in cells are said once in a plan without a task: of a table that is named no more", () => {
  const rules = (text: string) =>
    parsePlan(`# P\n\n${text}`).warnings.map(({ line, rule }) => `${line} ${rule}`)
  const boxes = table("Task | Done", "Dig | [x]", "Fill | [ ]")
  expect(rules(boxes)).toEqual(["3 table-rows"])
  expect(rules(table("Task | Done", "Fill | [ ]"))).toEqual(["5 no-rows"])
  expect(rules(`- [x] a\n\n## B\n\n${boxes}`)).toEqual(["7 table-rows", "10 no-rows"])
  const longer = ["A", "B", "C", "D"].map((head) => table(head, "1", "2", "3")).join("")
  expect(rules(longer + boxes)).toEqual(["3 table-rows", "30 no-rows"])
})

test("the tables of a known format are no tasks", () => {
  const text =
    "# Pond\n\n## TODOs\n\n- [x] 1. Dig\n\n## Waves\n\n| Wave | Tasks |\n|---|---|\n| 1 | 1 |\n| 2 | 2 |\n"
  expect(parsePlan(text, { path: ".sisyphus/plans/pond.md" }).warnings).toEqual([])
  expect(parsePlan(text.replace("TODOs", "Work")).warnings).toHaveLength(1)
})

test("a table behind the last row and an empty line is none of its words", () => {
  const table = "| Task | State |\n|---|---|\n| Build | open |\n| Ship | open |\n"
  expect(parsePlan(`# P\n\n- [x] 1. Parse\n\n${table}`).warnings).toHaveLength(1)
})

test("numbers such as 1.1 make no known format, in which tables are none of the work", () => {
  const text = `# P\n\n## Next steps\n\n${STATUS}## 1. Parser\n\n- [x] 1.1 Read\n\n## 2. Writer\n\n- [x] 2.1 Write\n`
  expect(said(text)).toEqual(['5 "Phase | Status" (2 rows)'])
})
