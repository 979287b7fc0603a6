// Which level is the unit of work in a plan without a box: lists below a unit are its details, and never displace it.
import { describe, expect, test } from "bun:test"
import { addLikeliest } from "../../../test/support/likeliest-boxes.ts"
import { offeredLines } from "../boxes/add-boxes.ts"

/** The words of the lines that get a box; the refusal where none does. */
function boxed(text: string): readonly string[] | string {
  const added = addLikeliest(text, "PLAN.md")
  return added.ok
    ? added.added.map(({ text }) => text.replace(/^(?:#+ |(\d+\. ))?\[[ x]\] /, "$1"))
    : added.message
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

test("what is left comes before numbered headings, and so do the plan or order among a document's sections", () => {
  for (const name of ["Pending", "Implementation plan", "Suggested implementation order"]) {
    const text = `# P\n\n## 1. Pumps\n\nText.\n\n## 2. Ponds\n\nText.\n\n## 3. ${name}\n\n${ROWS}`
    expect(boxed(text)).toEqual(["1. Dig the ground", "2. Fill it up"])
  }
  const text = `# P\n\n## Plan\n\n### 1. Pumps\n\nText.\n\n### 2. Steps\n\n${ROWS}\n### 3. Ponds\n\nText.\n`
  expect(boxed(text)).toEqual(["1. Dig the ground", "2. Fill it up"])
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

const below = (headings: readonly string[]) => headings.map((each) => `${each}\n\nw\n`).join("\n")

describe("no word takes a heading out of its own series", () => {
  test.each([
    {
      name: "in the middle",
      text: below(["## Near", "### Sockets", "### Metrics Collection", "### Tracing"]),
      are: ["7-15"],
    },
    {
      name: "in the middle of several lists",
      text: below(["## A", "### Pit", "### Metrics", "### Pump", "## B", "### Fish", "### Reed"]),
      are: ["7-27"],
    },
    {
      name: "what counts by a word, at the end",
      text: below(["## Phase 1", "## Phase 2 (In progress)", "## Phase 3 (Future)"]),
      are: ["3-7", "3-11"],
    },
    {
      name: "what counts by a word, at the start",
      text: below(["### PR 1: a *(already done, needs commit)*", "### PR 2: b", "### PR 3: c"]),
      are: ["3-11"],
    },
    {
      name: "what counts by a number",
      text: below(["## 1. Goal", "## 2. Dig", "## 3. API", "## 4. Fill", "## 5. Risks"]),
      are: ["7,15", "3-19"],
    },
  ])("$name", ({ text, are }) => {
    expect(offers(`# P\n\n${text}`).slice(0, are.length)).toEqual([...are])
  })
})

test("headings that count by a letter behind the numbers of a document's sections are a choice of their own", () => {
  const text =
    "# P\n\n## 1. Why we dig\n\nText.\n\n## 2. M0 - Dig\n\nText.\n\n## 3. M1 - Fill\n\nText.\n\n## 4. How it ends\n\nText.\n"
  expect(offers(text).slice(0, 2)).toEqual(["3-15", "7-11"])
})

test("lists that are offered together come one by one only behind the headings that they stand below", () => {
  const phase = (at: number) =>
    `## Phase ${at}: Pond ${at}\n\n${[1, 2, 3, 4].map((to) => `#### TODO ${at}A-${to}: Do it\n**Change**:\n- change a\n- change b\n\n`).join("")}`
  const shown = offeredLines(`# P\n\n${phase(1)}${phase(2)}${phase(3)}`, "PLAN.md")
  expect(shown.slice(0, 3).map(({ kind, count }) => `${count} ${kind}`)).toEqual([
    ...["3 headings", "24 bullets", "12 headings"],
  ])
})

test("headings that speak of units further in are not those: Phase 1 Commits", () => {
  const text =
    "# P\n\n## Phase 1: A\ntext\n\n## Phase 2: B\ntext\n\n## Commit Strategy\n\n### Phase 1 Commits\n1. x\n\n### Phase 2 Commits\n2. y\n"
  expect(boxed(text)).toEqual(["Phase 1: A", "Phase 2: B"])
})

test("rows whose numbers count on below other headings are one choice, in place of a part of them", () => {
  const text =
    "# P\n\n## Make it work\n1. Write the parser\n2. Add tests\n\n## Make it run\n3. Add a route\n\n## Make it right\n4. Fix the door\n"
  expect(offers(text)[0]).toBe("4-11")
  expect(offers(text)).not.toContain("4-5")
  expect(offers(text.replace("3. Add", "1. Add"))).toContain("4-5")
  // What is no work is a choice of its own.
  expect(offers(text.replace("Make it work", "Requirements"))).toContain("8-11")
})
