// What is said of lines without a box in a plan that has tasks, and what is shown of them.
import { describe, expect, test } from "bun:test"
import { parsePlan } from "../parse-plan.ts"
import { offeredLines } from "./add-boxes.ts"

const SHOWS = "`opencode-boulder plan <file>` shows what may be tasks, and how boxes are written."

const saidOf = (text: string, path = "x.md") =>
  parsePlan(text, { path }).warnings.flatMap(({ rule, message }) =>
    rule === "rows-without-box" ? [message.replace(/: (?:`opencode-boulder|write ).*$/, "")] : [],
  )
const shownOf = (text: string) => offeredLines(text, "x.md").map(({ lines }) => lines)

describe("a unit beside others that hold tasks is said at once", () => {
  test.each([
    { all: ["Phase 1: Dig", "Phase 2: Fill"] },
    { all: ["Fase 3A — Freeze", "Fase 3C — Trace"] },
    { all: ["第一步：挖", "第二步：填"] },
    { all: ["M1 Dig", "M2 Fill"] },
  ])("$all", ({ all: [one, two] }) => {
    const text = `# P\n\n## ${one}\n- [ ] a\n- [ ] b\n- [ ] c\n\n## ${two}\n\n- d\n- e\n`
    expect(saidOf(text)).toEqual([`1 heading has no box and is not run ("${two}")`])
    expect(saidOf(text.replace(two ?? "", `${two} ✅`))).toEqual([])
    expect(shownOf(text)).toContain("8")
  })
  test("in a known format too", () => {
    const text = "# Tasks\n\n## Phase 1: Setup\n- [ ] T001 a\n- [ ] T002 b\n\n## Phase 2: Base\nw\n"
    expect(parsePlan(text, { path: "specs/1/tasks.md" }).dialect).toBe("spec-kit")
    expect(saidOf(text, "specs/1/tasks.md")).toEqual([
      '1 heading has no box and is not run ("Phase 2: Base")',
    ])
  })
  test("where it has criteria alone, but not where open rows below it are said anyway", () => {
    const text = (below: string) =>
      `# P\n\n## Phase 1: Dig\n- [ ] a\n\n## Phase 2: Fill\n\n${below}\n`
    expect(saidOf(text("### Success criteria\n- [ ] It is full"))).toHaveLength(1)
    const out = text("- [ ] b").replace("Fill", "Fill (deferred)")
    expect(parsePlan(out).warnings.map(({ rule }) => rule)).toEqual(["outside-rows"])
  })
  test("but a document's chapters are no series, and its parts below one of them are", () => {
    const chapters =
      "# P\n\n## 1. Goal\nw\n\n## 2. Tasks\n- [ ] a\n- [ ] b\n- [ ] c\n\n## 3. Team\nw\n"
    expect(saidOf(chapters)).toEqual([])
    const parts = "# P\n\n## Queue\n\n### 1. Dig\n- [x] a\n- [x] b\n\n### 2. Fill\n- c\n"
    expect(saidOf(parts)).toEqual(['1 heading has no box and is not run ("2. Fill")'])
  })
  test("and the command that offers boxes is named only where it offers some before these lines", () => {
    const text = "Phase 1\n-------\n\n- [ ] 1. Dig\n\nPhase 2\n-------\n\nFill it.\n"
    const said = '1 heading has no box and is not run ("Phase 2")'
    const told = (plan: string) => parsePlan(plan).warnings.map(({ message }) => message)
    expect(shownOf(text)).toEqual([])
    expect(told(text)).toEqual([`${said}: write what is work as a row with a box, like the tasks.`])
    const offered = text.replace("Phase 2\n-------", "## Phase 2")
    expect(shownOf(offered)).toContain("6")
    expect(told(offered)).toEqual([`${said}: ${SHOWS}`])
  })
  test("a bold line that names one stands for a heading", () => {
    const text = (two: string) =>
      `# P\n\n**Phase 1: Dig**\n- [ ] a\n- [ ] b\n\n${two}\n- c\n- d\n\n## Notes\nw\n`
    for (const two of ["**Phase 2: Fill**", "**Phase 2:** Fill"])
      expect(saidOf(text(two))).toEqual(['1 heading has no box and is not run ("Phase 2: Fill")'])
    for (const two of [
      "**Phase 2: Fill ✅**",
      "**Phase 2** is out.",
      "**Notes**",
      "```\n**Phase 2: Fill**\n```",
    ])
      expect(saidOf(text(two))).toEqual([])
    const weeks = text("**Week 2 (late)**").replace("Phase 1", "Week 1")
    expect(saidOf(weeks)).toEqual(['1 heading has no box and is not run ("Week 2 (late)")'])
    expect(shownOf(text("**Phase 2: Fill**"))).toEqual(["8-9", "11"])
  })
  test("but not where none of its like holds a task, or within a task", () => {
    const bold = "**Phase 1: Dig**\nw\n\n**Phase 2: Fill**\nw\n"
    expect(saidOf(`# P\n\n## Overview\n\n${bold}\n## Tasks\n\n- [ ] a\n- [ ] b\n`)).toEqual([])
    const steps = "**Step 1: Test**\n- [ ] 1. a\n- [ ] 2. b\n\n**Step 2: Write**\n\nw\n"
    const tasks = `# P\n\n### Task 1: Dig\n\n${steps}\n### Task 2: Fill\n\n${steps}`
    expect(parsePlan(tasks).tasks).toHaveLength(2)
    expect(saidOf(tasks)).toEqual([])
  })
  test("nor is a checklist of one", () => {
    expect(saidOf("# P\n\n## Phase 1: A\n- [ ] a\n\n## Phase 1 checklist\nw\n")).toEqual([])
  })
})

describe("in a plan of no known format", () => {
  const TASKS = "## Work\n- [ ] a\n- [ ] b\n- [ ] c\n\n"
  test("units are said", () => {
    const days = "### Day 1: A\n- a1\n- a2\n\n### Day 2: B\n- b1\n"
    expect(saidOf(`# P\n\n${TASKS}## Days\n\n${days}`)).toEqual([
      '2 headings have no box and are not run ("Day 1: A", "Day 2: B")',
    ])
  })
  test("what a heading calls left is said", () => {
    expect(saidOf(`# P\n\n${TASKS}## Next steps\n\n- one\n- two\n`)).toEqual([
      '2 bullets have no box and are not run ("one", "two")',
    ])
    expect(saidOf(`# P\n\n${TASKS}## Backlog\n\n### Fish\nw\n\n### Dark water\nw\n`)).toEqual([
      '2 headings have no box and are not run ("Fish", "Dark water")',
    ])
  })
  test("what looks like work is said where it outnumbers the tasks, or all of these are settled", () => {
    const list = "## Pump\n\n1. Add a pump\n2. Write the guide\n3. Build the wall\n"
    const said = [
      '3 numbered rows have no box and are not run ("Add a pump", "Write the guide", "Build the wall")',
    ]
    expect(saidOf(`# P\n\n${TASKS}${list}`)).toEqual([])
    expect(saidOf(`# P\n\n${TASKS.replaceAll("[ ]", "[x]")}${list}`)).toEqual(said)
    expect(saidOf(`# P\n\n${TASKS.replace("- [ ] b\n- [ ] c\n", "")}${list}`)).toEqual(said)
  })
  test("what is no work or done is not, and neither is a list that nothing tells of", () => {
    for (const below of ["## Risks\n- wet\n- cold\n- dry\n- deep\n", "## Done\n- ✅ d\n- ✅ e\n"])
      expect(saidOf(`# P\n\n## Work\n- [x] a\n\n${below}`)).toEqual([])
    expect(saidOf(`# P\n\n## Work\n- [x] a\n\n## Pump\n- red\n- blue\n`)).toEqual([])
  })
  test("headings that tell more of a task are its own", () => {
    const rows = "- [ ] 1. Dig\n- [ ] 2-3. Fill and plant\n"
    const details = "### Task 1: Dig\nw\n\n### Task 2: Fill\nw\n\n### Task 3: Plant\nw\n"
    expect(saidOf(`# P\n\n## Tasks\n${rows}\n## Details\n\n${details}`)).toEqual([])
    expect(shownOf(`# P\n\n## Tasks\n${rows}\n## Details\n\n${details}`)).toEqual([])
    const same = "### 1. Dig\nw\n\n### 2. Sweep: all of it\nw\n"
    expect(saidOf(`# P\n\n## Tasks\n- [ ] Dig\n- [ ] 2. Sweep\n\n## How\n\n${same}`)).toEqual([])
  })
})

test("what stands right below a row is its own, and behind an empty line it is not", () => {
  const text = (between: string) =>
    `# P\n\n## Overview\n\nText.\n\n## Plan\n\n1. [ ] A\n${between}- Do it.\n2. [ ] B\n${between}- Do that.\n`
  expect(shownOf(text(""))).toEqual(["3"])
  expect(saidOf(text(""))).toEqual([])
  expect(shownOf(text("\n"))).toContain("11-14")
})

test("all that stands outside the tasks is shown, and nothing that stands in one", () => {
  const text = `# P\n\n## Goals\n- fast\n- small\n\n### [ ] Task 1: Dig\n- deep\n- wide\n\n## Work\n- [ ] a\n  - b\n\n1. c\n2. d\n`
  expect(shownOf(text).toSorted()).toEqual(["15-16", "4-5"])
})

test("a known format tells of what lists its reviews alone", () => {
  const text =
    "# P\n\n## TODOs\n\n1. Dig\n2. Fill\n\n## Final Verification Wave\n\n- [ ] F1. **Audit**\n- [ ] F2. **Quality**\n- [ ] F3. **QA**\n"
  expect(saidOf(text, ".sisyphus/plans/p.md")).toEqual([
    '2 numbered rows have no box and are not run ("Dig", "Fill")',
  ])
})

describe("a row without a box in a list with boxes", () => {
  test.each([
    { rows: "- [x] 1. Build\n- [x] 2. Test\n- 3. Ship\n- 4. Sell\n" },
    { rows: "1. [x] Build\n2. [x] Test\n3. Ship\n4. Sell\n" },
    { rows: "- [x] Build\n- [ ] Test\n- Ship\n- Sell\n- Rest\n" },
  ])("is no part of the row above: $rows", ({ rows }) => {
    expect(saidOf(`# P\n\n## Work\n\n${rows}`)).toHaveLength(1)
    expect(shownOf(`# P\n\n## Work\n\n${rows}`)).toHaveLength(1)
  })
})

test("a heading that stands alone is shown", () => {
  expect(shownOf("# P\n\n- [x] a\n- [x] b\n\n### 1.1 Write the reader\nw\n")).toEqual(["6"])
})

test("a phase is no task of its number", () => {
  const phases = "# P\n\n## Phase 1: Base\n- [x] 1. Build\n- [x] 2. Test\n\n## Phase 2: Api\n"
  expect(saidOf(`${phases}- Ship\n- Sell\n`)).toEqual([
    '1 heading has no box and is not run ("Phase 2: Api")',
  ])
  expect(saidOf(`${phases}- [x] 3. Ask\n\n### Task 4: Ship\nw\n`)).toHaveLength(1)
})

test("what a status or a tick says to be done is not named", () => {
  const text = "## Phase 1: A\n- [x] a\n\n## Phase 2: B\n**Status**: done\n\n## Phase 3: C\nw\n"
  expect(saidOf(text)).toEqual(['1 heading has no box and is not run ("Phase 3: C")'])
  expect(saidOf("- [ ] a\n\n## Next steps\n- ✅ b\n- c\n")).toEqual([
    '1 bullet has no box and is not run ("c")',
  ])
})

test("units that go on under another heading than those that are tasks are said, whatever it is called", () => {
  const text =
    "## A\n### [x] Task 1.1 — a\nx\n## Verification\n### Task 2.1 — b\nx\n### Task 2.2 — c\nx\n"
  expect(saidOf(text, ".swarm/plan.md")).toEqual([
    '2 headings have no box and are not run ("Task 2.1 — b", "Task 2.2 — c")',
  ])
})

test("headings below criteria are neither said to have no box nor offered, and nor are the criteria", () => {
  const text =
    "# P\n## Backend\n- [ ] a\n\n## Success criteria\n\n### Version 1.1\n- [ ] b\n\n### Version 2.0\n- [ ] c\n\n## Model\n- [ ] d\n"
  expect(parsePlan(text).warnings).toEqual([])
  expect(offeredLines(text, "plan.md")).toEqual([])
})

test.each([
  "# P\n\n## Phase 1: A\n- [ ] 1. a\n\n# Success Criteria\n\n## Phase 2: B\nx\n\n## Phase 3: C\ny\n",
  "# P\n\n## Tasks\n- [ ] 1. a\n- [ ] 2. b\n\n## Acceptance Criteria\n\n### Task 3: Write\nx\n\n### Task 4: Ship\ny\n",
])("units of the tasks' series are said to have no box below criteria too: %j", (text) => {
  const [said = ""] = saidOf(text, "plan.md")
  expect(said).toStartWith("2 headings have no box and are not run")
})

describe("what counts on with tasks is counted as a whole, below whatever heading", () => {
  test.each([
    {
      name: "rows below other headings",
      text: "## One\n1. [ ] a\n2. [ ] b\n## Two\n3. c\n4. d\n## Three\n5. e\n6. f\n",
      said: '4 numbered rows have no box and are not run ("c", "d", …, "f")',
    },
    {
      name: "one row in the midst",
      text: "- [ ] 1. a\n- 2. b\n- [ ] 3. c\n",
      said: '1 bullet has no box and is not run ("2. b")',
    },
    {
      name: "rows before a task, and right below prose",
      text: "1. Dig\n2. [ ] Fill\nThen\n3. Plant\n4. [ ] Sit\n",
      said: '2 numbered rows have no box and are not run ("Dig", "Plant")',
    },
    {
      name: "headings",
      text: "### [ ] 1. a\n### [ ] 2. b\n## Two\n### 3. c\n### 4. d\n### 5. Risks\n",
      said: '2 headings have no box and are not run ("3. c", "4. d")',
    },
    {
      name: "rows and headings in one sentence",
      text: "1. Dig\n\n## Phase 1: Pond\n2. [ ] Fill\n\n## Phase 2: Fish\nText\n",
      said: '1 heading and 1 numbered row have no box and are not run ("Dig", "Phase 2: Fish")',
    },
    {
      name: "rows of a unit, which is not counted, too",
      text: "## Phase 1\n1. [ ] a\n2. [ ] b\n## Phase 2\n3. c\n4. d\n",
      said: '2 numbered rows have no box and are not run ("c", "d")',
    },
  ])("$name", ({ text, said }) => {
    expect(saidOf(text)).toEqual([said])
  })
  test.each([
    "1. [ ] a\n2. [ ] b\n\n## Notes\n1. c\n2. d\n",
    "1. [ ] a\n2. Fill\n   - [ ] b\n3. [ ] c\n",
    "1. [ ] a\n2. [ ] b\n\n## Acceptance criteria\n3. c\n",
    "1. [ ] a\n2. ✅ b\n3. [ ] c\n",
  ])("but not what counts anew, holds tasks, is a criterion or done: %j", (text) => {
    expect(saidOf(text)).toEqual([])
  })
})

test("what stands below a heading that names a state before done is said, and rows that hold tasks are not", () => {
  const open = "## Done\n- [x] a\n## Open\n### Bug: one\nText.\n### Bug: two\nText.\n"
  expect(saidOf(open.replace("Open", "Review"))).toEqual([])
  const later = "# P\n\n## Tasks\n- [ ] a\n- [ ] b\n- [ ] c\n\n## Future\n- [ ] d\n"
  expect(parsePlan(later).tasks).toHaveLength(3)
  expect(saidOf(open)).toEqual(['2 headings have no box and are not run ("Bug: one", "Bug: two")'])
  expect(saidOf("# P\n\n## Pendientes\n1. Husky\n   - [x] b\n2. Docker\n   - [x] c\n")).toEqual([])
})
