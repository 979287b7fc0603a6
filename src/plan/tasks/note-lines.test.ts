import { expect, test } from "bun:test"
import { markedPlan } from "../../../test/support/shown-plan.ts"
import { parsePlan } from "../parse-plan.ts"
import { withNote } from "./note-lines.ts"

test("a note below a heading is set apart from what follows, and from nothing else", () => {
  expect(withNote("## 1. A\nText\n", 1, 3, "no key")).toBe("## 1. A\n- BLOCKED: no key\nText\n")
  expect(withNote("## 1. A\n  ", 1, 3, "no key")).toBe("## 1. A\n- BLOCKED: no key\n  ")
  expect(withNote("## 1. A", 1, 3, undefined)).toBe("## 1. A\n- BLOCKED: no reason given")
})

test.each([
  {
    name: "a heading",
    text: "## Phase 1: A\n**Status:** pending\n\n## Phase 2: B\nStatus: pending\n",
  },
  {
    name: "a heading above a break",
    text: "## Task 1: A\n---\n- [ ] Step 1: w\n## Task 2: B\n- [ ] Step 1: w\n",
  },
  {
    name: "a heading above a number",
    text: "## Task 1: A\n2. [ ] Step 1: w\n## Task 2: B\n- [ ] Step 1: w\n",
  },
  {
    name: "a heading with a line below",
    text: "Task 1: A\n---------\n- [ ] Step 1: w\n\nTask 2: B\n---------\n- [ ] Step 1: w\n",
  },
  { name: "a row among mixed line ends", text: "# P\n- [ ] 1. a\r\n- [ ] 2. b\r\n" },
  { name: "a row at the end", text: "# P\r\n- [ ] 2. b\n- [ ] 1. a" },
  { name: "a row with an escaped box", text: "# P\n- \\[ \\] 1. a\n" },
])("a block that is written and taken back leaves the bytes of $name as they were", ({ text }) => {
  const blocked = markedPlan(text, "task:1", "blocked")
  const [task] = parsePlan(blocked).tasks.filter(({ key }) => key === "task:1")
  expect([task?.state, task?.note?.words]).toEqual(["blocked", "why"])
  expect(markedPlan(blocked, "task:1", "open")).toBe(text)
})

test.each([
  "`COMPLIANCE.md` and the gate records",
  "**both** of them",
  "*all* of them",
  "2026-01-02 at the latest",
  "~~not~~ at all",
  "-1 and below",
  "#12 and #13",
  "+1 of each",
  "<https://example.com/a>",
  "< 5 ms",
])(
  "a note goes behind the whole of a wrapped row, also of one whose next line begins with %s",
  (second) => {
    const text = `- [ ] 1. Write down\n      ${second}\n- [ ] 2. b\n`
    const blocked = markedPlan(text, "task:1", "blocked")
    expect(blocked).toBe(`- [ ] 1. Write down\n      ${second}\n  - BLOCKED: why\n- [ ] 2. b\n`)
    expect(markedPlan(blocked, "task:1", "open")).toBe(text)
  },
)

test.each([
  { name: "a line", text: "- [ ] 1. Write the pump\nthat runs\n- [ ] 2. b\n", at: 2 },
  { name: "a line with other line ends", text: "- [ ] 1. Write\r\nit\r\n\r\nText\r\n", at: 2 },
  {
    name: "lines, of which one is indented",
    text: "- [ ] 1. Write\n  it\ndown `here`\n2 times\n",
    at: 4,
  },
  { name: "a line at the end", text: "- [ ] 1. Write\nit", at: 2 },
  { name: "a label", text: "- [ ] 1. Write\n**Notes:**\n- a\n", at: 2 },
  {
    name: "a line below a row of dots",
    text: "- [ ] 1. Write ...\n... it down\n\n- [ ] 2. b\n",
    at: 2,
  },
])("$name at the margin goes on with a row's words, and a note stands behind", ({ text, at }) => {
  const blocked = markedPlan(text, "task:1", "blocked")
  const lines = text.split("\n")
  const end = text.includes("\r") ? "\r" : ""
  expect(blocked).toBe(lines.toSpliced(at, 0, `  - BLOCKED: why${end}`).join("\n"))
  expect(markedPlan(blocked, "task:1", "open")).toBe(text)
  const rows = ({ tasks }: ReturnType<typeof parsePlan>) =>
    tasks.map(({ key, title }) => [key, title])
  expect(rows(parsePlan(blocked))).toEqual(rows(parsePlan(text)))
})

test.each([
  "- a",
  "2. a",
  "[ ] a",
  "-[ ] a",
  "**[x] a**",
  "\\[ \\] a",
  "> a",
  "| a |",
  "```",
  "## a",
  "---",
  "<div>",
  "",
])("a note goes in front of what begins at the margin: %s", (second) => {
  const blocked = withNote(`- [ ] 1. Write\n${second}\n`, 1, 2, "why")
  expect(blocked).toBe(`- [ ] 1. Write\n  - BLOCKED: why\n${second}\n`)
})

test.each([
  "- a",
  "* a",
  "+ a",
  "2. a",
  "1) a",
  "[ ] a",
  "> a",
  "| a |",
  "```",
  "~~~",
  "## a",
  "***",
  "---",
  "<div>",
  "<!-- a -->",
])("a note goes in front of what is no part of the row's own words: %s", (second) => {
  const blocked = withNote(`- [ ] 1. Write\n  ${second}\n`, 1, 2, "why")
  expect(blocked).toBe(`- [ ] 1. Write\n  - BLOCKED: why\n  ${second}\n`)
})

test.each([
  { name: "in a list of four blanks", below: "    - BLOCKED: no key", is: "blocked" },
  { name: "as prettier writes it", below: "      BLOCKED: no key", is: "blocked" },
  { name: "behind two tabs", below: "\t\t- BLOCKED: no key", is: "blocked" },
  { name: "beside a bullet", below: "    - Ask Ann\n    - BLOCKED: no key", is: "blocked" },
  { name: "behind a part beside it", below: "    - [ ] Ask\n    - BLOCKED: no key", is: "blocked" },
  { name: "below a bullet", below: "  - Ask Ann\n    - BLOCKED: no key", is: "open" },
  { name: "below a number", below: "   1. Ask Ann\n      BLOCKED: no key", is: "open" },
  { name: "below a bullet behind a tab", below: "\t- Ask Ann\n\t\t- BLOCKED: no key", is: "open" },
  { name: "below a part", below: "  - [ ] Ask\n    BLOCKED: no key", is: "open" },
  {
    name: "below a bullet and more",
    below: "  - Ask Ann\n  more\n      BLOCKED: no key",
    is: "open",
  },
] as const)("a note $name leaves the task $is: how far it is indented does not matter", (each) => {
  const { tasks } = parsePlan(`- [ ] 1. Deploy\n${each.below}\n- [ ] 2. Tell\n`)
  expect(tasks.map(({ state }) => state)).toEqual([each.is, "open"])
})
