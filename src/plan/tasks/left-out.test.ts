// Open boxes in any spelling: each is a task, or it is said that it is none.
import { expect, test } from "bun:test"
import { markedPlan, shownPlan } from "../../../test/support/shown-plan.ts"
import { parsePlan } from "../parse-plan.ts"
import { leftOutOf, losingFirst, losingOf } from "./left-out.ts"

test.each([
  { name: "a no-break space behind the box", row: "- [ ]\u00a0b" },
  { name: "an ideographic space behind the box", row: "- [ ]\u3000b" },
  { name: "an empty box with a no-break space behind it", row: "- []\u00a0b" },
  { name: "brackets that a formatter has escaped", row: "- \\[ \\] b" },
  { name: "a bracket that a formatter has escaped", row: "1. \\[ ] b" },
])("$name is a row", ({ row }) => {
  const text = `# P\n- [x] a\n${row}\n`
  expect(shownPlan(text)).toEqual(["open", "a done", "b open"])
  const { tasks } = parsePlan(text)
  const key = tasks[1]?.key ?? ""
  expect(markedPlan(text, key, "done")).toBe(text.replace(/\[ ?(?=\\?\]\S* ?b|\\?\][\s])/u, "[x"))
})

test.each([
  { name: "a no-break space behind the dash", row: "-\u00a0[ ] b" },
  { name: "an en dash that a word processor made", row: "– [ ] b" },
  { name: "a bullet that a word processor made", row: "• [ ] b" },
  { name: "an emoji in place of a bullet", row: "🚀 [ ] b" },
  { name: "a letter in place of a number", row: "a) [ ] b" },
  { name: "a box in a table", row: "\n| Task | Seen |\n|---|---|\n| b | [ ] |", line: 6 },
  { name: "a sign in a table", row: "\n| Task | Seen |\n|---|---|\n| b | ⬜ |", line: 6 },
  { name: "a box that is a sign", row: "- ☐ b" },
  { name: "a box in full width", row: "- ［ ］ b" },
  { name: "a box of a Chinese keyboard", row: "- 【 】 b" },
  { name: "an empty box of a Chinese keyboard", row: "- 【】b" },
  {
    name: "a long text behind a box in a table",
    row: `\n| n | [ ] ${"word ".repeat(20)} | \`x\` |`,
    line: 4,
  },
  { name: "code behind a box in a table", row: "\n| [ ] `x` | y |", line: 4 },
  { name: "a number without a sign", row: "1.2 [ ] b" },
  { name: "a word and a number before the box", row: "Task 3: [ ] b" },
  { name: "an id before the box", row: "F1. [ ] b" },
  { name: "a colon behind the box", row: "[ ]: b" },
  { name: "a bracket of another keyboard behind the box", row: "- [ ]（可选）b" },
  { name: "a word in brackets behind the box", row: "- [ ](optional) b" },
  { name: "a box behind the words", row: "## Do it [ ]" },
  { name: "a box of a form", row: '<li><input type="checkbox" disabled> b</li>' },
  { name: "an item of HTML", row: "<ul><li>[ ] b</li></ul>" },
  { name: "a row in a quote", row: "\n> - [ ] b", line: 4 },
])("$name is said", ({ row, line = 3 }) => {
  const { state, warnings, ignored } = parsePlan(`# P\n- [x] a\n${row}\n`)
  expect([state, warnings.map((each) => [each.line, each.rule])]).toEqual([
    "complete",
    [[line, "no-rows"]],
  ])
  expect(ignored.map((each) => each.line)).toEqual([line])
})

test("all of them are counted, in one warning with the first", () => {
  const [warning] = parsePlan("# P\n- [x] a\n\n• [ ] b\n– [ ] c\n☐ d\n").warnings
  expect([warning?.line, warning?.message]).toEqual([
    4,
    "3 lines with an open box are not read as tasks (other-box): write each that is one as a list row with a box, `- [ ] Title`, after a blank line.",
  ])
})

test("a box in code before a word of state is no legend where more is said", () => {
  const rows = ["Dig it.", "Complete the form.", "Done button: add it"]
  const text = `# P\n- [x] a\n${rows.map((each) => `- \`[ ]\` ${each}\n`).join("")}`
  expect(parsePlan(text).warnings.map(({ line, message }) => [line, message])).toEqual([
    [
      3,
      "3 lines with an open box are not read as tasks (other-box): write each that is one as a list row with a box, `- [ ] Title`, after a blank line.",
    ],
  ])
})

test.each([
  ...["- `[ ]` Pending", "- `[ ]` Open / not started", "- `[ ]` Not started yet"],
  ...["- `[ ]` Open tasks", "- `[ ]` **Pending** (nobody has it)", "- `[ ]` todo, `[/]` doing"],
  "- [x] `[ ]` is open",
  ...[
    "- `[ ]` open, `[x]` done",
    "- `[ ]` open, `[x]` done. Commit as `feat/T1: x`, see docs/rules.md",
  ],
  ...["- [ ](url)", "- [ ](docs/a.md) b"],
  "Skills: []",
  "- **Skills**: []",
  "```\n- ☐ an example\n| [ ] |\n```",
  '<input type="checkbox" checked> b',
  "A box [ ] in a sentence",
  "| option | default |\n|---|---|\n| skills | [] |",
  "| `[ ]` | open |",
])("%j shows no open row", (row) => {
  expect(parsePlan(`# P\n- [x] a\n\n${row}\n`).warnings).toEqual([])
})

test.each(["• [ ] a\n• [ ] b\n", "🚀 [ ] a\n🚀 [ ] b\n"])(
  "a plan of nothing but %j says what it lacks",
  (text) => {
    const { state, warnings } = parsePlan(text)
    expect([state, warnings.map(({ rule }) => rule)]).toEqual(["invalid", ["no-rows"]])
  },
)

test("lines without a space behind the box are said beside bare rows", () => {
  const { tasks, warnings } = parsePlan("[x] a\n[x] b\n[ ]c\n[]d\n")
  expect([tasks.length, warnings.map(({ line, rule }) => [line, rule])]).toEqual([
    2,
    [[3, "no-rows"]],
  ])
})

test("open boxes below a heading whose rows are never tasks are left out by that rule", () => {
  const { ignored, warnings } = parsePlan("# P\n- [x] a\n\n## Legend\n| [ ] | open |\n\n☐ open\n")
  expect([ignored, warnings]).toEqual([
    [
      { line: 5, reason: "ignored-heading" },
      { line: 7, reason: "ignored-heading" },
    ],
    [],
  ])
})

test("open rows nested below a ticked row outside the sections are said", () => {
  const text = "## TODOs\n- [x] a\n- [x] b\n## Notes\n- [x] c\n  - [ ] d\n"
  const { warnings } = parsePlan(text, { path: ".omo/plans/a.md" })
  expect(warnings.map(({ line, rule }) => [line, rule])).toEqual([[6, "outside-rows"]])
})

test.each([...["DOING", "OPEN", "FAILED", "进行中", "In Review", "partially done", "new", "待办"]])(
  "a row [%s] is a task that is not done",
  (word) => {
    const { tasks } = parsePlan(`- [x] 1. A\n- [${word}] 2. B\n`)
    expect(tasks.map(({ key, state }) => [key, state === "done"])).toEqual([
      ["task:1", true],
      ["task:2", false],
    ])
  },
)

test.each([
  ...[
    "- T1: [ ] A",
    "- `[ ]` A",
    "<!-- A --> - [ ] A",
    "- **Login:** [ ] A",
    "1. Login [ ] tested",
  ],
  ...["--> - [ ] A", "- ~~x~~ [ ] A", "* (P1) [ ] A", "`- [ ] A`", "- [ ]: A"],
  ...["- Login - [ ] A", "T1 | [ ] | A"],
])("%j beside other rows is read, or said", (line) => {
  const { warnings, tasks } = parsePlan(`- [x] 1. A\n\n${line}\n`)
  const isRead = tasks.some((task) => task.line === 3)
  expect(isRead || warnings.some((warning) => warning.line === 3)).toBe(true)
})

test.each([
  ...[
    "- `[ ]` open",
    "- `[ ]` = not started",
    "Write `- [ ]` before each",
    "- See [ ](a) and [a][ ]",
  ],
  ...["- `a[ ]` is a list", "- Use `[ ]` for what is open"],
])("%j shows no row", (line) => {
  expect(parsePlan(`- [x] 1. A\n\n${line}\n`).warnings).toEqual([])
})

test.each([
  {
    name: "below another heading",
    rest: "## Notes\n- [ ] Issue 4 - pump\n",
    state: "rows-outside",
  },
  { name: "ticked there", rest: "## Notes\n- [x] Issue 4 - pump\n", state: "complete" },
  {
    name: "below an ignored heading",
    rest: "## Acceptance Criteria\n- [ ] fish live\n",
    state: "complete",
  },
] as const)(
  "a plan all of whose tasks are settled, with a row $name, is $state",
  ({ rest, state }) => {
    const text = `# Pond\n## Phase 1: Dig\n- [x] a\n- [x] b\n${rest}`
    expect(parsePlan(text).state).toBe(state)
  },
)

test.each([
  { rule: "rows-without-box", rest: "3. C\n4. D\n" },
  { rule: "no-rows", rest: "☐ c\n" },
  { rule: "ignored-rows", rest: "## Legend\n- [ ] 3. C\n" },
])(
  "where not all warnings are shown, that of open work that is left out comes first: $rule",
  (each) => {
    const { warnings } = parsePlan(`# P\n\n- [x] 1. A\n- [x] 1. B\n\n${each.rest}`)
    expect(warnings[0]?.rule).not.toBe(each.rule)
    expect(losingFirst(warnings)[0]?.rule).toBe(each.rule)
  },
)

test.each([
  { last: "## Final Checklist", below: '"Definition of Done" and headings of 1 other name' },
  { last: "## Definition of Done", below: '"Definition of Done"' },
])("of rows below two headings both are counted: $last", ({ last, below }) => {
  const text = `## TODOs\n- [x] 1. A\n## Definition of Done\n- [ ] a\n## Plan\n${last}\n\n- [ ] b\n- [ ] c\n`
  const found = parsePlan(text).warnings.filter(({ rule }) => rule === "ignored-rows")
  expect(found.map(({ message }) => message)).toEqual([
    `3 open rows below ${below} are not counted, as under any heading with such a name; the first: "a".`,
  ])
})

test.each([
  { name: "some of which are ticked", rows: "- [x] a\n- [ ] b\n", is: 1 },
  { name: "some of which say that they are done", rows: "- [ ] a ✅\n- [ ] b\n", is: 2 },
  { name: "none of which is met", rows: "- [ ] a\n- [ ] b\n", is: 0 },
  { name: "all of which are met", rows: "- [x] a\n- [x] b\n", is: 0 },
])("of the plan's criteria $name, $is open rows are said while tasks are open", ({ rows, is }) => {
  const said = (text: string) =>
    parsePlan(text).warnings.flatMap(({ rule, message }) =>
      rule === "ignored-rows" ? [Number(/^\d+/.exec(message)?.[0])] : [],
    )
  const tasks = "# P\n\n## Tasks\n\n- [ ] 1. A\n- [x] 2. B\n\n"
  const found = is === 0 ? [] : [is]
  expect(said(`${tasks}## 📊 Métricas de éxito\n\n${rows}`)).toEqual(found)
  expect(said(`${tasks}## Success metrics\n\n### Version 1\n\n${rows}`)).toEqual(found)
  expect(said(`${tasks}### Success criteria\n\n${rows}`)).toEqual([])
})

test.each([
  ...[
    "Exit criterion",
    "Success criterion",
    "Done criteria",
    "Release criteria",
    "Critères de sortie",
  ],
  ...["Definition of complete", "Criterios de salida", "Erfolgskriterium"],
])(
  "rows below %s are no tasks beside others, and no word is lost of them at the end",
  (heading) => {
    const text = (box: string) =>
      `## Phase 1: A\n- ${box} a\n- ${box} b\n\n## ${heading}\n- [ ] c\n`
    expect(parsePlan(text("[ ]")).warnings).toEqual([])
    expect(parsePlan(text("[x]")).warnings.map(({ rule }) => rule)).toEqual(["ignored-rows"])
  },
)

test.each([
  "需要你确认的点",
  "Points to confirm",
  "확인이 필요한 사항",
  "Zu klären",
  "Puntos a confirmar",
  "About the name",
])("questions below %s are no work of a plan that is done", (heading) => {
  const text = `## Tasks\n- [x] a\n- [x] b\n\n## ${heading}\n1. **Cycle** — how long?\n2. 名字叫什么？\n`
  expect(parsePlan(text).warnings).toEqual([])
})

test("a title that is cut in a message ends with a sign", () => {
  const said = (title: string) =>
    parsePlan(`## Tasks\n- [x] a\n## Notes\n- [ ] ${title}\n`).warnings
  expect(said("b".repeat(80))[0]?.message).toEndWith(`"${"b".repeat(80)}".`)
  expect(said("b".repeat(81))[0]?.message).toEndWith(`"${"b".repeat(80)}…".`)
  expect(said(`${"b".repeat(79)}🚀`)[0]?.message).toEndWith(`"${"b".repeat(79)}…".`)
})

test.each(["NOTE", "TIP", "IMPORTANT", "WARNING", "caution"])(
  "no box is GitHub's [!%s]",
  (name) => {
    expect(parsePlan(`# P\n\n> [!${name}]\n> Read this.\n\n- [ ] Dig\n`).ignored).toEqual([])
  },
)

test.each([
  { row: "E2E evidence captured.", rules: [] },
  { row: "T002 Ship", rules: ["ignored-rows"] },
  { row: "0.3 Ship", rules: ["ignored-rows"] },
  { row: "T5A Ship\n- [ ] T6 Tell", rules: ["ignored-rows"] },
])("below a checklist $row is said: $rules; a word such as E2E is no id by itself", (each) => {
  const text = `- [ ] 0.1 A\n- [ ] 0.2 B\n\n### Final Checklist\n- [ ] ${each.row}\n`
  expect(parsePlan(text).warnings.map(({ rule }) => rule)).toEqual([...each.rules])
})

test("a state that contradicts the boxes leaves nothing out", () => {
  const rows = ["## Acceptance Criteria", "- [x] #1 Dig", "- [x] #2 Fill", ""]
  const text = ["---", "id: task-1", "title: A", "status: To Do", "---", ...rows].join("\n")
  const { warnings, state } = parsePlan(text, { path: "backlog/tasks/task-1 - a.md" })
  expect([state, losingOf(warnings).length, leftOutOf(warnings).length]).toEqual(["complete", 1, 0])
})
