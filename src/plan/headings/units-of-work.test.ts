// Which of the headings that name units get their boxes.
import { describe, expect, test } from "bun:test"
import { addLikeliest } from "../../../test/support/likeliest-boxes.ts"
import { offeredLines } from "../boxes/add-boxes.ts"
import { parsePlan } from "../parse-plan.ts"

/** The headings that get a box; the refusal where none does. */
function boxed(...headings: readonly string[]): readonly string[] | string {
  const text = `# Pond\n\n${headings.map((each) => `${each}\n\nText.\n`).join("\n")}`
  const added = addLikeliest(text, "PLAN.md")
  if (!added.ok) return added.message
  expect(addLikeliest(added.text, "PLAN.md").ok).toBe(false)
  return added.added.map(({ text: line }) => line.replace(/^#+ \[[ x]\] /, ""))
}

describe("together get a box", () => {
  test.each([
    { of: "a hyphen", all: ["## Task-1:", "## Task-2: Fill", "## Task-3"] },
    { of: "a hyphen", all: ["## Phase-1: Dig", "## Phase-2: Fill"] },
    {
      of: "a letter before some numbers",
      all: ["## Step 1: Dig", "## Step S1: Pump", "## Step 2b: Line", "## Step 3: Fill"],
    },
    { of: "a letter and a hyphen", all: ["## Task A-1: Dig", "## Task A-2: Fill"] },
    { of: "two unknown words", all: ["## Lap 1", "## Lap 2", "## Vague 3", "## Vague 4"] },
  ])("headings of $of: $all", ({ all }) => {
    expect(boxed("## Work order", ...all)).toEqual(all.map((each) => each.replace(/^#+ /, "")))
  })
})

describe("no box gets", () => {
  test.each(["Files to modify", "Features", "Screens"])(
    "what a word counts that is no known unit, below %s: it is another choice",
    (name) => {
      const steps = ["### Step 1: Dig", "### Step 2: Fill"]
      const text = [
        "# P",
        `## ${name}`,
        "### File 1: a.ts",
        "### File 2: b.ts",
        "## Work",
        ...steps,
      ]
      const [warning] = parsePlan(text.join("\n\n")).warnings
      expect(warning?.message).toBe(
        '2 headings may be the tasks, but have no box ("Step 1: Dig", "Step 2: Fill"): `opencode-boulder plan <file>` shows what may be tasks, and how boxes are written.',
      )
      expect(offeredLines(text.join("\n\n"), "plan.md").map(({ lines }) => lines)).toContain("5-7")
      const added = addLikeliest(text.join("\n\n"), "plan.md")
      expect(added.ok && added.added.map(({ line }) => line)).toEqual([11, 13])
    },
  )
  test.each([
    {
      name: "an order of the same work",
      other: ["## Implementation order", "### Phase 1", "### Phase 2"],
    },
    { name: "the plan's title", other: [] },
    { name: "a checklist of a phase", other: ["## Phase 1 checklist", "## Phase 2 summary"] },
    { name: "options", other: ["## Option 1: Clay", "## Option 2: Foil"] },
  ])("$name", ({ other }) => {
    const tasks = ["## Task 1: Dig", "## Task 2: Fill"]
    const text = ["# Story 51.5: Pond", ...tasks, ...other].map((each) => `${each}\n\nText.\n`)
    const added = addLikeliest(text.join("\n"), "PLAN.md")
    expect(added.ok && added.added.map(({ text: line }) => line)).toEqual([
      "## [ ] Task 1: Dig",
      "## [ ] Task 2: Fill",
    ])
  })
})

test.each(["Phase 3 (optional): c", "阶段 3（可选）：c", "Etappe 3 (optional): c", "Lap 3 (hard)"])(
  "what stands in brackets behind a number leaves it one: %s",
  (last) => {
    const unit = last.split(" ")[0]
    const all = [`${unit} 1: a`, `${unit} 2: b`, last]
    expect(boxed(...all.map((each) => `## ${each}`))).toEqual(all)
  },
)

test("what got no box with the others is said once all are settled", () => {
  const text = "# P\n\n## Task 1\n\n## Task 2\n\n## Pumps\n\n- ⏳ Look at the pump\n"
  const added = addLikeliest(text, "PLAN.md")
  const boxes = added.ok ? added.text : ""
  expect(parsePlan(boxes).warnings.map(({ rule }) => rule)).toEqual([])
  const settled = boxes.replaceAll("[ ]", "[x]")
  expect(addLikeliest(settled, "PLAN.md")).toMatchObject({ ok: true, added: [{ line: 9 }] })
})

test("a number below rules is a document's own, and parts of numbers count on", () => {
  const tasks = ["### 000 Decide on the depth", "### 001 Audit the pump", "### 002 Dig"]
  const names = tasks.map((each) => each.slice(4))
  expect(boxed("## Rules", "### 1.1 History", "## Base", ...tasks)).toEqual(names)
  const whole = ["### 1. Dig", "### 1.1 Dig deeper", "### 2. Fill", "### 3. Plant"]
  expect(boxed("## Base", ...whole)).toEqual(whole.map((each) => each.slice(4)))
  const parts = ["### 1.1 Dig", "### 1.2 Fill", "### 2.1 Plant"]
  expect(boxed("## Base", ...parts)).toEqual(parts.map((each) => each.slice(4)))
})

const inPhases = (one: string, two: string, three: string) =>
  `# Pond\n\n## Phase 1: Ground\n\n### ${one}\nx\n\n### ${two}\nx\n\n## Phase 2: Water\n\n### ${three}\nx\n\n## Phase 3: Look\nx\n`

test.each([
  ["T101 Dig", "T102 Line", "T103 Fill"],
  ["US-9: Dig", "US-10: Line", "US-11: Fill"],
  ["[T101] Dig", "[T102] Line", "[T103] Fill"],
  ["101. Dig", "102. Line", "103. Fill"],
  ["1.9 Dig", "1.10 Line", "2.1 Fill"],
  ["000 Dig", "001 Line", "002 Fill"],
])("headings %j that count on over phases get the boxes", (...words) => {
  const [one = "", two = "", three = ""] = words
  const boxed = addLikeliest(inPhases(one, two, three), "plan.md")
  expect(boxed.ok && boxed.added.map(({ line }) => line)).toEqual([5, 8, 13])
})

test("so too where the phases have numbers of chapters, but not parts of these numbers", () => {
  const lines = (one: string, two: string, three: string) => {
    const numbered = inPhases(one, two, three).replace(/## Phase (\d)/g, "## $1. Phase $1")
    const boxed = addLikeliest(numbered.replace("Phase 1", "Phase A"), "plan.md")
    return boxed.ok && boxed.added.map(({ line }) => line)
  }
  expect(lines("000 Dig", "001 Line", "002 Fill")).toEqual([5, 8, 13])
  expect(lines("1.1 Dig", "1.2 Line", "2.1 Fill")).toEqual([3, 11, 16])
})

test.each([
  ["1. Dig", "2. Line", "1. Fill"],
  ["1.1 Goal", "1.2 Work", "2.1 Goal"],
  ["S3 storage", "OAuth2 login", "S4 backup"],
  ["T101 Dig", "Notes", "T102 Fill"],
])("beside %j the phases do", (...words) => {
  const [one = "", two = "", three = ""] = words
  const boxed = addLikeliest(inPhases(one, two, three), "plan.md")
  expect(boxed.ok && boxed.added.map(({ line }) => line)).toEqual([3, 11, 16])
})

describe("a number is as well", () => {
  test.each([
    ...["Phase One: dig|Phase Two: fill", "Step one|Step two", "Phase I: dig|Phase II: fill"],
    ...["First step: dig|Second step: fill", "1st step|2nd step", "Phase A: dig|Phase B: fill"],
    ...["Phase1: dig|Phase2: fill", "Primer paso: cavar|Segundo paso: llenar"],
    ...["Erster Schritt: Graben|Zweiter Schritt: Füllen", "Fase uno|Fase dos", "Parte I|Parte II"],
    ...["Première étape : creuser|Deuxième étape : remplir", "Primeira fase|Segunda fase"],
    ...["Первый этап: копать|Второй этап: наполнить", "1-й этап: копать|2-й этап: наполнить"],
    ...["第一步：挖|第二步：填", "第1步：挖|第2步：填", "第 1 步|第 2 步", "第一阶段|第二阶段"],
    ...["第十部分：挖|第十一部分：填", "任务一：挖|任务二：填", "阶段一 — 挖|阶段二 — 填"],
    ...["フェーズ1：掘る|フェーズ2：埋める", "ステップ１：掘る|ステップ２：埋める"],
    ...[
      "1단계: 파기|2단계: 채우기",
      "단계1: 파기|단계2: 채우기",
      "첫 번째 단계: 파기|두 번째 단계: 채우기",
    ],
  ])("%s: boxes, and a word where one is empty beside what is done", (names) => {
    const all = names.split("|")
    expect(boxed(...all.map((each) => `## ${each}`))).toEqual(all)
    const [one = "", two = ""] = all
    const { state, warnings } = parsePlan(`# P\n\n## ${one}\n- [x] a\n\n## ${two}\n\nText.\n`)
    expect({ state, rules: warnings.map(({ rule }) => rule) }).toEqual({
      ...{ state: "complete", rules: ["rows-without-box"] },
    })
  })
  test.each([
    ...[
      "Option one: dig|Option two: fill",
      "方案一：挖|方案二：填",
      "第一章|第二章",
      "Вариант 1|Вариант 2",
    ],
    ...["One page: a|Two pages: b", "First name|Last name", "Phase I want to see|Phase II want"],
    ...[
      "First of all: a|Second of all: b",
      "場景一：a|場景二：b",
      "3D: a|2D: b",
      "Base64: a|Base32: b",
    ],
  ])("no unit: %s", (names) => {
    const [one = "", two = ""] = names.split("|").map((each) => `## ${each}`)
    expect(addLikeliest(`# P\n\n${one}\n\nText.\n\n${two}\n\nText.\n`, "PLAN.md").ok).toBe(false)
  })
})

test.each(["Fase", "Etapa", "Étape", "Schritt", "Этап", "Phase"])(
  "a letter behind the number counts on: %s 3A",
  (word) => {
    const text = `# P\n\n## ${word} 3A — Freeze\n\n- [x] a\n\n## ${word} 3C — Trace\n\nText.\n\n## ${word} 4 — Count\n\nText.\n`
    const { state, warnings } = parsePlan(text)
    expect([state, ...warnings.map(({ rule }) => rule)]).toEqual(["complete", "rows-without-box"])
    const added = addLikeliest(text, "PLAN.md")
    expect(added.ok && added.added.map(({ line }) => line)).toEqual([7, 11])
  },
)
