import { describe, expect, test } from "bun:test"
import { markedPlan, shownPlan } from "../../../test/support/shown-plan.ts"
import { parsePlan } from "../parse-plan.ts"

const table = (...rows: string[]) => {
  const [head = "", ...body] = rows.map((row) => `| ${row} |\n`)
  return `${head}${head.replace(/[^|\n]+/g, "---")}${body.join("")}`
}
const read = (text: string) => shownPlan(`# Pond\n\n${text}`)

describe("each row of a table with a box in one column is a task", () => {
  test.each([
    {
      name: "before the words, behind a number",
      text: table("# | Task | File", "1 | [x] Dig | a.ts", "2 | [ ] Fill | b.ts"),
      tasks: ["open", "Dig done", "Fill open"],
    },
    {
      name: "in a column of its own, where a word for its state may follow",
      text: table("Day | Task | Done", "Oct 8 | Dig | [x] done", "Oct 9 | Fill | [ ] pending"),
      tasks: ["open", "Oct 8 | Dig done", "Oct 9 | Fill open"],
    },
    {
      name: "in front",
      text: table("Done | Task", "[ ] | Dig", "[x] | Fill", "[ ] | Plant"),
      tasks: ["open", "Dig open", "Fill done", "Plant open"],
    },
    {
      name: "beside rows of lists with the same numbers",
      text: `${table("# | Task", "1 | [ ] Dig", "2 | [ ] Fill")}\n## More\n\n1. [ ] Plant\n2. [x] Fish\n`,
      tasks: ["open", "Dig open", "Fill open", "Plant open", "Fish done"],
    },
  ])("$name", ({ text, tasks }) => expect(read(text)).toEqual(tasks))

  test("also where each has a mark of its own", () => {
    const rows = ["Dig | Ann | [x]", "Fill | Bo | [~]", "Plant | Cy | [ ]"]
    expect(read(table("Task | Who | Status", ...rows))).toHaveLength(4)
  })

  test("its id is the label, and what follows the table belongs to no row", () => {
    const text = table("Id | Task | Done", "A-1 | Dig | [ ]", "A-2 | Fill, after A-1 | [ ]")
    const { tasks, warnings } = parsePlan(`${text}\nDepends on: nobody\n`)
    expect(tasks.map(({ key }) => key)).toEqual(["task:a-1", "task:a-2"])
    expect(warnings).toEqual([])
  })

  test("it is marked in its cell, and blocked by a mark, since a line would end the table", () => {
    const text = `# Pond\n\n${table("# | Task \\| why | Done", "1 | Dig \\| a | [ ]", "2 | Fill | [ ]")}`
    const done = text.replace("[ ]", "[x]")
    expect(markedPlan(text, "task:1", "done")).toBe(done)
    expect(markedPlan(done, "task:1", "open")).toBe(text)
    const blocked = markedPlan(text, "task:1", "blocked")
    expect(blocked).toBe(text.replace("[ ]", "[!]"))
    expect(shownPlan(blocked)).toEqual(["open", "Dig \\| a blocked", "Fill open"])
    expect(markedPlan(blocked, "task:1", "open")).toBe(text)
    // Somebody may write one all the same.
    const byHand = text.replace("[ ] |", "[ ] |\n  - BLOCKED: no spade")
    expect(shownPlan(byHand)).toEqual(["open", "Dig \\| a blocked", "Fill open"])
    expect(markedPlan(byHand, "task:1", "open")).toBe(text)
  })
})

describe("a table is none of the tasks", () => {
  const rows = "- [x] T1 Dig\n- [ ] T2 Fill it\n"
  test.each([
    { name: "with a row without a box", text: table("Task | Done", "Dig | [ ]", "Fill | no") },
    { name: "with two columns of boxes", text: table("Task | A | B", "Dig | [ ] | [x]") },
    { name: "that explains marks", text: table("Mark | Meaning", "[ ] | open", "[x] | done") },
    {
      name: "that explains marks in words of its own",
      text: table("Mark | Meaning", "[ ] | open", "[?] | to discuss", "[x] | done"),
    },
    ...["Required", "Approved", "Supported", "MVP", "Chosen", "Breaking", "Can delete"].map(
      (name) => ({
        name: `of what is ${name}`,
        text: table(`Name | ${name}`, "Dig | [x]", "Fill | [ ]"),
      }),
    ),
    { name: "that asks which", text: table("Question | Answer", "Which pond? | [ ] Old [ ] New") },
    { name: "in code", text: `\`\`\`\n${table("Task | Done", "Dig | [ ]")}\`\`\`\n` },
    { name: "with tags", text: table("Task | Tag", "Dig | [P]", "Fill | [P]") },
  ])("$name", ({ text }) => expect(read(text)).toEqual(["invalid"]))
  test.each([
    { name: "by an id", text: table("Id | Done", "T1 | [ ]", "T2 | [ ]") },
    { name: "by a title", text: table("Task | Who | Done", "Water | Ann | [ ]", "Dig | Bo | [x]") },
  ])("that tells again of rows, $name", ({ text }) =>
    expect(read(`${text}\n${rows}`)).toEqual(["open", "Dig done", "Fill it open"]),
  )
  test("that tells again of headings with rows", () => {
    const phases = "## Phase 1: Dig\n\n- [x] a\n\n## Phase 2: Fill\n\n- [ ] b\n"
    const text = `${table("Phase | Done", "Phase 1: Dig | [x]", "Phase 2: Fill | [ ]")}\n${phases}`
    expect(read(text)).toEqual(["open", "a done", "b open"])
  })
  test("below criteria", () => {
    const text = `- [ ] a\n\n## Acceptance Criteria\n\n${table("What | Met", "Dig | [ ]")}`
    expect(read(text)).toEqual(["open", "a open"])
  })
})
