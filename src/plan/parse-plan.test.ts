import { expect, test } from "bun:test"
import { readWithRemark } from "./blocks/remark-reading.ts"
import { compareReadings } from "./compare-readings.ts"
import { markTask } from "./mark-task.ts"
import { parsePlan } from "./parse-plan.ts"

/** The reading in short: key, state and title of each task, then sub-items and ignored lines. */
function read(text: string, options: Parameters<typeof parsePlan>[1] = {}): string[] {
  const plan = parsePlan(text, options)
  return [
    ...plan.tasks.map(({ key, state, title }) => `${key} ${state} ${title}`),
    ...plan.subItems.map(({ line, parentKey }) => `sub ${line} of ${parentKey}`),
    ...plan.ignored.map(({ line, reason }) => `no ${line} ${reason}`),
    ...plan.warnings.map(({ line, rule }) => `! ${line} ${rule}`),
  ]
}

const T = "## TODOs\n"

/** Rows on which the best-known reader of today miscounts. */
const misread: [string, string, string[]][] = [
  [
    "a final wave with a suffix",
    `${T}- [x] 1. A\n## Final Verification Wave (after all)\n- [ ] F1. B`,
    ["todo:1 done A", "final-wave:f1 open B"],
  ],
  [
    "a plan of nothing but [~]",
    `${T}- [~] 1. A\n- [~] 2. B`,
    ["todo:1 blocked A", "todo:2 blocked B"],
  ],
  ["T1. as a label", `${T}- [ ] T1. A`, ["todo:t1 open A"]],
  ["a bold label and title", `${T}- [ ] **1. A**`, ["todo:1 open A"]],
  ["2) as a label", `${T}- [ ] 2) A`, ["todo:2 open A"]],
  ["an ordered list with )", `${T}2) [ ] A`, ["todo:2 open A"]],
  ["stars as bullets", `${T}* [ ] 1. A`, ["todo:1 open A"]],
  ["plus signs as bullets", `${T}+ [X] 1. A`, ["todo:1 done A"]],
  ["one space of indent", `${T}- [x] 1. A\n - [ ] 2. B`, ["todo:1 done A", "todo:2 open B"]],
  ["a box in a heading", `${T}### 1. [x] A\n### 2. [ ] B`, ["todo:1 done A", "todo:2 open B"]],
  [
    "a fence that nothing closes",
    `${T}\`\`\`ts\n- [ ] 1. A`,
    ["todo:1 open A", "! 2 unclosed-fence"],
  ],
  [
    "a comment that nothing closes",
    `${T}<!-- why\n- [ ] 1. A`,
    ["todo:1 open A", "! 2 unclosed-comment"],
  ],
  ["a byte order mark", `\ufeff${T}- [ ] 1. A`, ["todo:1 open A"]],
  [
    "a setext heading",
    "TODOs\n-----\n- [ ] 1. A\n\nDone\n----\n- [ ] 2. B",
    ["todo:1 open A", "no 7 outside-section", "! 7 outside-rows"],
  ],
  [
    "a row in a comment",
    `${T}<!--\n- [ ] 9. X\n-->\n- [ ] 1. A`,
    ["todo:1 open A", "no 3 comment"],
  ],
  ["U+2028 in a title", `${T}- [ ] 1. A\u2028- [ ] 2. B`, ["todo:1 open A - [ ] 2. B"]],
  [
    "CRLF line ends",
    `${T}- [x] 1. A\r\n  - [ ] a\r\n- [ ] 2. B`,
    ["todo:1 done A", "todo:2 open B", "sub 3 of todo:1", "! 3 open-parts"],
  ],
  [
    "a nested fence behind a tab",
    `${T}- [ ] 1. A\n\t\`\`\`\n\t- [ ] 9. X\n\t\`\`\``,
    ["todo:1 open A", "no 4 fence"],
  ],
  [
    "an uppercase heading without s",
    "## TODO\n- [ ] 1. A\n## Final Checklist\n- [ ] b",
    ["todo:1 open A", "no 4 ignored-heading"],
  ],
]

test.each(misread)("reads %s", (_, text, wanted) => {
  expect(read(text)).toEqual(wanted)
})

const labels: [string, string][] = [
  ["1. A", "task:1 A"],
  ["1.2.3 A", "task:1.2.3 A"],
  ["Task 3: A", "task:3 A"],
  ["Step 3) A", "task:3 A"],
  ["**Phase 3: A** - b", "task:3 A - b"],
  ["**Phase 3 A**", "~ Phase 3 A"],
  ["422 A", "~ 422 A"],
  ["3D rendering", "~ 3D rendering"],
  ["1.5% of A", "~ 1.5% of A"],
  ["2026-01-08 A", "~ 2026-01-08 A"],
  ["2-3 days of A", "~ 2-3 days of A"],
  ["10:30 A", "~ 10:30 A"],
  ["H1 A", "task:h1 A"],
  ["T012 [P] A", "task:t012 [P] A"],
  ["[SETUP-001] A", "task:setup-001 A"],
  ["[P1] A", "~ [P1] A"],
  ["#1 — A", "task:#1 A"],
  ["**P3.1** A", "task:p3.1 A"],
  ["~~4. A~~", "task:4 A"],
  ["S2.1.9a: A", "task:s2.1.9a A"],
  ["01-02-PLAN.md -- A", "task:01-02 A"],
  ["02.1-01: A", "task:02.1-01 A"],
  ["3、甲", "task:3 甲"],
  ["F1-F4 A", "~ F1-F4 A"],
  ["TXXX A", "~ A"],
  ["7.", "task:7 7."],
  ["[US1-001] A", "task:us1-001 A"],
  ["[MIG2-003] P2 A", "task:mig2-003 P2 A"],
  ["T019A [US1] A", "task:t019a [US1] A"],
  ["Task 18-20: A", "task:18-20 A"],
  ["Task 21–22: A", "task:21–22 A"],
  ["Stage 4: A", "task:4 A"],
  ["Story 2.1 — A", "task:2.1 A"],
  ["Task 1 (AC: 1, 2): A", "task:1 (AC: 1, 2): A"],
  ["Task 2 : A", "task:2 A"],
  ["P0-01 — A", "task:p0-01 A"],
  ["M1-T3: A", "task:m1-t3 A"],
  ["Q4-2025 A", "~ Q4-2025 A"],
  ["(#1) A", "task:#1 A"],
  ["[#12] A", "task:#12 A"],
  ["(T1) A", "task:t1 A"],
  ["(3) A", "task:3 A"],
  ["(2024) A", "~ (2024) A"],
  ["(P) A", "~ (P) A"],
  ["(#1)A", "~ (#1)A"],
  ["**1-1** A", "task:1-1 A"],
  ["2-3 **days** of A", "~ 2-3 days of A"],
  ["**[P0]** Task 1.1: A", "task:1.1 [P0] A"],
  ["[P0] **Task 1.1: A**", "task:1.1 [P0] A"],
  ["`P0` Task 3: A", "task:3 `P0` A"],
  ["(P0) Task 3: A", "task:3 (P0) A"],
  ["P0 Task 3: A", "task:3 P0 A"],
  ["[T001] Task 3: A", "task:t001 Task 3: A"],
  ["**P0** Task 3: A", "task:3 P0 A"],
  ["[P0] Task 1.7", "task:1.7 [P0] Task 1.7"],
  ["[P0] Tasks are A", "~ [P0] Tasks are A"],
  ["[P0] 3 A", "~ [P0] 3 A"],
]

test.each(labels)("finds the label in %s", (text, wanted) => {
  const [task] = parsePlan(`- [ ] ${text}`).tasks
  const key = task?.key.startsWith("task:~") ? "~" : task?.key
  expect(`${key} ${task?.title}`).toBe(wanted)
})

const markers: [string, string, string][] = [
  [" ", "generic", "open runnable"],
  ["x", "generic", "done"],
  ["v", "generic", "done guessed-marker"],
  ["~", "generic", "in_progress runnable guessed-marker"],
  ["~", "omo", "blocked"],
  ["~", "kiro", "open runnable"],
  ["-", "generic", "cancelled guessed-marker"],
  ["-", "kiro", "in_progress runnable"],
  ["/", "generic", "in_progress runnable"],
  [">", "generic", "in_progress runnable"],
  ["!", "generic", "blocked"],
  ["BLOCKED", "generic", "blocked"],
  ["skip", "generic", "cancelled"],
  ["N/A", "generic", "cancelled"],
  ["WIP", "generic", "in_progress runnable"],
  ["DONE", "generic", "done"],
  ["🔄", "generic", "in_progress runnable guessed-marker"],
  ["🚧", "generic", "in_progress runnable guessed-marker"],
  ["⏳", "generic", "open runnable guessed-marker"],
  ["⛔", "generic", "blocked guessed-marker"],
  ["✅ Done", "generic", "done guessed-marker"],
  ["?", "generic", "open unknown-marker"],
  ["", "generic", "open runnable"],
  ["\u00a0", "generic", "open runnable"],
  ["ℹ️", "generic", "open unknown-marker"],
  ["__proto__", "generic", "no row"],
  ["P", "generic", "no row"],
  ["P0", "generic", "no row"],
  ["Story", "generic", "no row"],
  ["R001-R006", "generic", "no row"],
]

test.each(markers)("reads the marker [%s]", (marker, dialect, wanted) => {
  const plan = parsePlan(`- [${marker}] 1. A`, { dialect })
  const [task] = plan.tasks
  const rules = plan.warnings.map(({ rule }) => rule)
  const said =
    task === undefined ? ["no row"] : [task.state, ...(task.runnable ? ["runnable"] : []), ...rules]
  expect(said.join(" ")).toBe(wanted)
})

const states: [string, string, string | null][] = [
  ["", "invalid", null],
  ["text without a box", "invalid", null],
  ["- [x] 1. A\n- [-] 2. B", "complete", null],
  ["- [x] 1. A\n- [?] 2. B", "open", null],
  ["- [x] 1. A\n- [!] 2. B", "only-blocked", null],
  ["- [ ]* 1. A\n- [ ] 2. B", "open", "task:2"],
  ["- [x] 1. A\n- [ ]* 2. B", "complete", "task:2"],
  ["- [ ]* 1. A", "open", "task:1"],
  ["- [ ] 1. A (depends on 2)\n- [ ] 2. B", "open", "task:2"],
  ["- [ ] 1. A (depends on 2)\n- [!] 2. B", "only-blocked", null],
  ["- [ ] 1. A (depends on 2)\n- [ ]* 2. B\n- [ ]* 3. C", "open", "task:2"],
  ["- [ ] 1. A\n  BLOCKED: no key", "only-blocked", null],
  ["- [x] 1. A\n  - BLOCKED: no key", "complete", null],
  ["- [ ] 1. A\n  - part\n    - BLOCKED: no key", "open", "task:1"],
  ["## [ ] 1. A\n BLOCKED: no key", "only-blocked", null],
  ["## [ ] 1. A\n  BLOCKED: no key", "open", "task:1"],
]

test.each(states)("knows the state of %j", (text, state, next) => {
  const plan = parsePlan(text, { dialect: "generic" })
  expect([plan.state, plan.next?.key ?? null]).toEqual([state, next])
})

const swallowed: [string, string, string[]][] = [
  [
    "a fence that a later fence closes",
    `${T}- [x] 1. A\n\n\`\`\`\nexample\n\n- [ ] 2. B\n- [ ] 3. C\n\n\`\`\`bash\nnpm test\n\`\`\`\n\n- [x] 4. D`,
    ["todo:1 done A", "todo:2 open B", "todo:3 open C", "todo:4 done D", "! 4 unclosed-fence"],
  ],
  [
    "a comment that a later comment closes",
    `${T}- [x] 1. A\n\n<!-- note\n- [ ] 2. B\n\n<!-- wave 2 -->\n- [x] 3. C`,
    ["todo:1 done A", "todo:2 open B", "todo:3 done C", "! 4 unclosed-comment"],
  ],
  [
    "a comment that one behind a row closes",
    `${T}<!-- note\n- [ ] 1. A <!-- size: S -->\n- [x] 2. B`,
    ["todo:1 open A <!-- size: S -->", "todo:2 done B", "! 2 unclosed-comment"],
  ],
  [
    "tildes in an item that later tildes close",
    `${T}- [x] 1. A\n  ~~~\n  - [ ] a\n  ~~~~sh\n  npm test\n  ~~~~`,
    ["todo:1 done A", "sub 4 of todo:1", "! 3 unclosed-fence", "! 4 open-parts"],
  ],
  [
    "a longer fence around shorter ones",
    `${T}\`\`\`\`md\n- [ ] 9. X\n\`\`\`sh\n\`\`\`\n\`\`\`\`\n- [x] 1. A`,
    ["todo:1 done A", "no 3 fence"],
  ],
  [
    "a fence around a deeper one",
    `${T}\`\`\`md\n- [ ] 9. X\n\n    \`\`\`sh\n    \`\`\`\n\`\`\`\n- [x] 1. A`,
    ["todo:1 done A", "no 3 fence"],
  ],
  [
    "a fence of the other sign in a fence",
    `${T}\`\`\`\n- [ ] 9. X\n~~~sh\n~~~\n\`\`\`\n- [x] 1. A`,
    ["todo:1 done A", "no 3 fence"],
  ],
  [
    "an opener before the rows",
    `${T}\`\`\`\n\`\`\`sh\n- [ ] 9. X\n\`\`\`\n- [x] 1. A`,
    ["todo:1 done A", "no 4 fence"],
  ],
  [
    "a comment with rows",
    `${T}<!-- a\n- [ ] 9. X\n--> <!-- b -->\n- [x] 1. A`,
    ["todo:1 done A", "no 3 comment"],
  ],
]

test.each(swallowed)("hides no task behind %s", (_, text, wanted) => {
  expect(read(text)).toEqual(wanted)
  expect(compareReadings(text, readWithRemark)).toEqual([])
})

test("the warning of a block that a later one closes names both lines", () => {
  const { warnings } = parsePlan(`${T}<!-- a\n- [ ] 1. A\n<!-- b -->`)
  expect(warnings.map(({ line, message }) => `${line} ${message}`)).toEqual([
    "2 Tasks stand between this comment and the one on line 4: it is read as never closed and hides nothing.",
  ])
})

test("boxes in code are said where a fence is left over: one may be missing above them", () => {
  const { warnings } = parsePlan("- [ ] a\n\ntree\n```\n\n- [ ] b\n- [x] c\n\n```\ncode\n```\n")
  expect(warnings.map(({ line, message }) => `${line} ${message}`)).toEqual([
    "11 Nothing closes this code fence: it hides nothing. If one is missing above, 2 boxes stand in no code (line 6).",
  ])
})

test("rows behind a tab below a heading are code, and said to be", () => {
  expect(read(`${T}\t- [ ] 1. A\n\t- [ ] 2. B\n\n- [x] 3. C`)).toEqual([
    "todo:3 done C",
    "no 2 indented-code",
    "no 3 indented-code",
    "! 2 no-rows",
  ])
})

test.each([
  { status: "Done", box: " ", says: '"Done", but 1 box is open' },
  { status: "To Do", box: "x", says: '"To Do", but no box is open' },
  { status: "In Progress", box: " ", says: null },
  { status: "Done", box: "x", says: null },
])("a Backlog.md task that is $status with [$box]: $says", ({ status, box, says }) => {
  const text = `---\nid: task-1\nstatus: ${status}\ncreated_date: '2026-01-02'\n---\n## Acceptance Criteria\n- [${box}] #1 A\n`
  const { warnings, tasks } = parsePlan(text, { path: "backlog/tasks/task-1.md" })
  expect(tasks[0]?.state).toBe(box === "x" ? "done" : "open")
  const found = warnings.filter(({ rule }) => rule === "status-against-boxes")
  expect(found.map(({ message }) => message)).toEqual(
    says === null ? [] : [`The front matter says ${says}: the boxes count.`],
  )
})

test("optional rows at the margin below a settled task are said as nested ones are", () => {
  const text =
    "- [x] 1. Add the form\n  - _Requirements: 1.1_\n\n- [ ]* 1.1 Write a test\n\n- [x] 2. Look\n"
  const { state, warnings } = parsePlan(text, { path: ".kiro/specs/x/tasks.md" })
  expect([state, warnings.map(({ line, rule }) => [line, rule])]).toEqual([
    "complete",
    [[4, "open-parts"]],
  ])
})

test("open rows nested below settled tasks are said, with their number and the first", () => {
  const { warnings } = parsePlan(
    `${T}- [x] 1. A\n  - [ ] a\n  - [x] b\n- [ ] 2. B\n  - [ ] c\n- [x] 3. C\n  - [ ]* d`,
  )
  expect(warnings).toEqual([
    {
      line: 3,
      rule: "open-parts",
      message:
        "2 open rows stand below tasks that are settled, the first below todo:1: they count as parts of those, and nothing waits for them.",
    },
  ])
})

test("an open row below a settled heading is warned about, once a heading", () => {
  expect(read(`${T}### 1. [x] A\n- [~] 8. b\n- [ ] 10. c\n### 2. [ ] B\n- [ ] d`)).toEqual([
    "todo:1 done A",
    "todo:2 open B",
    "sub 3 of todo:1",
    "sub 4 of todo:1",
    "sub 6 of todo:2",
    "! 3 open-below-done",
  ])
})

test("open rows below settled headings are said with their number", () => {
  const { warnings } = parsePlan(
    `${T}### 1. [x] A\n- [ ] a\n- [x] b\n- [ ] c\n### 2. [x] B\n- [/] d\n- [ ] e\n### 3. [x] C\n- [/] f\n`,
  )
  expect(warnings.map(({ line, message }) => [line, message])).toEqual([
    [
      3,
      "2 rows are open below todo:1 (line 2), which is done: they count as parts of that one, not as tasks.",
    ],
    [
      7,
      "2 rows are not done below todo:2 (line 6), which is done: they count as parts of that one, not as tasks.",
    ],
    [
      10,
      "The row is in progress below todo:3 (line 9), which is done: it counts as a part of that one, not as a task.",
    ],
  ])
})

const WAVE = "## Final Verification Wave\n"
const verdicts: [string, boolean][] = [
  ["- [x] F3. Audit VERDICT: REJECT", true],
  ["- [x] F3. Audit\n  VERDICT: REJECT (2 issues)", true],
  ["- [x] F3. Audit\n  - **VERDICT:** REJECT", true],
  ["- [x] F3. Audit\n  - [x] VERDICT: REJECTED", true],
  ["- [x] F3. Audit\n  Output: `Tasks [3/5] | VERDICT: REJECT`", true],
  ["- [x] F3. Audit\n  VERDICT: REJECT\n  VERDICT: APPROVE", false],
  ["- [x] F3. Audit\n  Output: `Tasks [N/N] | VERDICT: APPROVE/REJECT`", false],
  ["- [x] F3. Audit\n  Say VERDICT: REJECT if it is bad.", false],
  ["- [x] F3. Audit\n  ```\n  VERDICT: REJECT\n  ```", false],
  ["- [x] F4. Audit: REJECTED", true],
  ["- [x] F4. Audit — **REJECT** (2 issues).", true],
  ["- [x] F4. See that orders are REJECTED", false],
  ["- [x] F4. Audit: REJECT/APPROVE", false],
  ["- [x] F4. Audit: REJECTED orders are kept", false],
  ["- [x] F1. A\n  **Verdict**: REJECT if a task is missing, else APPROVE", false],
  ["- [x] F1. A\n  **Verdict**: REJECT if a task is missing", false],
  ["- [x] F1. A\n  Verdict: REJECT the plan when it is bad", false],
  ["- [x] F1. A\n  VERDICT: [APPROVE | REJECT]", false],
  ["- [x] F1. A\n  VERDICT: REJECT or APPROVE", false],
  ["- [x] F1. A\n  VERDICT: REJECT — two tests fail when run twice", true],
  ["- [x] F1. A\n  VERDICT: REJECT because of the door", true],
  ["- [x] F1. A\n  VERDICT: REJECT\n  VERDICT: PASS/FAIL", true],
]

test.each(verdicts)("reads the verdict of %j: rejected %p", (row, wanted) => {
  const plan = parsePlan(WAVE + row)
  expect(plan.tasks[0]?.rejected).toBe(wanted)
  expect(plan.warnings.some(({ rule }) => rule === "rejected")).toBe(wanted)
})

test("one weak sign of Kiro does not make a plan Kiro's, two do", () => {
  const dialects = ["# Implementation Plan\n- [~] 1. A", "- [x]* 1. A\n- [-] 2. B"].map(
    (text) => parsePlan(text).dialect,
  )
  expect(dialects).toEqual(["generic", "generic"])
  expect(parsePlan("# Implementation Plan\n- [~] 1. A\n- [ ]* 2. B").dialect).toBe("kiro")
})

test("an id that two tasks have refers to nobody", () => {
  const rows = "- [ ] 1. A\n- [ ] 1. B\n- [ ] 2. C (depends on 1)"
  expect(parsePlan(rows).warnings.map(({ rule }) => rule)).toContain("unresolved-dependency")
})

test.each(["Phase 1: Setup", "ADR-3: use SQLite", "Task 9: Tell Ann"])(
  "a name with a number and words that no task has orders nothing: %s",
  (name) => {
    const rows = `- [ ] T2 Dig\n- [ ] T3 Fill\n  Depends on: T2\n- [ ] T4 Plant\n  Depends on: ${name}\n`
    const { tasks, warnings } = parsePlan(rows)
    expect([tasks.map(({ dependsOn }) => dependsOn.length), warnings]).toEqual([[0, 1, 0], []])
  },
)

test.each([
  { name: "T1 for task 1", text: "- [ ] 1. A\n- [ ] 2. B\n  - **Blocked By**: T1", is: ["1"] },
  {
    name: "a range of these",
    text: "- [ ] 1. A\n- [ ] 2. B\n- [ ] 3. C\n  Depends on: T1-T2",
    is: ["1", "2"],
  },
  {
    name: "an id with its words",
    text: "- [ ] S1.1: A\n- [ ] S1.2: B | depends:S1.1 — the cache",
    is: ["s1.1"],
  },
  {
    name: "an id with its title",
    text: "- [ ] Task 1: Dig\n- [ ] Task 2: Fill\n  Depends on: Task 1: Dig",
    is: ["1"],
  },
  {
    name: "ids behind a tag",
    text: "- [ ] [P0] Task 1.1: A\n- [ ] Task 1.2: B\n- [ ] C\n  Depends on: [P0] Task 1.1, **[P1]** Task 1.2",
    is: ["1.1", "1.2"],
  },
  {
    name: "an id behind the row's words",
    text: "- [ ] B1. A\n- [ ] C — dependencies: B1",
    is: ["b1"],
  },
  {
    name: "what is installed",
    text: "- [ ] B1. A\n- [ ] Install dependencies: React, D3.js",
    is: [],
  },
  {
    name: "a kind of dependency",
    text: "- [ ] 1. A\n- [ ] 2. B\n  - **Task dependencies:** 1",
    is: ["1"],
  },
])("a task waits for what its row names, without a warning: $name", ({ text, is }) => {
  const { tasks, warnings } = parsePlan(text)
  expect(tasks.at(-1)?.dependsOn).toEqual(is.map((id) => `task:${id}`))
  expect(warnings).toEqual([])
})

test("what stands in a fence of an earlier task says nothing of a later one", () => {
  const rows = "- [ ] 1. A\n\n  ```\n  BLOCKED: an example\n  ```\n\n- [ ] 2. B\n  BLOCKED: no key"
  expect(parsePlan(rows).tasks.map(({ state }) => state)).toEqual(["open", "blocked"])
})

test("front matter tells a dialect by all of its keys, not by one", () => {
  const rows = "- [ ] 1. A\n- [ ] 2. B\n"
  expect(parsePlan(`---\nphase: 1\nplan: 2\n---\n\n${rows}`).dialect).toBe("gsd")
  expect(parsePlan(`---\nphase: 1\n---\n\n${rows}`).dialect).toBe("generic")
})

test.each([
  {
    name: "in front of it",
    parts: "- [ ] 1.1 B\n- [ ] 1.2 C\n  - _Depends: 1.1_\n",
    firsts: [[], ["task:1"]],
  },
  {
    name: "of a range",
    parts: "- [ ] 1.1 B\n- [ ] 1.2 C\n- [ ] 1.3 D\n  - _Depends: 1.1-1.2_\n",
    firsts: [[], ["task:1"]],
  },
  {
    name: "among others",
    parts: "- [ ] 1.1 B\n- [ ] 1.2 C\n  - _Depends: 1.1, 3_\n",
    firsts: [["task:3"], ["task:1"]],
  },
])("a part that waits for one $name waits within its task", ({ parts, firsts }) => {
  const text = `- [ ] 1. A\n${parts}- [ ] 2. E\n- [ ] 2.1 F\n  - _Depends: 1.2_\n- [ ] 3. G\n`
  const { tasks, warnings } = parsePlan(text, { dialect: "kiro" })
  expect([tasks.map(({ dependsOn }) => dependsOn), warnings]).toEqual([[...firsts, []], []])
})

/** Kiro's tasks 1 and 2 with two parts each, and 3, which is one: what each of them and of the parts waits for. */
const withWaits = (waits: Readonly<Record<string, string>>) =>
  ["1", "1.1", "1.2", "2", "2.1", "2.2", "3"]
    .map((id) => {
      const indent = id.includes(".") ? "  " : ""
      const wait = waits[id] === undefined ? "" : `${indent}  - _Depends: ${waits[id]}_\n`
      return `${indent}- [ ] ${id.length > 1 ? id : `${id}.`} A${id}\n${wait}`
    })
    .join("")

test.each([
  { name: "parts", waits: { "1.2": "2.1", "2.2": "1.1" } },
  { name: "the very parts", waits: { "1.2": "2.1", "2.1": "1.2" } },
  { name: "tasks as a whole", waits: { "1": "2", "2": "1" } },
  { name: "a part and the whole", waits: { "1.1": "2.1", "2": "1" } },
  { name: "a part and a whole by way of a third", waits: { "1.2": "3", "3": "1" } },
])("what waits for each other is a circle, and said: $name", ({ waits }) => {
  const { warnings } = parsePlan(withWaits(waits), { dialect: "kiro" })
  expect(warnings.map(({ rule }) => rule)).toEqual(["dependency-cycle"])
})

test("a circle takes the order from its own tasks alone, and sets nothing free that waits for a blocked one", () => {
  const waits = { "1.2": "2.1", "2.2": "1.1", "3": "1" }
  const { tasks, next } = parsePlan(withWaits(waits), { dialect: "kiro" })
  expect([tasks.map(({ dependsOn }) => dependsOn), next?.key]).toEqual([
    [[], [], ["task:1"]],
    "task:1",
  ])
  const held = withWaits(waits).replace("] 2. A2\n", "] 2. A2\n  BLOCKED: no key\n")
  expect(parsePlan(held, { dialect: "kiro" }).next).toBeNull()
})

test.each([
  "(see plan.md Task 6; depends on T007, T008)",
  "(see plan.md, depends on T007 and T008)",
  "(depends on T007, T008; see Task 6)",
])("what comes first is read behind other words: %j", (behind) => {
  const text = `- [ ] T007 a\n- [ ] T008 b\n- [ ] T009 Create x ${behind}\n`
  const { tasks, warnings } = parsePlan(text)
  expect([tasks[2]?.dependsOn, warnings]).toEqual([["task:t007", "task:t008"], []])
})

test.each([
  "Say which module depends on 7",
  "Count, depends on 7 workers",
  "Sort (a list, depends on the weather)",
])("words that name no task by an id of their own order nothing: %s", (words) => {
  const { tasks, warnings } = parsePlan(`- [ ] 7. a\n- [ ] 8. ${words}\n`)
  expect([tasks[1]?.dependsOn, warnings]).toEqual([[], []])
})

test("what comes first is read in Chinese too, and not where the words stand amid a sentence", () => {
  const { tasks, warnings } = parsePlan(
    "- [ ] T-001: 甲\n- [ ] T-002: 乙\n- [ ] T-003: 丙\n  依赖：T-001、T-002\n- [ ] T-004: 丁。依赖：9C\n- [ ] T-005: 没有跳过测试\n- [ ] T-006: 跳过\n",
  )
  const firsts = tasks.map(({ dependsOn }) => dependsOn.length)
  expect(firsts).toEqual([0, 0, 2, 0, 0, 0])
  expect(warnings.map(({ line, rule }) => [line, rule])).toEqual([[7, "held-text"]])
})

test("the number of an issue is no task's where no task has a number of its own", () => {
  const rules = (id: string) =>
    parsePlan(`- [ ] ${id}1 Dig\n- [ ] ${id}2 Fill\n  - red (blocked by #250)\n`).warnings.map(
      ({ rule }) => rule,
    )
  expect(rules("T")).toEqual([])
  expect(rules("#")).toEqual(["unresolved-dependency"])
})

test.each(["TASK-1", "task-1", "Task 1", "task 1", "1"])(
  "%s is found by its number: TASK-1",
  (name) => {
    const text = `## Tasks\n\n- [ ] TASK-1: Dig\n- [ ] TASK-2: Fill\n  Depends on: ${name}\n`
    const [first, second] = parsePlan(text).tasks
    expect(second?.dependsOn).toEqual([first?.key ?? ""])
    expect(parsePlan(text).warnings).toEqual([])
  },
)

test.each(["依存", "依存関係", "依存先", "依赖", "Depends on"])(
  "%j names what comes first",
  (words) => {
    const { tasks } = parsePlan(
      `- [ ] **1-1** A\n  ${words}: 1-2\n- [ ] **1-2** B\n  非依存: 1-1\n`,
    )
    expect(tasks.map(({ dependsOn }) => dependsOn)).toEqual([["task:1-2"], []])
  },
)

test.each([
  { text: "Take the merge-skipped path", is: [] },
  { text: "Dig - skipped", is: ["held-text"] },
  { text: "Dig (skipped)", is: ["held-text"] },
  { text: "Merge-skipped", is: [] },
  { text: "Dig - SKIPPED for now", is: ["held-text"] },
  { text: "Count SKIPPED rows", is: [] },
  { text: "Show what was skipped", is: [] },
  { text: "[BLOCKED: no key] Dig", is: ["held-text"] },
  { text: "T020 [DEFERRED] [US2] Dig", is: ["held-text"] },
  { text: "(Deferred to v1.1) Dig", is: ["held-text"] },
  { text: "**Deferred:** Dig", is: ["held-text"] },
  { text: "**[SKIPPED]** Dig", is: ["held-text"] },
  { text: "[Deferred](#x): links", is: [] },
  { text: "[Skip link](#main) Dig", is: [] },
  { text: "(optional chaining) Dig", is: [] },
  { text: "**Deferred Initialization**: Dig", is: [] },
  { text: "[Skipped change — reason] Dig", is: [] },
  { text: "写测试（跳过）", is: ["held-text"] },
  { text: "写测试 — 已跳过，以后再做", is: ["held-text"] },
  { text: "实现跳过按钮", is: [] },
  { text: "跳过登录页面", is: [] },
  { text: "スキップ処理を書く", is: [] },
  { text: "Thêm nút bỏ qua", is: [] },
  { text: "재시도 (건너뜀 처리 포함)", is: [] },
  { text: "재시도 (건너뜀)", is: ["held-text"] },
])("whether an open row says that it is skipped: $text", ({ text, is }) => {
  expect(parsePlan(`- [ ] ${text}\n`).warnings.map(({ rule }) => rule)).toEqual([...is] as never)
})

test.each([
  { name: "a row that is taken out", rows: "- [ ] 2. B\n  Depends on: 1\n" },
  {
    name: "a row that is taken out of a range",
    rows: "- [ ] 5. B\n  Depends on: 1-3\n",
  },
  { name: "a circle", rows: "- [ ] 5. B\n  Depends on: 6\n- [ ] 6. C\n  Depends on: 5\n" },
  {
    name: "a circle with it",
    rows: "- [ ] 5. B\n  Depends on: 3, 6\n- [ ] 6. C\n  Depends on: 5\n",
  },
])("$name sets nothing free that waits for a blocked task", ({ rows }) => {
  const { tasks, warnings } = parsePlan(
    `## TODOs\n\n- [~] 3. Key\n- [ ] 4. Deploy\n  Depends on: 3\n- [ ] 7. Tell\n  Depends on: 4\n${rows}`,
  )
  expect(warnings).toHaveLength(1)
  const free = tasks.filter(({ runnable }) => runnable).map(({ title }) => title)
  expect(free.filter((title) => title === "Deploy" || title === "Tell")).toEqual([])
  if (rows.includes("3")) expect(free).toEqual([])
})

const wholeFile: [string, string, string[]][] = [
  [
    "sections that hold fewer rows than stand outside are not taken alone",
    "## First\n- [ ] a\n- [ ] b\n### TODO/FIXME Cleanup\n- [ ] c",
    ["open a", "open b", "open c", "! 4 outnumbered-section"],
  ],
  [
    "a tick does not change how a plan is read",
    "## First\n- [x] a\n- [x] b\n### TODO/FIXME Cleanup\n- [ ] c",
    ["done a", "done b", "open c", "! 4 outnumbered-section"],
  ],
  [
    "rows without ids do not outweigh a section with ids",
    "## Needs\n- [ ] x\n- [ ] y\n- [ ] z\n## Tasks\n- [ ] 1. a\n- [ ] 2. b",
    ["open a", "open b", "! 2 outside-rows"],
  ],
  [
    "emoji and signs around a heading's words do not count",
    "## Tasks\n- [x] a\n## 🚀 **Post-Release Tasks** 📝\n- [ ] b\n## 3. Tasks :\n- [ ] c",
    ["done a", "open b", "open c"],
  ],
  ["numbers as pictures do not count", "## 1️⃣ Phase 1: A\n- [ ] a\n## Notes\n- [x] b", ["open a"]],
  [
    "a checklist is ignored behind words, with all below it",
    "## Phase 1\n- [ ] a\n### Phase 1 Final Checklist\n- [ ] x\n#### More\n- [ ] y\n## ✅ SUCCESS CRITERIA (ALL)\n### Phase 9\n- [ ] z",
    ["open a"],
  ],
  [
    "work on criteria is no checklist",
    "## Tasks\n- [ ] a\n### Acceptance tests\n- [ ] b",
    ["open a", "open b"],
  ],
  [
    "a wave alone holds its own rows",
    "## Final Verification Wave\n- [ ] F1. a\n- [ ] F2. b\n## Notes\n- [ ] c",
    ["open a", "open b", "! 5 outside-rows"],
  ],
  [
    "what is done outside is no warning",
    "## Tasks\n- [ ] a\n- [ ] b\n## Log\n- [x] c\n- [-] d",
    ["open a", "open b"],
  ],
  ["an open box that is no row is a warning", "- [ ] a\n- [ ]b\n-[ ] c", ["open a", "! 2 no-rows"]],
]

test.each(wholeFile)("%s", (_, text, wanted) => {
  const { tasks, warnings } = parsePlan(text)
  const told = [
    ...tasks.map(({ state, title }) => `${state} ${title}`),
    ...warnings.map(({ line, rule }) => `! ${line} ${rule}`),
  ]
  expect(told).toEqual(wanted)
})

test("the warning of rows that are left out has their count and the first of them", () => {
  const { warnings } = parsePlan(
    "## Tasks\n- [ ] a\n- [ ] b\n- [ ] c\n## Log\n- [x] d\n- [ ] e\n- [~] f",
  )
  expect(warnings.map(({ line, message }) => `${line} ${message}`)).toEqual([
    '7 2 open rows are outside the task sections and are not counted; the first: "e".',
  ])
})

test.each([{ row: "- [ ]\\* 1.3 A" }, { row: "- [ ] * 1.3 A" }, { row: "- [ ] \\* 1.3 A" }])(
  "$row is an optional row",
  ({ row }) => {
    const [task] = parsePlan(row).tasks
    expect([task?.optional, task?.label, task?.title]).toEqual([true, "1.3", "A"])
  },
)

test("a star behind a blank that no id with a dot follows is the title's", () => {
  const rows = ["* A", "*1.3* A", "** 1.3 A", "* 100% coverage", "* 3 retries", "* 2026-12-01 A"]
  for (const row of rows) expect(parsePlan(`- [ ] ${row}`).tasks[0]?.optional).toBe(false)
})

test("a range of numbers does not make a plan GSD's", () => {
  expect(parsePlan("- [ ] Task 18-20: A\n- [ ] Task 21-22: B").dialect).toBe("generic")
  expect(parsePlan("- [ ] 01-01: A\n- [ ] 01-02: B").dialect).toBe("gsd")
})

test("no rows that nest under a plain bullet are lost", () => {
  expect(read("- Group\n  - [ ] 1. A\n    - [ ] a\n  - [x] 2. B")).toEqual([
    "task:1 open A",
    "task:2 done B",
    "sub 3 of task:1",
  ])
})

test("a line that looks like a row and is none is ignored with its reason", () => {
  const text =
    "> - [ ] quoted\n\n    - [ ] code\n\n[ ] bare\n\n- [ ]\n\ntext\n2. [ ] goes on\n- [ ] 1. A"
  expect(read(text)).toEqual([
    "task:1 open A",
    "no 1 block-quote",
    "no 3 indented-code",
    "no 5 no-list-marker",
    "no 7 no-text",
    "no 10 in-paragraph",
    "! 1 no-rows",
  ])
})

test("an unknown dialect is warned about and read by its content", () => {
  const plan = parsePlan(`${T}- [ ] 1. A`, { dialect: "nonsense" })
  expect([plan.dialect, plan.warnings.map(({ rule }) => rule)]).toEqual([
    "omo",
    ["unknown-dialect"],
  ])
})

test("a title is one printable line of at most 400 characters", () => {
  const [task] = parsePlan(`- [ ] 1. a\u0000b\u2029c\u202ed ${"😀".repeat(400)}`).tasks
  expect(task?.title.startsWith("a b cd 😀")).toBe(true)
  expect(task?.title.length).toBeLessThanOrEqual(400)
  expect(task?.title.isWellFormed()).toBe(true)
})

test("a dialect that nobody knows is named, with the known ones", () => {
  const [warning] = parsePlan("- [ ] 1. A", { dialect: "sonnet" }).warnings
  expect(warning).toMatchObject({ line: 1, rule: "unknown-dialect" })
  expect(warning?.message).toStartWith('There is no dialect "sonnet"; known are ')
})

test("a plan that is too long says how long one may be", () => {
  const { warnings } = parsePlan("x".repeat(64 * 1024 * 1024 + 1))
  expect(warnings).toContainEqual({
    line: 1,
    rule: "too-long",
    message: expect.stringMatching(/^The plan is longer than \d+ characters\.$/),
  })
})

/** What is said of a plan that a person may have meant otherwise, word for word. */
const said: [string, string, string][] = [
  [
    "one row outside",
    `- [ ] 9. X\n${T}- [ ] 1. A`,
    '1 open row is outside the task sections and is not counted: "9. X".',
  ],
  [
    "two rows outside",
    `- [ ] 8. X\n- [ ] 9. Y\n${T}- [ ] 1. A\n- [ ] 2. B\n- [ ] 3. C`,
    '2 open rows are outside the task sections and are not counted; the first: "8. X".',
  ],
  [
    "a label twice",
    `${T}- [ ] 1. A\n- [ ] 1. B`,
    "Another task has this label: this one is todo:1#2.",
  ],
  ["a title twice", `${T}- [ ] A\n- [ ] A`, "Another task has this title: this one is "],
  ["a template's id", `${T}- [ ] TXXX A`, "The id is a template's placeholder."],
  [
    "a dependency on no task",
    `${T}- [ ] 1. A\n  Depends on: T7`,
    "No single task is called T7: until the plan names one, its order counts, and only blocked tasks hold up what depends on them.",
  ],
  [
    "a circle",
    `${T}- [ ] 1. A\n  Depends on: 2\n- [ ] 2. B\n  Depends on: 1`,
    "The dependencies of todo:1 are circular: until they are not, the order of the plan counts within the circle, and only blocked tasks hold up what depends on them.",
  ],
]

test.each(said)("says of %s what it is", (_, text, message) => {
  const messages = parsePlan(text).warnings.map((warning) => warning.message)
  expect(messages.find((one) => one.startsWith(message.slice(0, 12)))).toStartWith(message)
})

test("a legend ends where the next heading begins", () => {
  const plan = "## Legend\n- [~] done\n## TODOs\n- [~] Deferred until May\n## Later\n- [ ] B\n"
  expect(parsePlan(plan).tasks[0]).toMatchObject({ title: "Deferred until May", state: "done" })
})

test("a label ends where its word does, in every script", () => {
  const [one, two] = parsePlan(`${T}- [ ] FEATURE-1 Add\n- [ ] FEATURE-2\u00e9 Add`).tasks
  expect(one?.label).toBe("FEATURE-1")
  expect(two?.label).not.toBe("FEATURE-2")
})

test("a stage is what a phase is: its rows are the tasks where others carry steps", () => {
  const plan = (part: string) =>
    `## ${part} 1: Prepare\n- [ ] Step 1: A\n- [ ] Step 2: B\n## ${part} 2: Go\n- [ ] Step 1: C\n## Task 3: X\n- [ ] Step 1: D\n`
  expect(read(plan("Stage"))).toEqual(read(plan("Phase")))
  expect(read(plan("Milestone"))).not.toEqual(read(plan("Phase")))
})

test("rows stand in for headings of the same name where at least half of those have one", () => {
  const headings = ["A", "B", "C"].map(
    (title, at) => `## Task ${at + 1}: ${title}\n- [ ] Step 1: x\n`,
  )
  const keysOf = (rows: string) =>
    parsePlan(`${rows}\n${headings.join("")}`).tasks.map(({ title }) => title)
  expect(keysOf("- [ ] Task 1: A\n")).toEqual(["A", "B", "C"])
  expect(keysOf("- [ ] Task 1: A\n- [ ] Task 2: B\n")).not.toContain("C")
})

test("what is nested in a row makes no steps of the rows below a heading", () =>
  expect(
    read("## Task 1: A\n- [ ] x\n  - [ ] Step 1: y\n## Task 2: B\n- [ ] z\n  - [ ] Step 1: w\n"),
  ).toContainEqual(expect.stringMatching(/^task:\S+ open x$/)))

test("P1 that comes again says what is urgent and is no id; where each comes once they are ids", () => {
  const read = (third: string) => {
    const text = `# Pond\n\n## Done\n- [x] P0: Dig\n- [x] P1: Fill\n\n## Queued\n- [ ] ${third}: Plant\n`
    const { tasks, warnings } = parsePlan(text)
    const marked = markTask(text, tasks.at(-1) ?? expect.unreachable(), "done")
    expect(marked).toEqual({ ok: true, text: text.replace("[ ]", "[x]") })
    return [tasks.map(({ label, title }) => label ?? title), warnings.length]
  }
  expect(read("P1")).toEqual([["Dig", "Fill", "Plant"], 0])
  expect(read("P2")).toEqual([["P0", "P1", "P2"], 0])
})

test("nothing is advised by a guess: a plan of bullets is told where to look", () => {
  expect(
    parsePlan("# TODO\n\n- **Show** it\n").warnings.map(({ line, message }) => [line, message]),
  ).toEqual([
    [
      3,
      "No task has a box yet: `opencode-boulder plan <file>` shows what may be tasks, and how boxes are written.",
    ],
  ])
})

test("a task ends with the last line that says something, whatever blanks stand below it", () => {
  const { tasks } = parsePlan("- [ ] 1. A\n  more\n\n \t \n## B\n- [ ] 2. C\n   \n")
  expect(tasks.map(({ endLine }) => endLine)).toEqual([2, 6])
})
