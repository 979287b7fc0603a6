// Headings that count on among those that say their state: none of them is lost.
import { expect, test } from "bun:test"
import { shownPlan } from "../../../test/support/shown-plan.ts"
import { parsePlan } from "../parse-plan.ts"

const DONE = "\n**Status:** completed\n\n- it is there\n\n"

test.each([
  { name: "a number alone", one: "1. Dig", two: "2. Fill", three: "3. Plant" },
  { name: "a word of their own", one: "Step 1: Dig", two: "Step 2: Fill", three: "Step 3: Plant" },
  { name: "a number before a phase", one: "1. Dig", two: "2. Phase 2 pump", three: "3. Plant" },
])("a heading with $name and without a status is open beside two that say theirs", (each) => {
  const { one, two, three } = each
  const text = `# Pond\n\n## ${one}\n${DONE}## ${two}\n${DONE}## ${three}\n\n- Plant it.\n`
  expect(shownPlan(text).map((said) => said.split(" ").at(-1))).toEqual([
    ...["open", "done", "done", "open"],
  ])
  const { next, warnings } = parsePlan(text)
  expect([next?.key, ...warnings.map(({ line, rule }) => `${line} ${rule}`)]).toEqual([
    "task:3",
    "15 headings-without-box",
  ])
})

test("so it is between others, beside rows of a section, and where its title says that it is done", () => {
  const text = `# Pond\n\n## 1. Dig\n${DONE}## 2. Clean ✅\n\n## 3. Fill\n\nWith rain.\n\n## 4. Fish\n**Status:** in progress\n- [x] buy\n- [ ] feed\n`
  expect(shownPlan(text)).toEqual([
    ...["open", "Dig done", "Clean done", "Fill open", "buy done", "feed open"],
  ])
})

test.each([
  { name: "one status", two: "2. Fill\n\nWith rain.\n\n" },
  { name: "statuses elsewhere", two: `More\n\n### Fill\n${DONE}` },
])("beside $name it is no custom", ({ two }) => {
  const text = `# Pond\n\n## 1. Dig\n${DONE}## ${two}## 3. Plant\n\nText\n`
  expect(shownPlan(text)).not.toContain("Plant open")
})

test.each([
  ...["## 3. Risks\n\n- Rain.\n", "## 3. Open questions\n\n- Which pump?\n"],
  ...["## 3. Architecture\n\nA pond.\n", "## 3. Acceptance criteria\n\n- Full.\n"],
  ...["## Risks\n\n### 1. Rain\n", "## Summary\n\nText\n", "## 3. Deferred\n\n- A bridge.\n"],
])("%j beside them is no task", (last) => {
  const text = `# Pond\n\n## 1. Dig\n${DONE}## 2. Fill\n${DONE}${last}`
  expect(shownPlan(text)).toEqual(["complete", "Dig done", "Fill done"])
})

test("a document's sections are none for two that say a status", () => {
  const text = `# Pond\n\n## 1. Goal\n\nFish.\n\n## 2. Pump\n${DONE}## 3. Hose\n${DONE}## 4. Interfaces\n\nText\n`
  expect(shownPlan(text)).toEqual(["complete", "Pump done", "Hose done"])
})
