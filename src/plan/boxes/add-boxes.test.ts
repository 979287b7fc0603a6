import { describe, expect, test } from "bun:test"
import { addLikeliest } from "../../../test/support/likeliest-boxes.ts"
import { parsePlan } from "../parse-plan.ts"
import { addBoxes, offeredLines } from "./add-boxes.ts"

const PATH = ".opencode/plans/a.md"

/** The lines that got a box, as they are then. */
function boxed(text: string): readonly string[] | string {
  const added = addLikeliest(text, PATH)
  if (!added.ok) return added.message
  expect(added.text.replaceAll(/\[[ x]\] /g, "")).toBe(text)
  return added.text.split(/\r\n|\n/).filter((line) => /\[[ x]\] /.test(line))
}

describe("a box is put before", () => {
  test.each([
    {
      name: "numbered rows below a heading that speaks of work, and those only",
      text: "# Bot\n## Context\n1. It is slow\n2. It is old\n## Implementation steps\n1. **Add** the cache\n   1. on disk\n   - in memory\n2. Use it\n## Risks\n1. None\n",
      is: ["1. [ ] **Add** the cache", "2. [ ] Use it"],
    },
    {
      name: "the smallest unit that headings name",
      text: "## Phase 1\n### Task 1.1: Parse\nText\n### Task 1.2: Print\n## Phase 2\n### Task 2.1: Ship\n",
      is: ["### [ ] Task 1.1: Parse", "### [ ] Task 1.2: Print", "### [ ] Task 2.1: Ship"],
    },
    {
      name: "steps, though lists with numbers stand below them",
      text: "# Plan\n## Step 1: Config\n1. a\n2. b\n## Step 2: Code\n1. c\n",
      is: ["## [ ] Step 1: Config", "## [ ] Step 2: Code"],
    },
    {
      name: "headings with a number, where no row says more",
      text: "# Refactor\n## 1. Branch\n- from main\n## 2. Fix the prompt\nText\n## 3. Theme\n",
      is: ["## [ ] 1. Branch", "## [ ] 2. Fix the prompt", "## [ ] 3. Theme"],
    },
    {
      name: "rows below a heading with a number, when it speaks of an order",
      text: "# CLI\n## 1. Config\nText\n## 2. Start\nText\n## 3. Implementation order\n\n1. **Phase 1**: types\n\n2. **Phase 2**: init\n",
      is: ["1. [ ] **Phase 1**: types", "2. [ ] **Phase 2**: init"],
    },
    {
      name: "all numbered rows, where no heading helps",
      text: "Do this:\r\n\r\n1) First\r\n2) Second\r\n",
      is: ["1) [ ] First", "2) [ ] Second"],
    },
    {
      name: "what is left, not what was done",
      text: "# Move\n## What was done\n### Completed\n1. Pack\n2. Lift\n## What remains\n1. Unpack\n2. Sweep\n",
      is: ["1. [ ] Unpack", "2. [ ] Sweep"],
    },
    {
      name: "weeks, though sections with a number stand around them",
      text: "# Nine weeks\n## 1. The promise\nText\n## 2. What it is\n# Phase I\n### Week 1 — Dig\n- a\n### Week 2 — Fill\n",
      is: ["### [ ] Week 1 — Dig", "### [ ] Week 2 — Fill"],
    },
    {
      name: "nothing in front matter, code or a comment",
      text: "---\nname: A plan\n---\n```\n1. code\n2. code\n```\n<!--\n1. a\n2. b\n-->\n1. One\n2. Two\n",
      is: ["1. [ ] One", "2. [ ] Two"],
    },
    {
      name: "rows behind a byte order mark",
      text: "\ufeff1. One\n2. Two\n",
      is: ["\ufeff1. [ ] One", "2. [ ] Two"],
    },
  ])("$name", ({ text, is }) => {
    expect(boxed(text)).toEqual(is)
  })
  test("says which lines, as they are then", () => {
    expect(addLikeliest("# Plan\n\n1. One\n2. Two\n", PATH)).toMatchObject({
      added: [
        { line: 3, text: "1. [ ] One" },
        { line: 4, text: "2. [ ] Two" },
      ],
    })
  })
})

test.each(["3,5", "3, 5", "3 5"])("lines are given with commas or blanks: %j", (typed) => {
  const added = addBoxes("# P\n\n1. A\n2. B\n3. C\n", PATH, typed)
  expect(added.ok && added.added.map(({ line }) => line)).toEqual([3, 5])
})

describe("refused, with what was found", () => {
  test("a plan of data", () => {
    expect(addLikeliest('{"a":\n1. b\n2. c', "prd.json")).toMatchObject({ ok: false })
    expect(addLikeliest("1. b\n2. c\n", "issues.jsonl")).toMatchObject({ ok: false })
  })
  test.each([
    { typed: "", says: 'Expected lines such as 20-140 or 12,15; found "".' },
    {
      typed: "5,4-1",
      says: 'Expected each range from its first line to its last, 5,1-4; found "5,4-1".',
    },
    { typed: "0", says: 'Expected lines such as 20-140 or 12,15; found "0".' },
    { typed: "a", says: 'Expected lines such as 20-140 or 12,15; found "a".' },
    {
      typed: "2",
      says: 'Expected a heading (`## Title`) or a row of a list at the margin on line 2; found "Words.". Choose another line, or write what is a task as a row with a box, `- [ ] 1. Title`.',
    },
    {
      typed: "4",
      says: 'Expected lines that have no box yet; line 4 has one already: "- [ ] Dig". Leave it out.',
    },
    {
      typed: "70",
      says: "Expected lines up to 11, the last one; found 70.",
    },
    {
      typed: "7",
      says: 'Expected each line with a box to be a task; found line 7, which would be left out below "Out of scope". Choose others, or move it to the other tasks.',
    },
    {
      typed: "8",
      says: 'Expected a heading (`## Title`) or a row of a list at the margin on line 8; found "  - Deep". Choose another line, or write what is a task as a row with a box, `- [ ] 1. Title`.',
    },
    {
      typed: "10",
      says: 'Expected a heading (`## Title`) or a row of a list at the margin on line 10; found a row of a table, which cannot be ticked, "| 1 | Fish |". Choose another line, or write what is a task as a row with a box, `- [ ] 1. Title`.',
    },
  ])("lines $typed", ({ typed, says }) => {
    const text =
      "# Pond\nWords.\n## Tasks\n- [ ] Dig\n- Fill\n## Out of scope\n- A moat\n  - Deep\n\n| 1 | Fish |\n"
    expect(addBoxes(text, PATH, typed)).toEqual({ ok: false, message: says })
  })
  test.each([
    { name: "a plan with a task", text: "- [x] 1. Done\n- [ ] 2. Two\n" },
    { name: "prose", text: "# Plan\nJust do it.\n- a\n- b\n" },
    { name: "rows of no work", text: "# P\n## Pages\n1. Blue\n2. Red\n" },
  ])("nothing is advised for $name", ({ text }) => {
    expect(boxed(text)).toBe("none is advised")
  })
})

test("bullets with the sign of an open box are offered, and open whatever they say besides", () => {
  const text = "# P\n\n- ✅ Dig\n- ⬜ CI (done): fill it\n- ☐ Plant\n"
  expect(offeredLines(text, PATH).map(({ lines }) => lines)).toEqual(["3-5"])
  const added = addBoxes(text, PATH, "3-5")
  expect(added.ok && added.text.match(/\[.\] ./gu)).toEqual(["[x] ✅", "[ ] ⬜", "[ ] ☐"])
})

describe("what would be no task is refused with its reason", () => {
  const PLAN = "# Pond\n\n## Phase 1: Dig\n\n- Mark\n- Lift\n\n## Phase 2: Fill\n\n- Pump\n"
  const TODOS = "# X\n## TODOs\n1. Dig\n2. Fill\n## Execution order\n1. Mark\n2. Lift\n"
  const NOT = "Expected each line with a box to be a task; found"
  const ONE =
    "Only one of the two can be a task: choose that one alone, or delete the box of the other."
  const PART = `${NOT} line 5, which would be a part of the task on line 3, "Dig". ${ONE}`
  const LEFT_OUT = `${NOT} line 6, which would be left out below "Execution order". Choose others, or move it to the other tasks.`
  test.each([
    {
      name: "rows below a heading that has a box",
      ...{ text: PLAN, first: "3-8", second: "5-6" },
      says: PART,
    },
    {
      name: "a row below such a heading",
      ...{ text: PLAN, first: "3-8", second: "10" },
      says: `${NOT} line 10, which would be a part of the task on line 8, "Fill". ${ONE}`,
    },
    {
      name: "a heading with tasks below it",
      ...{ text: PLAN, first: "5-6", second: "3" },
      says: PART,
    },
    {
      name: "a heading and the rows below it",
      ...{ text: PLAN, first: "8", second: "3,5-6" },
      says: PART,
    },
    {
      name: "rows beside a section of tasks",
      ...{ text: TODOS, first: "3-4", second: "6-7" },
      says: LEFT_OUT,
    },
    {
      name: "a section of tasks beside other rows",
      ...{ text: TODOS, first: "6-7", second: "3-4" },
      says: LEFT_OUT,
    },
  ])("$name", ({ text, first, second, says }) => {
    const one = addBoxes(text, PATH, first)
    expect(one.ok && addBoxes(one.text, PATH, second)).toEqual({ ok: false, message: says })
  })
})

describe("lines that are like the first", () => {
  const text =
    "# Pond\n\n## Phase 1: Dig\n\n1. Mark\n2. Lift\n   1. slowly\n- by hand\n\n## Notes\n\n## Phase 2: Fill\n\n1. Pump\n\n## Phase 3: Look\n"
  test.each([
    { typed: "3-16", are: [3, 12, 16], name: "headings of its level that count by its word" },
    { typed: "3-12", are: [3, 12], name: "down to the last line" },
    { typed: "10-16", are: [10], name: "headings of its level that count nothing" },
    { typed: "5-14", are: [5, 6, 14], name: "rows with numbers at the margin" },
    { typed: "8-14", are: [8], name: "bullets at the margin" },
    { typed: "14,5", are: [5, 14], name: "lines one by one" },
    { typed: "3-12,5-6", are: null, name: "not those below others that get one" },
  ])("$name: $typed", ({ typed, are }) => {
    const added = addBoxes(text, "plan.md", typed)
    expect<unknown>(added.ok ? added.added.map(({ line }) => line) : null).toEqual(are)
  })
})

describe("what is offered", () => {
  const firsts = (text: string) =>
    offeredLines(text, PATH).map(
      ({ lines, kind, count, first }) => `${lines}: ${count} ${kind}: ${first}`,
    )
  test("headings that count, the rows below them together, other lists one by one, the rest of the headings", () => {
    expect(
      firsts(
        "# Pond\n\n## Start\n\n1. Get a spade\n2. Get a hose\n\n## Phase 1\n\n- Mark\n- Lift\n\n## Phase 2\n\n- Pump\n\n## Thoughts\n\n- It is wet\n",
      ),
    ).toEqual([
      "8-13: 2 headings: Phase 1",
      "10-19: 4 bullets: Mark",
      "5-6: 2 numbered rows: Get a spade",
      "10-15: 3 bullets: Mark",
      "19: 1 bullets: It is wet",
    ])
  })
  test("what is left before what was done, as the warning says", () => {
    const text = "# Tasks\n\n## Form\n- ✅ Draw\n- ✅ Add\n\n## Mail\n- ⏳ Send\n- ⏳ Log\n"
    expect(firsts(text).map((each) => each.split(":")[0])).toEqual(["8-9", "3-7", "4-9", "4-5"])
    expect(parsePlan(text).warnings[0]?.message).toStartWith("2 bullets ")
  })
  test("what was done before what tells of no work", () => {
    const text = "# P\n\n## Completed\n\n1. Dig\n2. Fill\n\n## Notes\n\n- wet\n- cold\n"
    expect(parsePlan(text).warnings[0]?.message).toContain("tell of what was done")
    expect(firsts(text).map((each) => each.split(":")[0])).toEqual(["5-6", "10-11", "3-8"])
  })
  test("what is left beside tasks", () => {
    const left = "## Remaining\n\n- Plant\n- Water\n"
    expect(firsts(`# Plan\n\n## Tasks\n\n1. [x] Dig\n2. [x] Fill\n\n${left}`)).toEqual([
      "10-11: 2 bullets: Plant",
    ])
  })
  test("of lines that would not all be tasks with a box those that would", () => {
    const text = "# X\n## TODOs\n1. a\n2. b\n## Execution order\n1. c\n2. d\n"
    expect(offeredLines(text, PATH).map(({ lines }) => lines)).toEqual(["3-4", "6-7"])
  })
  test("headings, but for an empty one and those that are underlined", () => {
    const text = "# Pond\n\n## Clay\n\nw\n\n##\n\n## Reeds\n\nw\n\nFish\n----\n"
    expect(firsts(text)).toEqual(["3-9: 2 headings: Clay"])
    expect(parsePlan("Clay\n====\n\nReeds\n=====\n").warnings).toEqual([])
  })
  test("of several headings that say the same all at once too, and the headings below them", () => {
    const lists = "# Pond\n\n## Clay\n- a\n- b\n\n## Reeds\n- c\n\n## Fish\n- d\n\n## Risks\n- e\n"
    expect(firsts(lists)).toContain("4-11: 4 bullets: a")
    const heads =
      "# Pond\n\n## Clay\n\n### Dig\nx\n### Line\nx\n\n## Fish\n\n### Buy\nx\n### Feed\nx\n"
    expect(firsts(heads)[0]).toBe("5-14: 4 headings: Dig")
  })
  test("headings with those of tests, of what is done and of a section among them too", () => {
    const heads = ["Setup ✅", "Form", "Lists", "API", "Testing", "Risks"]
    const text = `# Shop\n\n${heads.map((name) => `## ${name}\n- a\n- b\n`).join("\n")}`
    expect(firsts(text).slice(0, 3)).toEqual([
      "7-11: 2 headings: Form",
      "3-19: 5 headings: Setup ✅",
      "4-21: 10 bullets: a",
    ])
    const all = addBoxes(text, PATH, "4-21")
    expect(all.ok && all.added.map(({ isDone }) => isDone).indexOf(false)).toBe(2)
  })
  test("of more than three lists of work all at once first", () => {
    const weeks = ["Early", "Mild", "Warm", "Late"].map(
      (name) => `## ${name}\n1. Add a pit\n2. Add water\n`,
    )
    const offers = (count: number) => firsts(`# Pond\n\n${weeks.slice(0, count).join("\n")}`)[0]
    expect([offers(3), offers(4)]).toEqual([
      "4-5: 2 numbered rows: Add a pit",
      "4-17: 8 numbered rows: Add a pit",
    ])
  })
  test("two can be taken together or one after the other", () => {
    const text = "# X\n## TODOs\n1. a\n2. b\n## Implementation steps\n1. c\n2. d\n"
    const both = addBoxes(text, PATH, "3-4,6-7")
    const one = addBoxes(text, PATH, "6-7")
    const other = addBoxes(one.ok ? one.text : "", PATH, "3-4")
    expect(both.ok && both.text).toBe(other.ok && other.text)
    expect(both.ok && parsePlan(both.text, { path: PATH }).counts.total).toBe(4)
  })
  test("each can be taken as it is offered", () => {
    const text = "# P\n\n## Tasks\n\n- A\n- B\n\n## More\n\n1. C\n2. D\n"
    for (const { lines, count } of offeredLines(text, PATH)) {
      const added = addBoxes(text, PATH, lines)
      expect(added.ok && added.added).toHaveLength(count)
    }
  })
})

test("a heading that says itself that it is done gets a tick", () => {
  const text =
    "# P\n\n## Phase 1: A ✅\nx\n## Phase 2: B (completed, 2026-01-02)\nx\n## Phase 3: C (완료)\nx\n## Phase 4: D (not done)\nx\n"
  const boxed = addLikeliest(text, "PLAN.md")
  expect(boxed.ok && boxed.text.match(/\[.\]/g)).toEqual(["[x]", "[x]", "[x]", "[ ]"])
})

test("a title that begins with the word for done gets a tick, and one that only begins like it does not", () => {
  const names = [
    "Done: A",
    "✅ DONE - B",
    "**Completed:** C",
    "(done) D",
    "Done criteria",
    "Complete the form",
  ]
  const text = `# P\n\n${names.map((name, at) => `## Step ${at + 1}: ${name}\nx\n`).join("\n")}`
  const boxed = addLikeliest(text, "PLAN.md")
  const marks =
    boxed.ok && boxed.text.split("\n").flatMap((line) => /^## \[(.)\]/.exec(line)?.[1] ?? [])
  expect(marks).toEqual(["x", "x", "x", "x", " ", " "])
})

test("numbered rows below words for work in other languages go before numbered headings", () => {
  const text = "# P\n\n### 1. 甲\nx\n### 2. 乙\nx\n\n## 实施顺序\n1. 甲\n2. 乙\n"
  const boxed = addLikeliest(text, "TODO.md")
  expect(boxed.ok && boxed.added.map(({ line }) => line)).toEqual([9, 10])
})

test("steps are the same below a numbered heading in Portuguese or German", () => {
  for (const words of ["Passo a passo", "Die Schritte", "Les étapes", "Шаги"]) {
    const text = `# P\n## 1. Stack\n- a\n## 2. Extra\n1. b\n## 3. ${words}\n1. Do A\n2. Do B\n`
    expect(boxed(text)).toEqual(["1. [ ] Do A", "2. [ ] Do B"])
  }
})

test("lines that would not be read as tasks are not advised: a section of tasks leaves others out", () => {
  const text = "# X\n## TODOs\n1. a\n2. b\n## Execution order\n1. c\n2. d\n"
  expect(boxed(text)).toEqual(["1. [ ] a", "2. [ ] b"])
})

const ticked = (title: string) => ({
  heading: addLikeliest(`# P\n\n## Phase 1: ${title}\nw\n\n## Phase 2: Ship\nw\n`, PATH),
  row: addLikeliest(`# P\n\n## Steps\n\n1. ${title}\n2. B\n`, PATH),
})

test.each([
  ...["Parser (complete rewrite)", "Show ✅ once saved", "Filter (done) items"],
  ...["Sync (completed orders only)", "Sent - done by hand or not?", "Done", "Show ✅ 3"],
  ...[
    "A ✅（核心完成）",
    "A（完成条件）",
    "A ✅（未完成）",
    "✅ A（進行中）",
    "A ✅ / 🟡",
    "A ✅ (2/5)",
  ],
  ...["A — 🟡 UNIT SHIPPED; E2E DEFERRED (branch `b`)", "A — ✅ DONE (branch `b`), not merged"],
  ...[
    ...["A · `good first issue`", "A · done (2/5)", "A · pending", "A | B", "A: done, but not B"],
    ...["Set the status: done", "Button label: done", "Button: Done", "Run it. Expected: PASS"],
    ...["Filter: All | Active | Completed", "Todo · Doing · Done", "Set `state`: done"],
    ...['Say "it": done', "Handle states: done", "Inbox · Review · Decision · Done"],
    ...["A — in progress · verified", "A: not done", "A — pending: done"],
    "A — DONE (branch is still open)",
    "A ✅ (2026-08-23, without tests)",
    "✅ A — done, but tests are missing",
    "✅ A — done (pending review)",
    "✅ A — hecho, faltan pruebas",
    "A (3/5) ✅ (2026-08-23)",
    ...["A ✅ (tests missing)", "A ✅（未测试）", "A ✅ (backend only)", "✅ A (ohne Tests)"],
    ...[
      "~~A~~ ✅ only the first half",
      "A ✅ *sans tests*",
      "~~A~~ moved to B",
      "~~A~~ **replaced by B**",
      "Rename ~~A~~ to B",
    ],
  ],
])("what nobody has done gets no tick: %s", (title) => {
  const { heading, row } = ticked(title)
  expect(heading.ok && heading.text).toContain(`## [ ] Phase 1: ${title}`)
  expect(row.ok && row.text).toContain(`1. [ ] ${title}`)
})

test.each([
  ...["A — DONE", "A ✓", "~~A~~", "A [DONE]", "A - completed", "✅ A", "A (done)"],
  ...["A ✅", "A (completed 2026-01-02)", "A — ✅ Complete", "A — ✅ SHIPPED", "A（完了）"],
  ...[
    "✅ A — done, it runs on the old machine",
    "✅ A (done: Ann looked at it twice)",
    "Creare la tabella — fatta",
    "A — ✅ DONE (branch `feat/a`)",
    "A — DONE (branch feat/a)",
    "A — ✅ SHIPPED (on branch `a`)",
  ],
  ...["A · done", "A · complete (May 3)", "A | DONE", "A • completed", "A: complete", "A：已完成"],
  ...[
    "A — B · complete",
    "A · B · DONE",
    "A (2026-09-19) · done",
    "A: DONE (2026-08-23)",
    "A — done · by Ann",
  ],
  ...["A ✅ (2026-08-23)", "A ✅（2026-08-23 完成）", "A ✅（已完成，2026-08-23）", "A ✅ #12"],
  ...["~~A~~ ✅ *fait en C-45*", "A ✅ *fait en C-45*"],
  ...["A ✅ (Iteration 3-5)", "A — fait (3 août)", "~~A~~ done"],
  ...["~~**A** and more.~~ **Done 2026-08-09** — by a cache", "A — ~~*1 j*~~ **FAIT (3 août)**"],
])("what says itself that it is done gets a tick: %s", (title) => {
  const { heading, row } = ticked(title)
  expect(heading.ok && heading.text).toContain(`## [x] Phase 1: ${title}`)
  expect(row.ok && row.text).toContain(`1. [x] ${title}`)
})

test("headings with a letter and a number are units, whatever sign stands before them", () => {
  const text =
    "# P\n\n## 🔴 A1. BUG: x\nw\n\n## 🟠 A2. BUG: y\n\n1. one of\n2. two ways\n\n## Q1: why\n"
  expect(boxed(text)).toEqual(["## [ ] 🔴 A1. BUG: x", "## [ ] 🟠 A2. BUG: y"])
  expect(parsePlan(text).warnings[0]?.message).toStartWith(
    '2 headings may be the tasks, but have no box ("🔴 A1. BUG: x", "🟠 A2. BUG: y")',
  )
})

test.each([
  { text: "1. Dig\n2. Fill\n", rows: ["1. [ ] Dig", "2. [ ] Fill"] },
  { text: "1) Dig\n2) Fill\n", rows: ["1) [ ] Dig", "2) [ ] Fill"] },
  { text: "# Pond\n\n1. Dig\n2) Fill\n", rows: ["1. [ ] Dig", "2) [ ] Fill"] },
])("rows below no heading get boxes: %j", ({ text, rows }) => {
  expect(boxed(text)).toEqual([...rows])
})

test("the rows of a queue go before the rules above it", () => {
  const text = "# Fix plan\n\nRules:\n\n1. Be short.\n2. Be kind.\n\n## Queue\n\n1. A\n2. B\n"
  expect(boxed(text)).toEqual(["1. [ ] A", "2. [ ] B"])
})

test("steps below a heading that tells of no work get no box, and the others get theirs", () => {
  const text =
    "# A\n\n## Phase 1: Dig\n\n### Step 1.1: Mark\n\nwords\n\n### Step 1.2: Lift\n\nwords\n\n## Testing & Validation\n\n### Step 9.1: Look\n\nwords\n"
  const result = addLikeliest(text, "PLAN.md")
  expect(result.ok ? result.added.map(({ line }) => line) : result.message).toEqual([5, 9])
})

test("two headings of one number are no count of tasks: the numbered rows are", () => {
  const text =
    "# A TODO\n\n## Phase 2 Execution Order\n\n1. **Done: Mark.**\n   words\n2. Lift.\n3. Carry.\n\n## Phase 2 To Phase 3 Data\n\nwords\n"
  expect(parsePlan(text).warnings.map(({ line, rule }) => [line, rule])).toEqual([[5, "no-boxes"]])
  const result = addLikeliest(text, "docs/TODO.md")
  expect(result.ok ? result.added.map(({ line }) => line) : result.message).toEqual([5, 7, 8])
})

test("the plan's warning names the lines that get a box, and no others", () => {
  const text =
    "# A\n\n## Git\n\n1. It makes a repository\n2. It adds a remote\n\n## Implementation order\n\n1. Dig\n   - *Review*: look\n2. Fill\n\n## Verification\n\n1. It holds\n"
  const result = addLikeliest(text, "PLAN.md")
  expect(result.ok && result.added.map(({ line }) => line)).toEqual([10, 12])
  expect(parsePlan(text).warnings.map(({ line, message }) => [line, message])).toEqual([
    [
      10,
      '2 numbered rows may be the tasks, but have no box ("Dig", "Fill"): `opencode-boulder plan <file>` shows what may be tasks, and how boxes are written.',
    ],
  ])
})

const offered = (text: string) => {
  const added = addLikeliest(text, "docs/x.md")
  return added.ok ? added.added.map(({ line }) => line) : []
}
const toldOf = (text: string) =>
  parsePlan(text, { path: "docs/x.md" }).warnings.map(({ line, rule }) => `${line} ${rule}`)

test.each([
  {
    name: "a document's own sections",
    text: "# Bridge\n\n## 1. Goal\n\nw\n\n## 2. Tech stack\n\n- oak\n\n## 3. Users\n\nw\n",
    says: "9 no-boxes",
  },
  {
    name: "rules below a heading that says nothing of work",
    text: "# Bridge\n\n## Style\n\n1. Pure functions everywhere.\n2. No classes at all.\n",
    says: "5 no-boxes",
  },
  {
    name: "rules by name, though they ask for something",
    text: "# Bridge\n\n## Coding rules\n\n1. Use oak.\n2. Write tests.\n",
    says: "5 no-boxes",
  },
  {
    name: "what is not to be done",
    text: "# Bridge\n\n## Out of scope\n\n1. Add a moat\n2. Add a gate\n",
    says: null,
  },
])("no box is advised for $name", ({ text, says }) => {
  expect(offered(text)).toEqual([])
  expect(toldOf(text)).toEqual(says === null ? [] : [says])
})

test.each([
  {
    name: "a phase of the future beside those of the plan",
    text: "# P\n\n## Phase 1: Dig\n\n- a\n\n## Phase 2 — Fill\n\n- b\n\n## Phase 3 — Future Extensions\n\n- c\n\n## Phase 4 (Future)\n\n- d\n",
    lines: [3, 7],
  },
  {
    name: "numbered headings below what was done beside those below what comes next",
    text: "# P\n\n## Changes made\n\n### 1. Doors\n\nw\n\n### 2. Locks\n\nw\n\n## Next priorities\n\n### 1. Floors\n\nw\n\n### 2. Roof\n\nw\n",
    lines: [15, 19],
  },
  {
    name: "sections of a document around the one of tasks",
    text: "# P\n\n## 1. Overview\n\nw\n\n## 2. Tasks\n\n### 2.1 Dig\n\nw\n\n### 2.2 Fill\n\nw\n",
    lines: [9, 13],
  },
  {
    name: "rules above rows that ask for work",
    text: "# P\n\n## Layers\n\n1. The sand\n2. The clay\n\n## Doors\n\n1. Build a door\n2. Add a lock\n",
    lines: [10, 11],
  },
  {
    name: "the risks behind work of the same count",
    text: "# P\n\n## 1. Doors\n\nw\n\n## 2. Locks\n\nw\n\n## 3. Risks\n\nw\n",
    lines: [3, 7],
  },
  {
    name: "the goal and the risks around what is asked for",
    text: "# P\n\n## 1. Goal\n\nw\n\n## 2. Add doors\n\nw\n\n## 3. Fix locks\n\nw\n\n## 4. Risks\n\nw\n",
    lines: [7, 11],
  },
  {
    name: "a model before what is asked for in another language",
    text: "# P\n\n## Modelo\n\n1. La puerta\n2. El muro\n\n## Puerta\n\n1. Crear la puerta\n2. Añadir el muro\n",
    lines: [10, 11],
  },
])("no box is offered for $name, and the others get theirs", ({ text, lines }) => {
  expect(offered(text)).toEqual([...lines])
})

test.each([
  ...["## Task 1: A|## Task 2: B|## Tasks 3-9: Rest", "## Phase 1: A|## Phases 2–4: Rest"],
  ...["## Story 1: A|## Stories 2 and 3: Rest", "## Week 1: A|## Weeks 2-4: Rest"],
])("a range of units is one like the others: %s", (headings) => {
  const lines = headings.split("|")
  expect(boxed(`# P\n\n${lines.map((line) => `${line}\nwords\n`).join("\n")}`)).toEqual(
    lines.map((line) => line.replace("## ", "## [ ] ")),
  )
})

test("what only sounds like a range of units gets no box", () => {
  const text = "# P\n\n## Phase 1: A\nw\n## Phase 2: B\nw\n## Milestones 2026\nw\n## Phases\nw\n"
  expect(boxed(text)).toEqual(["## [ ] Phase 1: A", "## [ ] Phase 2: B"])
})

test("a range of units without a box beside boxes is said before all is settled", () => {
  const text = "# P\n\n## Tasks 1-3: A\n- a\n\n## Tasks 4-9: B\n- b\n\n## Checks\n- [ ] c\n"
  expect(parsePlan(text).warnings.map(({ rule }) => rule)).toContain("rows-without-box")
})

test.each([
  [":", "### Etapa 0: Base", "### Etapa 1: Copilot"],
  ["a middle dot", "### Etapa 0 · Base", "### Etapa 1 · Copilot"],
  ["a bar", "### Etapa 0 | Base", "### Etapa 1 | Copilot"],
  ["an arrow", "### Etapa 0 → Base", "### Etapa 1 → Copilot"],
  ["a second id", "### Etapa 0 / A0 — Base", "### Etapa 1 / A1 / P3A — Copilot"],
  ["a second id of other ids", "### SPX-14 / A0 — Base", "### B1 / P8A — Copilot"],
  ["a middle dot behind an id", "### A1 · Base", "### B1 · Copilot"],
])("between the number and the name of a heading that gets a box may stand %s", (_, one, other) => {
  const list = "1. Explain it\n2. Publish it\n"
  const text = `# P\n\n## Work\n\n${one}\nText\n\n${other}\nText\n\n## Release checklist\n\n${list}`
  const wanted = [one, other].map((line) => line.replace("### ", "### [ ] "))
  expect(boxed(text)).toEqual(wanted)
})

test.each([
  ["已完成阶段", "后续优先级"],
  ["已完成的功能", "接下来的工作"],
  ["已完成", "下一阶段"],
  ["完了したタスク", "次のステップ"],
])(
  "what is left gets the boxes and what was done none, in Chinese and Japanese too: %s, %s",
  (done, left) => {
    const text = `# P\n\n## ${done}\n\n1. 基线\n2. 目录\n3. 真实\n\n## ${left}\n\n1. 检查点\n2. 存储\n`
    expect(boxed(text)).toEqual(["1. [ ] 检查点", "2. [ ] 存储"])
  },
)

test("headings of the same count that come later are another choice", () => {
  const text =
    "# P\n\n### Milestone 1 — Dig\nx\n### Milestone 2 — Fill\nx\n### Milestone 3 — Stretch Goals\nx\n"
  expect(boxed(text)).toEqual(["### [ ] Milestone 1 — Dig", "### [ ] Milestone 2 — Fill"])
  expect(addBoxes(text, PATH, "3-7")).toMatchObject({ ok: true, added: [{}, {}, {}] })
})

test.each([
  "Langkah Implementasi",
  "Rencana",
  "Stappen",
  "Zadania",
  "Adımlar",
  "Các bước",
  "Kroky",
  "Этапы",
  "Кроки",
])("numbered rows below %s are work, before numbered headings of features", (heading) => {
  const text = `# P\n\n## A\n\n### 1. Xa\nx\n### 2. Xb\nx\n\n## ${heading}\n\n1. Ya\n2. Yb\n`
  expect(boxed(text)).toEqual(["1. [ ] Ya", "2. [ ] Yb"])
})

test.each(["1. [ ] Dig\n2. [ ] Fill\n", "1. [x] Dig\n2. [x] Fill\n"])(
  "rows that have a box are never said to have none, also where they count as no tasks: %j",
  (rows) => {
    const text = `# Pond\n\n## Release checklist\n\n${rows}\n### 1. Ground\n\nWords.\n\n### 2. Plants\n`
    const { tasks, warnings } = parsePlan(text)
    expect(tasks).toEqual([])
    expect(warnings.find(({ rule }) => rule === "no-boxes")?.message).toStartWith("2 headings ")
    const boxed = addLikeliest(text, "plan.md")
    expect(boxed.ok ? boxed.text : "").not.toContain("[ ] [")
  },
)

const SIGNED = (first: string, rest: string) =>
  `# Shop\n\n## Features to test\n\n### P0 - Core\n1. ${first} Login\n2. ${rest} Billing\n\n### P1 - Other\n3. ${rest} Reports\n4. ${rest} Stock\n`

test.each([
  { first: "✅", rest: "⏳", ticked: 1 },
  { first: "⏳", rest: "⏳", ticked: 0 },
  { first: "🔄", rest: "🚧", ticked: 0 },
])("rows of one count with $first and $rest are the work", ({ first, rest, ticked }) => {
  const text = SIGNED(first, rest)
  const boxed = addLikeliest(text, "plan.md")
  expect(boxed.ok && boxed.added.map(({ line }) => line)).toEqual([6, 7, 10, 11])
  expect(boxed.ok && boxed.text.split("[x]").length - 1).toBe(ticked)
  expect(parsePlan(text).warnings.map(({ rule }) => rule)).toEqual(["no-boxes"])
})

test("bullets with a sign are said where a plan has nothing else", () => {
  const { warnings } = parsePlan("# Shop\n\n- ⏳ Login\n- ✅ Billing\n")
  expect(warnings.map(({ message }) => message)).toEqual([
    expect.stringContaining(
      '2 bullets may be the tasks, but have no box ("⏳ Login", "✅ Billing")',
    ),
  ])
})

test.each(["Testing", "Test strategy overhaul", "Testing and rollout", "Verification", "Risks"])(
  "tasks of a phase called %s get their boxes like those of others",
  (name) => {
    const text = `# P\n\n### Phase 1: Base\n\n#### Task 1.1: Dig\n\n#### Task 1.2: Fill\n\n### Phase 2: ${name}\n\n#### Task 2.1: Gauge\n\n#### Task 2.2: Pump\n`
    const boxed = addLikeliest(text, "plan.md")
    expect(boxed.ok && boxed.added.map(({ line }) => line)).toEqual([5, 7, 11, 13])
    const beside = addLikeliest(text.replace("Phase 2: ", ""), "plan.md")
    expect(beside.ok && beside.added.map(({ line }) => line)).toEqual([5, 7])
  },
)

test.each([
  { name: "a heading that says so", title: "# P", heading: "## Steps (done)", is: "x" },
  { name: "Done", title: "# Tasks", heading: "## Done", is: "x" },
  { name: "a release", title: "# Tasks", heading: "## Completed in v0.4.0", is: "x" },
  { name: "a heading's status", title: "# P", heading: "## Steps\n\n**Status:** done", is: "x" },
  { name: "a heading of what is left", title: "# P (completed)", heading: "## Remaining", is: " " },
  { name: "a heading that says nothing", title: "# P", heading: "## Steps", is: " " },
])("rows below $name get [$is]", ({ title, heading, is }) => {
  const text = `${title}\n\n${heading}\n\n1. Add a door\n2. Add a wall\n`
  const boxed = addLikeliest(text, "plan.md")
  expect(boxed.ok && boxed.text).toEndWith(`1. [${is}] Add a door\n2. [${is}] Add a wall\n`)
})

test.each(["# P (completed)", "# ✅ P"])("rows below the title %j may be done", (title) => {
  const rows = "1. Add a door\n2. Add a wall\n"
  expect(parsePlan(`${title}\n\n## Steps\n\n${rows}`).warnings[0]?.message).toContain(
    ", and line 1 may say that all is done: ",
  )
})

test("a tick in the title makes no open step done", () => {
  const rows = "1. Add a door\n2. Add a wall\n"
  const text = `# ✅ P\n\n## Prochaines étapes\n\n${rows}3. Deploy again\n\n## Checklist\n\n- [x] A\n- [ ] B\n`
  const boxed = addLikeliest(text, "plan.md")
  expect(boxed.ok && boxed.text).toInclude("1. [ ] Add a door\n2. [ ] Add a wall\n3. [ ] Deploy")
})

test("a row below what is done that shows what is left gets an open box", () => {
  const boxed = addLikeliest(
    "# P\n\n## Steps (done)\n\n1. Add a door\n2. ⏳ Add a wall\n",
    "plan.md",
  )
  expect(boxed.ok && boxed.text).toEndWith("1. [x] Add a door\n2. [ ] ⏳ Add a wall\n")
})

describe("bullets of what was done are asked for no box", () => {
  test.each([
    { name: "rows that say so", rows: "- A — completed.\n- B (done)\n" },
    { name: "rows with a tick in words", rows: "- ✅ A\n- ✅ B\n" },
    { name: "rows below Completed", rows: "## Completed\n\n- A\n- B\n" },
    { name: "rows of a release", rows: "## Completed in v0.4.0\n\n- A\n- B\n" },
    { name: "rows beside notes", rows: "## Done\n\n- A\n- B\n\n## Notes\n\n- C\n" },
  ])("$name", ({ rows }) => {
    const text = `# Tasks\n\n${rows}`
    expect(parsePlan(text).warnings.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^2 bullets tell of what was done \("[^"]*", "[^"]*"\), and none of them is left to do: `/,
      ),
    ])
  })
  test("unless others are left", () => {
    for (const [text, line] of [
      ["# Tasks\n\n- A (done)\n- B\n", 3],
      ["# Pond\n\n## Done\n\n- A\n\n## Remaining\n\n- B\n", 9],
    ] as const) {
      expect(parsePlan(text).warnings.map(({ message, ...each }) => [each.line, message])).toEqual([
        [line, expect.stringMatching(/ may be (?:a task|the tasks), but ha/)],
      ])
    }
  })
})

test.each([
  { row: "- `[x]` Dig", tick: "x" },
  { row: "• [x] Dig", tick: "x" },
  { row: "- ☑ Dig", tick: "x" },
  { row: "1. (x) Dig", tick: "x" },
  { row: "| [x] | Dig |", tick: "x" },
  { row: "- `[x]` Dig\n- `[ ]` Line", tick: " " },
  { row: "- `[x]` Dig\n- Line", tick: " " },
  { row: "```\n- [x] Dig\n```", tick: " " },
])("a phase that holds nothing but $row gets [$tick]", ({ row, tick }) => {
  const boxed = addLikeliest(
    `# Pond\n\n## Phase 1: Ground\n\n${row}\n\n## Phase 2: Water\n\nx\n`,
    "p.md",
  )
  expect(boxed.ok && boxed.text).toContain(`## [${tick}] Phase 1: Ground`)
  expect(boxed.ok && boxed.text).toContain("## [ ] Phase 2: Water")
})

const PHASES = (one: string, two: string) =>
  `# Pond\n\n## Phase 1: Ground\n\n${one}\n\n## Phase 2: Water\n\n${two}\n`

test.each([
  { one: "- ✅ Dig\n- ✅ Line", two: "- ⏳ Pump\n- Fill", tick: "x" },
  { one: "1. ✅ Dig\n2. ☑ Line", two: "1. ⏳ Pump", tick: "x" },
  { one: "### Hole\n- ✅ Dig\n### Foil\n- ✅ Line", two: "### Pump\n- 🔄 Pump", tick: "x" },
  { one: "- ✅ Dig\n- ⏳ Line", two: "- ⏳ Pump", tick: " " },
  { one: "- Dig\n- ✅ Deep", two: "- ⏳ Pump", tick: " " },
])("where signs tell what is done and what is left, $one gets [$tick]", ({ one, two, tick }) => {
  const added = addLikeliest(PHASES(one, two), PATH)
  expect(added.ok && added.text).toContain(`## [${tick}] Phase 1: Ground`)
  expect(added.ok && added.text).toContain("## [ ] Phase 2: Water")
})

describe("what may say that all is done is told", () => {
  test.each([
    {
      name: "phases of nothing but ✅, a sign of what it will be like too",
      text: PHASES("- ✅ Dig", "- ✅ Pump"),
      line: 5,
    },
    { name: "one such phase", text: PHASES("- ✅ Dig\n- ✅ Line", "Pump it."), line: 5 },
    {
      name: "a document whose Status is done",
      text: "# P\n\n**Status:** Done\n\n## Steps\n\n1. Dig\n2. Fill\n",
      line: 3,
    },
    {
      name: "one behind other words",
      text: "# P\n\nStatus: agreed by those who know it, then implemented and verified on 2026-08-27.\n\n## Steps\n\n1. Dig\n2. Fill\n\n## Delivered evidence\n\n- a log\n",
      line: 3,
    },
    {
      name: "its front matter",
      text: "---\nstatus: completed\n---\n\n# P\n\n## Phase 1\n\nDig\n\n## Phase 2\n\nFill\n",
      line: 1,
    },
  ])("$name", ({ text, line }) => {
    const { warnings } = parsePlan(text, { path: PATH })
    expect(warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining(`), and line ${line} may say that all is done: \`opencode-boulder`),
    ])
  })

  test.each([
    {
      name: "✅ below a heading that has it as well",
      text: "# P\n\n## Step 1: Dig ✅\n\n- ✅ Deep\n\n## Step 2: Fill\n\nx\n",
    },
    {
      name: "a status that is open",
      text: "# P\n\nStatus: Not yet implemented\n\n## Steps\n\n1. Dig\n2. Fill\n",
    },
    {
      name: "headings that say so themselves",
      text: "# P\n\nStatus: Done\n\n## Phase 1: Dig ✅\n\n## Phase 2: Fill\n",
    },
    {
      name: "a heading of what is left",
      text: "# P\n\nStatus: Done\n\n## Remaining\n\n1. Dig\n2. Fill\n",
    },
  ])("but with $name", ({ text }) => expect(boxed(text)).toBeArrayOfSize(2))
})

test("rows that are done are not all where others of their kind are left", () => {
  const text =
    "# План\n\n## Подготовка\n\n1. Создать ветку — готово\n2. Настроить CI — готово\n\n## Перенос\n\n1. Перенести модели\n2. Перенести ядро\n"
  const messages = (each: string) => parsePlan(each).warnings.map(({ message }) => message)
  expect(messages(text)).toEqual([
    "No task has a box yet: `opencode-boulder plan <file>` shows what may be tasks, and how boxes are written.",
  ])
  expect(messages(text.slice(0, text.indexOf("## Перенос")))[0]).toContain("tell of what was done")
})

test("bullets that are left are named, not those with ✅ before them", () => {
  const { warnings } = parsePlan(
    "# Tasks\n\n## Form\n- ✅ Draw\n- ✅ Add\n\n## Mail\n- ⏳ Send\n- ⏳ Log\n",
  )
  expect(warnings.map(({ line, message }) => `${line} ${message}`)).toEqual([
    expect.stringContaining('8 2 bullets may be the tasks, but have no box ("⏳ Send", "⏳ Log")'),
  ])
})

test.each([
  { headings: ["🔧 Setup", "✅ Testing", "🚀 Hosting"], marks: ["[ ]", "[ ]", "[ ]"] },
  { headings: ["✅ Setup", "✅ Testing", "🚀 Hosting"], marks: ["[x]", "[x]", "[ ]"] },
  { headings: ["✅ Setup", "🚧 Testing", "⬜ Hosting"], marks: ["[x]", "[ ]", "[ ]"] },
  { headings: ["✅ Setup", "Testing", "🚀 Hosting"], marks: ["[x]", "[ ]", "[ ]"] },
])("a check sign among pictures that differ says no state: $headings", ({ headings, marks }) => {
  const text = headings.map((each, at) => `### ${at + 1}. ${each}\n\nText.\n`).join("\n")
  const found = addBoxes(`# P\n\n${text}`, "plan.md", "3-11")
  expect(found.ok && found.text.match(/\[.\]/g)).toEqual([...marks])
})

test.each([
  { words: "(can be done in parallel)", mark: " " },
  { words: "(must be completed before Phase 2)", mark: " " },
  { words: "— will be done by Bob", mark: " " },
  { words: "(not done)", mark: " " },
  { words: "(90% done)", mark: " " },
  { words: "(after Phase 2 is done)", mark: " " },
  { words: "(half-done)", mark: " " },
  { words: "(done 3 May)", mark: "x" },
  { words: "— completed", mark: "x" },
])("a heading $words gives what stands below it [$mark]", ({ words, mark }) => {
  const text = `# P\n\n## Phase 1: Setup ${words}\n\n### T1: Dig\na\n\n### T2: Fill\nb\n\n## Phase 2: Garden\n\n### T3: Plant\nc\n\n### T4: Water\nd\n`
  const found = addBoxes(text, "plan.md", "5-16")
  const all = found.ok ? (found.text.match(/(?<=\[).(?=\])/g) ?? []).join("") : found.message
  expect(all).toBe(`${mark}${mark}  `)
})

test.each([
  {
    head: "# | Phase | Status",
    rows: ["1 | Queue | Complete", "2 | Mail | In progress"],
    marks: "x ",
  },
  {
    head: "Phase | Status",
    rows: ["1 — Queue | ✅ Done (3 May)", "2 — Mail | ⬜ Not started"],
    marks: "x ",
  },
  { head: "Phase | Status", rows: ["Queue | Done", "Mail | Done, tests left"], marks: "x " },
  { head: "Phase | Status", rows: ["Queue | Done", "Queue | Open"], marks: "  " },
  { head: "# | Phase | Status", rows: ["7 | Queue | Done", "3 | Mail | Done"], marks: "  " },
  { head: "Phase | Parallel?", rows: ["Queue | ✅", "Mail | Done"], marks: "  " },
  { head: "Phase | Status | Docs status", rows: ["Queue | Done | Open"], marks: "x " },
  {
    head: "Phase | Depends on | Status",
    rows: ["Base | Queue | Done", "Mail | Queue | Done"],
    marks: " x",
  },
])("headings get the states of a table with their titles and a status: $head, $rows", (each) => {
  const rows = each.rows.map((row) => `| ${row} |\n`).join("")
  const text = `# P\n\n| ${each.head} |\n|---|---|\n${rows}\n## Phase 1: Queue\n\nDig.\n\n## Phase 2: Mail\n\nSend.\n`
  const found = addBoxes(text, "plan.md", offeredLines(text, "plan.md")[0]?.lines ?? "")
  const added = found.ok ? found.added : []
  expect(added.map(({ isDone }) => (isDone ? "x" : " ")).join("")).toBe(each.marks)
})

test.each([
  { name: "What has been done", mark: "x" },
  { name: "Completed phases", mark: "x" },
  { name: "Done so far (May)", mark: "x" },
  { name: "What can be done", mark: " " },
])("rows below $name get [$mark]", ({ name, mark }) => {
  const text = `# P\n\n## ${name}\n\n1. Dig\n2. Fill\n\n## Next steps\n\n1. Plant\n2. Water\n`
  const found = addBoxes(text, "plan.md", "5-6")
  expect(found.ok && found.added.map(({ isDone }) => (isDone ? "x" : " "))).toEqual([mark, mark])
})
