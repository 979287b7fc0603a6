// Which level is the unit of work in a plan without a box: lists below a unit are its details, and never displace it.
import { describe, expect, test } from "bun:test"
import { addLikeliest } from "../../../test/support/likeliest-boxes.ts"
import { offeredLines } from "../boxes/add-boxes.ts"

/** The words of the lines that get a box; the refusal where none does. */
function boxed(text: string): readonly string[] | string {
  const added = addLikeliest(text, "PLAN.md")
  return added.ok ? added.added.map(({ title }) => title.replace(/^#+ /, "")) : added.message
}

const offers = (text: string) => offeredLines(text, "PLAN.md").map(({ lines }) => lines)

const NUMBERED = "### 1. Add the pump\n\n- Create a channel\n\n### 2. Wire up the pond\n\nAdd it.\n"
const HEADINGS = ["1. Add the pump", "2. Wire up the pond"]
const ROWS = "1. Dig the ground\n2. Fill it up\n"

describe("numbered headings below a heading of work come before rows further in, elsewhere", () => {
  test.each([
    "Implementation Options",
    "Implementation Approach",
    "Implementation Details",
    "Implementation Strategy",
    "Alternatives for the implementation",
  ])("below %s", (name) => {
    for (const work of ["Implementation", "Implementation Plan", "Steps"]) {
      const beside = `## ${name}\n\n### A: Patch\n\n${ROWS}\n### B: Fork\n\n${ROWS}`
      expect(boxed(`# P\n\n## ${work}\n\n${NUMBERED}\n${beside}`)).toEqual(HEADINGS)
      expect(boxed(`# P\n\n${beside}\n## ${work}\n\n${NUMBERED}`)).toEqual(HEADINGS)
    }
  })
  test.each(["Implementation steps", "Rollout plan", "Next steps"])(
    "but not before those right below a heading such as %s",
    (name) => {
      const text = `# P\n\n## Changes\n\n${NUMBERED}\n## ${name}\n\n${ROWS}`
      expect(boxed(text)).toEqual(["1. Dig the ground", "2. Fill it up"])
    },
  )
  test("and rows further in are the work where no such heading has a number", () => {
    const text = `# P\n\n## Implementation\n\n### Pump\n\n${ROWS}\n## Files\n\nNone.\n`
    expect(boxed(text)).toEqual(["1. Dig the ground", "2. Fill it up"])
  })
})

describe("rows below one of several numbered headings are its details", () => {
  test.each(["Testing", "Rollback Plan", "Work on the bank", "Migration tasks"])("%s", (name) => {
    for (const around of ["", "## Steps\n\n"]) {
      const [one, two, ...others] = boxed(`# P\n\n${around}${NUMBERED}\n### 3. ${name}\n\n${ROWS}`)
      expect([one, two]).toEqual(HEADINGS)
      expect([[], [`3. ${name}`]]).toContainEqual(others)
    }
  })
  test("but not what is left of the work, nor the plan or order among a document's sections", () => {
    for (const name of ["Pending", "Implementation plan", "Suggested implementation order"]) {
      const text = `# P\n\n## 1. Pumps\n\nText.\n\n## 2. Ponds\n\nText.\n\n## 3. ${name}\n\n${ROWS}`
      expect(boxed(text)).toEqual(["1. Dig the ground", "2. Fill it up"])
    }
    const text = `# P\n\n## Plan\n\n### 1. Pumps\n\nText.\n\n### 2. Steps\n\n${ROWS}\n### 3. Ponds\n\nText.\n`
    expect(boxed(text)).toEqual(["1. Dig the ground", "2. Fill it up"])
  })
})

describe("beside numbers that hold named units", () => {
  const PARTS = (a: string, b: string, c: string) =>
    `# P\n\n## 1. Split the route\n\n### ${a} Hook\n\nText.\n\n### ${b} Parts\n\n## 2. Move the logic\n\n### ${c} Try\n\n## 3. Move the rest\n\nText.\n\n## 4. Make a constant\n`
  test.each([
    ["Step 1a —", "Step 1b —", "Step 2a —"],
    ["Step 1.1", "Step 1.2", "Step 2.1"],
    ["Task 1:", "Task 2:", "Task 3:"],
  ])("%s, %s, %s: those without any are work as well", (a, b, c) => {
    const all = [`${a} Hook`, `${b} Parts`, `${c} Try`]
    expect(boxed(PARTS(a, b, c))).toEqual([...all, "3. Move the rest", "4. Make a constant"])
  })
  test("those that tell of no work are none, nor the sections of a document", () => {
    const [rest, constant] = ["3. Move the rest", "4. Make a constant"]
    const text = PARTS("Step 1", "Step 2", "Step 3")
    const steps = ["Step 1 Hook", "Step 2 Parts", "Step 3 Try"]
    expect(boxed(text.replace(rest, "3. Rules"))).toEqual([...steps, constant])
    expect(boxed(text.replace("1. Split the route", "1. Development phases"))).toEqual(steps)
    expect(boxed(text.replace("1. Split the route", "1. Architecture"))).toEqual(steps)
  })
  test("a single one with units leaves the others another choice", () => {
    const text =
      "# P\n\n## 1. Add the pump\n\nText.\n\n## 2. Wire it up\n\n### Step 1: Dig\n\n### Step 2: Fill\n\n## 3. Write a test\n"
    expect(boxed(text)).toEqual(["Step 1: Dig", "Step 2: Fill"])
    expect(offers(text)).toContain("3-13")
  })
})

test("steps of how it is deployed get no box beside tasks", () => {
  const tasks = "## Work\n\n#### Task 1.1: Dig\n\nText.\n\n#### Task 1.2: Fill\n\nText.\n"
  for (const name of ["Deployment strategy", "Rollout process", "Rollback plan"]) {
    const text = `# P\n\n${tasks}\n## ${name}\n\n### Step 1: Here\n\n1. Try it\n\n### Step 2: There\n`
    expect(boxed(text)).toEqual(["Task 1.1: Dig", "Task 1.2: Fill"])
    expect(offers(text)).toContain("15-19")
  }
})

test.each(["Principle", "Rule", "原则", "Regel"])(
  "headings that count by %s name no work",
  (word) => {
    const text = `# P\n\n### ${word} 1: Separate\n\nText.\n\n### ${word} 2: Know no model\n\nText.\n`
    expect(boxed(text)).toBe("none is advised")
    expect(boxed(text.replaceAll(word, "Fix"))).toEqual(["Fix 1: Separate", "Fix 2: Know no model"])
  },
)

test.each([
  { around: "## Queue\n\n", first: "P0 (Now)", second: "P2 (Backlog)" },
  { around: "## Plan\n\n", first: "High priority", second: "Backlog" },
  { around: "", first: "Immediate", second: "Next" },
  { around: "", first: "Now", second: "Remaining" },
])("the lists of $first come with those of $second", ({ around, first, second }) => {
  const list = "1. Add the form.\n2. Write the route.\n"
  const text = `# P\n\n${around}### ${first}\n\n${list}\n### ${second}\n\n${list.replaceAll("the", "a")}`
  expect(boxed(text)).toEqual([
    ...["1. Add the form.", "2. Write the route."],
    ...["1. Add a form.", "2. Write a route."],
  ])
})
