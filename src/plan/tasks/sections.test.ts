// Which sections are read: what a warning says of them is true.
import { expect, test } from "bun:test"
import { addLikeliest } from "../../../test/support/likeliest-boxes.ts"
import { shownPlan } from "../../../test/support/shown-plan.ts"
import { parsePlan } from "../parse-plan.ts"

test("the criteria of Backlog.md stay tasks beside a longer implementation plan", () => {
  const text =
    "---\nid: task-3\ntitle: Y\nstatus: To Do\ncreated_date: '2026-01-01'\n---\n\n## Acceptance Criteria\n- [ ] #1 a\n- [ ] #2 b\n\n## Implementation Plan\n- [x] 1. x\n- [x] 2. y\n- [x] 3. z\n"
  const options = { path: "backlog/tasks/task-3 - Y.md" }
  expect(shownPlan(text, options)).toEqual([
    "open",
    "a open",
    "b open",
    "x done",
    "y done",
    "z done",
  ])
  expect(parsePlan(text, options).warnings.map(({ rule }) => rule)).toEqual(["joined-sections"])
})

test.each(["### Step 1\na\n### Step 2\nb\n", "### 1. Form\na\n### 2. Check\nb\n"])(
  "the criteria of Backlog.md stay tasks beside the headings of a plan or of notes: %j",
  (headings) => {
    const text = `---\nid: task-3\ntitle: Y\nstatus: To Do\ncreated_date: '2026-01-01'\n---\n\n## Acceptance Criteria\n- [ ] #1 a\n- [ ] #2 b\n\n## Implementation Notes\n${headings}`
    expect(shownPlan(text, { path: "backlog/tasks/task-3 - Y.md" })).toEqual([
      "open",
      "a open",
      "b open",
    ])
  },
)

test.each(["Akzeptanzkriterien", "Critères d'acceptation", "验收标准", "Success criteria"])(
  "the criteria of Backlog.md are its tasks in any language: %s",
  (name) => {
    const text = `---\nid: task-3\ntitle: Y\nstatus: To Do\ncreated_date: '2026-01-01'\n---\n\n## ${name}\n- [ ] #1 a\n\n## Definition of Done\n- [ ] #1 b\n`
    expect(shownPlan(text, { path: "backlog/tasks/task-3 - Y.md" })).toEqual(["open", "a open"])
    expect(shownPlan(`${text.replace(/---.*---\n/s, "")}`).slice(1)).toEqual([])
  },
)

test("where common sections are read too, what stands outside of them is said, and not that all is read", () => {
  const text = "## TODOs\n- [x] a\n## Phase 1\n- [x] b\n- [x] c\n## Notes\n- [ ] d\n"
  const { warnings } = parsePlan(text, { path: ".omo/plans/a.md" })
  expect(warnings.map(({ line, rule }) => [line, rule])).toEqual([
    [1, "joined-sections"],
    [7, "outside-rows"],
  ])
})

test.each([
  { name: "left", box: " ", rules: ["outnumbered-section"] },
  { name: "done", box: "x", rules: [] },
])("that more rows stand outside the sections is said while something is $name: $rules", (each) => {
  const text = `## TODO\n- [x] a\n\n## More\n- [${each.box}] b\n- [x] c\n`
  const says =
    'Most rows are not below headings such as "TODO": rows elsewhere are read as tasks too.'
  expect(parsePlan(text).warnings.map(({ message }) => message)).toEqual(each.rules.map(() => says))
  expect(parsePlan(text).warnings.map(({ rule }) => rule)).toEqual([...each.rules])
})

test.each([
  { name: "Daily checklist", is: ["a", "b"] },
  { name: "Weekly review checklist (all)", is: ["a", "b"] },
  { name: "📋 Checklist quotidienne", is: ["a", "b"] },
  { name: "Tägliche Checkliste", is: ["a", "b"] },
  { name: "每日检查清单", is: ["a", "b"] },
  { name: "Daily checklist editor", is: ["a", "b", "c"] },
  { name: "Add a daily checklist", is: ["a", "b", "c"] },
  { name: "Checklist", is: ["a", "b", "c"] },
])("of a plan with $name its tasks are $is", ({ name, is }) => {
  const text = `## Phase 1: A\n- [ ] a\n- [ ] b\n\n## ${name}\n- [ ] c\n`
  expect(parsePlan(text).tasks.map(({ title }) => title)).toEqual([...is])
})

test.each([
  { name: "Explicitly deferred", isRead: false },
  { name: "⏸ Deferred to v2", isRead: false },
  { name: "Deferred items (after the launch)", isRead: false },
  { name: "Deferred tasks", isRead: false },
  { name: "Won't do", isRead: false },
  { name: "Won't have (this time)", isRead: false },
  ...["Cancelled", "❌ Descartado", "Rejected ideas", "On hold", "已取消", "保留"].map((name) => ({
    name,
    isRead: false,
  })),
  ...["Paused playback", "Rejected by the server", "Dropped frames"].map((name) => ({
    name,
    isRead: true,
  })),
  { name: "Parking lot", isRead: false },
  { name: "Postponed until spring", isRead: false },
  { name: "Follow-ups (not this change)", isRead: false },
  { name: "Read path (part 2) [DEFERRED]", isRead: false },
  { name: "Docs — a separate ticket", isRead: true },
  { name: "Read path - deferred rendering", isRead: true },
  { name: "Later (not in this change)", isRead: false },
  { name: "Not in this PR", isRead: false },
  { name: "Future work (separate change)", isRead: false },
  { name: "Follow-up work (out of scope)", isRead: false },
  { name: "Future Enhancements (Out of Scope for MVP)", isRead: false },
  { name: "Follow-ups (deferred to v2)", isRead: false },
  { name: "后续工作（本次不做）", isRead: false },
  { name: "Spätere Arbeiten (nicht in diesem PR)", isRead: false },
  { name: "Mejoras (fuera de alcance)", isRead: false },
  { name: "推迟", isRead: false },
  { name: "Follow-ups", isRead: true },
  { name: "Follow-ups (deferred from v1)", isRead: true },
  { name: "Reports (a separate page)", isRead: true },
  { name: "Not in this list: the others", isRead: true },
  { name: "Deferred rendering", isRead: true },
  { name: "Phase 2: Deferred loading", isRead: true },
  { name: "Deferred shading editor", isRead: true },
])("rows below $name are tasks: $isRead; where they are none, that is said at once", (each) => {
  const text = `## Phase 1: A\n- [ ] a\n- [ ] b\n\n## ${each.name}\n- [ ] c\n- [x] d\n`
  const { tasks, warnings } = parsePlan(text)
  const rest = each.isRead ? ["c", "d"] : []
  expect(tasks.map(({ title }) => title)).toEqual(["a", "b", ...rest])
  expect(warnings.map(({ line, rule }) => [line, rule])).toEqual(
    each.isRead ? [] : [[6, "ignored-rows"]],
  )
})

test.each([
  ...[
    "Out of scope",
    "Acceptance criteria",
    "Deferred",
    "Legend",
    "완료 조건",
    "Final verification",
  ],
  ...["Tiêu chí thành công", "성공 기준", "成功基準", "Başarı kriterleri", "Kriteria keberhasilan"],
  ...["Succescriteria", "Kritéria úspěchu", "Критерії успіху", "Framgångskriterier"],
  ...["Tasks", "TODO", "Implementation plan", "Stage 1"],
])("a heading with a box is no part of %j on a lower level in front of it", (name) => {
  const text = `## [ ] Dig\n\n### ${name}\n\n- a bridge\n\n## [ ] Fill\n\n### ${name}\n`
  const { tasks, warnings } = parsePlan(text)
  expect(tasks.map(({ title }) => title)).toEqual(["Dig", "Fill"])
  expect(warnings).toEqual([])
})

test("headings with boxes are written and read where each has a part that is called like a section", () => {
  const text =
    "# P\n\n## Phase 1: Dig\n\n### Tasks\n\n- a hole\n\n## Phase 2: Fill\n\n### Tasks\n\n- earth\n"
  const boxed = addLikeliest(text, "plan.md")
  expect(boxed.ok && boxed.added.map(({ line }) => line)).toEqual([3, 9])
})

test("nor of what is no work on its own level", () => {
  const text =
    "## [ ] Dig\n\n## Out of scope\n\n- a bridge\n\n## [ ] Fill\n\n## Done when\n\n- full\n"
  expect(parsePlan(text).tasks.map(({ title }) => title)).toEqual(["Dig", "Fill"])
})

test("no plan is complete where a heading with an open box comes behind criteria", () => {
  const text = "## [x] Dig the pond\n\n### Acceptance criteria\n\n- deep\n\n## [ ] Fill it\n"
  expect(parsePlan(text)).toMatchObject({ state: "open", counts: { total: 2, done: 1 } })
})

test("a phase that is put off in brackets holds no task, and the plan is not complete without it", () => {
  const text = "## Phase 1: A\n- [x] a\n- [x] b\n\n## Phase 2: Reports (deferred)\n- [ ] c\n"
  const { tasks, state, warnings } = parsePlan(text)
  expect([tasks.length, state]).toEqual([2, "rows-outside"])
  expect(warnings.map(({ rule }) => rule)).toEqual(["outside-rows"])
})

test("the columns of a board are read beside its column Todo", () => {
  const text =
    "## Todo\n- [x] a\n- [x] b\n\n## 🚧 In Progress\n- [ ] c\n\n## Done\n- [x] d\n\n## Blocked\n- [ ] e\n"
  const { tasks, warnings } = parsePlan(text)
  expect(tasks.map(({ title }) => title)).toEqual(["a", "b", "c", "d"])
  expect(warnings.map(({ line, rule }) => [line, rule])).toEqual([[12, "outside-rows"]])
})

test.each([
  ...["Legend", "Out of scope cleanup", "2. Acceptance criteria editor", "3. Review checklist"],
  ...[
    "Acceptance criteria editor",
    "Legend rendering",
    "Success metrics dashboard",
    "Non-goals page",
  ],
  ...["How to use cards", "Definition of done widget", "2. Definition of Done", "Success Criteria"],
])("open numbered rows below %j are tasks, or it is said that they are none", (heading) => {
  for (const first of ["", "## 1. Setup\n- [x] 1. A\n\n", "## Tasks\n- [x] 1. A\n\n"]) {
    const { tasks, warnings } = parsePlan(`# P\n\n${first}## ${heading}\n- [ ] 2. B\n- [ ] 3. C\n`)
    const isRead = tasks.filter(({ state }) => state === "open").length === 2
    const isSaid = warnings.some(({ message }) => /\b2 open rows?\b/.test(message))
    expect(isRead || isSaid).toBe(true)
  }
})

test.each([
  ...["Success Criteria (ALL MUST BE TRUE)", "Phase 4 Final Checklist", "✅ Success Criteria"],
  ...[
    "Definition of Done for this slice",
    "Out of scope for this slice",
    "Acceptance Criteria (from epic 3)",
  ],
  ...[
    "Legend",
    "Status Legend",
    "Acceptance",
    "How to use this plan",
    "Non-goals",
    "Definition of Done: v1",
  ],
])("rows without a number below %j are no tasks, and nothing is said", (heading) => {
  const { counts, warnings } = parsePlan(`# P\n\n## Tasks\n- [ ] 1. A\n\n## ${heading}\n- [ ] b\n`)
  expect([counts.total, warnings]).toEqual([1, []])
})

test("criteria with numbers of their own are nothing to speak of", () => {
  const text =
    "## Tasks\n- [ ] 1. A\n## Acceptance Criteria\n- [ ] AC1: b\n- [ ] #2 c\n- [ ] SC-001: d\n"
  expect(parsePlan(text).warnings).toEqual([])
})

test("completed tasks are no section that hides what remains", () => {
  const text = "# P\n\n## Completed Tasks\n- [x] a\n- [x] b\n- [x] c\n\n## Remaining\n- [ ] d\n"
  expect(shownPlan(text)).toEqual(["open", "a done", "b done", "c done", "d open"])
})

const AREA = (name: string, mark: string) =>
  `## ${name}\n\n### Phase 1: Dig\n- [${mark}] a\n- [ ] b\n\n### Phase 2: Fill\n- [ ] c\n- [ ] d\n\n`

test("phases that count anew below a second heading are parts of the plan's areas: rows of the others are tasks too", () => {
  const text = `# Garden\n\n${AREA("Pond", "x")}${AREA("Wall", " ")}## Gate\n\n### Hinges\n- [ ] e\n`
  const { tasks, warnings } = parsePlan(text)
  expect([tasks.length, warnings.map(({ rule }) => rule)]).toEqual([
    9,
    Array(4).fill("duplicate-label"),
  ])
  expect(tasks.at(-1)?.group).toBe("Hinges")
})

test("phases that go on counting are the sections still, and open rows outside are said", () => {
  const text = `# Garden\n\n${AREA("Pond", "x")}## Gate\n\n### Hinges\n- [ ] e\n`
  const { tasks, warnings } = parsePlan(text)
  expect([tasks.length, warnings.map(({ rule }) => rule)]).toEqual([4, ["outside-rows"]])
})

test.each([
  { name: "sections that count", first: "Phase 1: Dig", second: "Phase 2: Fill" },
  { name: "groups of OpenSpec", first: "1. Dig", second: "2. Fill" },
])("beside $name all rows at their place are tasks, whatever is said above them", (each) => {
  const path = "openspec/changes/pond/tasks.md"
  const text = `# Pond\n\n## ${each.first}\n- [x] a\n\n## Finder\n- [ ] Issue 4\n\n## ${each.second}\n- [ ] b\n\n## Going on\n- [>] c\n`
  const { tasks, warnings } = parsePlan(text, { path })
  expect([tasks.map(({ title }) => title), warnings]).toEqual([["a", "Issue 4", "b", "c"], []])
})

test.each([
  "Notes",
  "Open questions",
  "Metrics of phase 1",
  "Log",
  "Related",
  "🚨 Troubleshooting",
  "Dépannage",
  "故障排查",
  "トラブルシューティング",
  "Solución de problemas",
])("open rows below %j beside the sections are said, and are no tasks", (heading) => {
  const text = `# Pond\n\n## Phase 1: Dig\n- [x] a\n\n## ${heading}\n- [ ] b\n`
  const { counts, state, warnings } = parsePlan(text)
  expect([counts.total, state]).toEqual([1, "rows-outside"])
  expect(warnings.map(({ rule }) => rule)).toEqual(["outside-rows"])
})

test("beside a section that is named Tasks open rows are said, and are no tasks", () => {
  const { tasks, warnings } = parsePlan("# Pond\n\n## Tasks\n- [ ] a\n\n## Finder\n- [ ] b\n")
  expect([tasks.length, warnings.map(({ rule }) => rule)]).toEqual([1, ["outside-rows"]])
})

test.each([
  { heading: "Implementation steps", total: 3 },
  { heading: "Remaining work", total: 3 },
  { heading: "Execution order", total: 2 },
  { heading: "Completed steps", total: 2 },
])("beside a section that is named Tasks rows below $heading: $total in all", (each) => {
  const text = `# Pond\n\n## Tasks\n- [ ] a\n- [ ] b\n\n## ${each.heading}\n- [ ] c\n`
  expect(parsePlan(text).counts.total).toBe(each.total)
  expect(parsePlan(text.replace("## ", "### ")).counts.total).toBe(2)
})

test("a phase that is named again where its details stand holds no rows there", () => {
  const text =
    "# Garden\n\n## Work\n\n### Phase 1: Dig\n- [ ] a\n- [ ] b\n\n## Details\n\n### Phase 1: Dig\nwords\n\n## Ideas\n- [ ] c\n"
  expect(parsePlan(text).tasks).toHaveLength(2)
})

test("where all rows stand below such a label, they are the tasks", () => {
  const text = "# Garden\n\n## Pond\n\n**Acceptance criteria:**\n- [ ] Fish live\n- [x] Clear\n"
  expect(shownPlan(text)).toEqual(["open", "Fish live open", "Clear done"])
})

test.each([
  "Abnahme",
  "Akzeptanztests",
  "验收",
  "交付标准",
  "Legende",
  "受け入れテスト",
  "인수 테스트",
  "Aceptación",
  "Aceitação",
  "完成标准（DoD）",
  "Erfolgskriterien (Phase 1)",
  "Metryki sukcesu",
])("rows below %j are none, in its language", (heading) => {
  const text = `# P\n## Work\n- [ ] Dig\n## ${heading}\n- [ ] Fish live\n`
  expect(shownPlan(text)).toEqual(["open", "Dig open"])
})

const CHECKLIST = (heading: string, words: string) =>
  `# Pond\n\n## ${heading}\n- [x] 1. Dig the hole\n- [] 2. ${words}\n- [ ] 3. Sweep\n\n## Work\n\n### 1. Dig the hole\nDeep.\n\n### 2. Fill it\nSlowly.\n\n### 3. Sweep: all of it\n`

test("a checklist of checks is none of the plan's tasks, whatever words it has, and that is said", () => {
  for (const words of ["Fill it", "Fish live"]) {
    const text = CHECKLIST("Completion Checklist", words)
    expect(shownPlan(text)).toEqual(["invalid"])
    expect(parsePlan(text).warnings.map(({ rule }) => rule)).toContain("ignored-rows")
  }
})

test.each(["Acceptance and demo", "Acceptance & release", "Acceptance/hand-over"])(
  "rows below %j are work: acceptance is one part of it",
  (heading) => {
    const text = `# Pond\n\n## Camera\n- [ ] Dig\n\n## ${heading}\n- [ ] Film it\n`
    expect(shownPlan(text)).toEqual(["open", "Dig open", "Film it open"])
  },
)

test.each(["Acceptance", "Acceptance:", "Acceptance (all)", "Acceptance for v1"])(
  "rows below %j alone are criteria",
  (heading) => {
    const text = `# Pond\n\n## Camera\n- [ ] Dig\n\n## ${heading}\n- [ ] Fish live\n`
    expect(shownPlan(text)).toEqual(["open", "Dig open"])
  },
)

test.each([
  { name: "## Optional", at: [false, false, true, true] },
  { name: "## 🎁 Optional (if time is left)", at: [false, false, true, true] },
  { name: "## 3. Optional tasks", at: [false, false, true, true] },
  { name: "### Optional: plants", at: [false, false, true, true] },
  { name: "## Phase 3: Optional - plants", at: [false, false, true, true] },
  { name: "## Phase 3. Optional", at: [false, false, true, true] },
  { name: "## Phase 3 Optional (plants)", at: [false, false, true, true] },
  { name: "## Phase 3 Optional chaining", at: [false, false, false, false] },
  { name: "## Plants (optional)", at: [false, false, false, false] },
  { name: "## Optional chaining in the parser", at: [false, false, false, false] },
  { name: "## Tests (OPTIONAL - only if asked for)", at: [false, false, false, false] },
])("of the rows below $name are optional: $at", ({ name, at }) => {
  const text = `# Pond\n\n## Work\n- [ ] a\n- [ ] b\n\n${name}\n- [ ] c\n\n#### Deeper\n- [ ] d\n`
  expect(parsePlan(text).tasks.map(({ optional }) => optional)).toEqual([...at])
})

test("an optional section beside Tasks is read with it, and holds nothing up", () => {
  const text = "# Pond\n\n## Tasks\n- [x] a\n- [x] b\n\n## Optional\n- [ ] c\n\n## Notes\n- [x] d\n"
  const { state, next, tasks, warnings } = parsePlan(text)
  expect([state, next?.title, warnings]).toEqual(["complete", "c", []])
  expect(tasks.map(({ title, optional }) => [title, optional])).toEqual([
    ["a", false],
    ["b", false],
    ["c", true],
  ])
})

test.each([...["Nice to have", "💡 Nice-to-haves", "Someday/maybe", "Phase 2: Nice to have"]])(
  "what is wished for below %s comes last, and holds nothing up",
  (name) => {
    for (const own of ["Phase 1", "Tasks", "Pond"]) {
      const text = `# Plan\n\n## ${own}\n- [x] a\n\n## ${name}\n- [ ] b\n`
      const { state, tasks, warnings } = parsePlan(text)
      expect([state, tasks.map(({ optional }) => optional), warnings]).toEqual([
        "complete",
        [false, true],
        [],
      ])
    }
  },
)

test.each([
  "Later",
  "Wishlist",
  "Ideen",
  "Future work",
  "Backlog",
  "Post-release tasks",
  "Late fees",
  "Ideas board",
  "Follow-ups",
])("%s is work like any other", (name) => {
  const text = `# Plan\n\n## Phase 1\n- [x] a\n\n## ${name}\n- [ ] b\n`
  expect(parsePlan(text).tasks.map(({ optional }) => optional)).toEqual([false, false])
})

test("headings that are tasks below an optional one are optional too", () => {
  const text =
    "# Pond\n\n## Core\n### Task 1: Dig\n- [ ] Step 1: a\n\n## Optional work\n### Task 2: Fill\n- [ ] Step 1: b\n"
  expect(parsePlan(text).tasks.map(({ optional }) => optional)).toEqual([false, true])
})

test("a checklist that is the whole plan is read, done or not", () => {
  const text = (box: string) =>
    `# Specification Quality Checklist: Pond\n\n## Content\n- [x] a\n- [${box}] b\n\n## Notes\n- be fast\n`
  expect(shownPlan(text("x"))).toEqual(["complete", "a done", "b done"])
  expect(shownPlan(text(" "))).toEqual(["open", "a done", "b open"])
  expect(parsePlan(text(" ")).warnings).toEqual([])
})

test.each(["- [x] deep\n- [x] full\n", "- [ ] P0-1: deep\n- [ ] P0-2: full\n"])(
  "criteria that are all the rows of a plan are said, and are no tasks: %j",
  (rows) => {
    const { tasks, warnings } = parsePlan(`# Pond\n\nWords.\n\n## Acceptance criteria\n${rows}`)
    expect([tasks, warnings.map(({ rule }) => rule)]).toEqual([[], ["ignored-rows"]])
    expect(warnings[0]?.message).toContain("rename the heading, to `Tasks` for instance.")
  },
)

test("criteria beside steps without a box are none, and the steps are said", () => {
  const text = "# Pond\n\n## Steps\n1. Dig\n2. Fill\n\n## Success criteria\n- [ ] deep\n"
  expect(parsePlan(text).tasks).toEqual([])
  expect(parsePlan(text).warnings.map(({ line, rule }) => [line, rule])).toEqual([
    [4, "no-boxes"],
    [8, "ignored-rows"],
  ])
})

test.each([
  { name: "Adaptation checklist", isWork: true },
  { name: "Implementation Checklist", isWork: true },
  { name: "Migration checklist (backend)", isWork: true },
  { name: "Testing checklist", isWork: false },
  { name: "Release checklist", isWork: false },
])("rows below $name beside numbered headings are the work: $isWork", ({ name, isWork }) => {
  const text = `# Pond\n\n## Endpoints\n\n### 1. GET /pond\n\nWords.\n\n### 2. PUT /pond\n\nWords.\n\n## ${name}\n- [ ] a\n- [ ] b\n`
  expect(parsePlan(text).tasks).toHaveLength(isWork ? 2 : 0)
})

test("gates of quality beside tasks are what these are judged by", () => {
  const text =
    "# Pond\n\n## List\n- [x] T-1: Dig\n- [ ] T-2: Fill\n\n## Quality Gates\n- [ ] deep\n"
  expect(shownPlan(text)).toEqual(["open", "Dig done", "Fill open"])
  const gates = "# Pond\n\n## Paint the gates\n- [ ] red\n"
  expect(shownPlan(gates)).toEqual(["open", "red open"])
})

test("a plan's title is no heading of checks, whatever it is called", () => {
  const text =
    "# VAL-1: Validation framework\n\n## Requirements\n\n### 1. Types\n\n### 2. Cache\n\n## Plan\n### Step 1: Types\n- [ ] a\n### Step 2: Cache\n- [ ] b\n"
  expect(shownPlan(text)).toEqual(["open", "a open", "b open"])
})

const BESIDE_PHASE = (heading: string, rows: string) =>
  `# Pond\n## Phase 1: Dig\n- [ ] Dig\n- [ ] Line\n- [ ] Fill\n## ${heading}\n${rows}`

test.each([
  { heading: "Wayfinder", rows: "- [ ] Avoid the second query\n- [ ] Draw the map\n" },
  { heading: "Phase 2: Clean up", rows: "- [ ] Never fill twice\n- [ ] No stones\n" },
])("work beside a phase stays: $heading", ({ heading, rows }) => {
  expect(parsePlan(BESIDE_PHASE(heading, rows)).tasks).toHaveLength(5)
})

test.each(["Adding New Tasks", "Completing Tasks", "Example Tasks"])(
  "%s below guidelines is no section",
  (name) => {
    const phases = "# P\n\n## [ ] Phase 1: Base\n\nx\n\n## [ ] Phase 2: Core\n\nx\n\n"
    const rulesOf = (text: string) => parsePlan(text).warnings.map(({ rule }) => rule)
    const told = `### ${name}\n1. **Brief description** of it\n2. **Date**\n`
    expect(rulesOf(`${phases}## Task Management Guidelines\n\n${told}`)).toEqual([])
    expect(rulesOf(`${phases}## Later on\n\n${told}`)).toEqual(["empty-section"])
  },
)

test("the plans of a phase that was added without a row are tasks of a GSD roadmap", () => {
  const text = (state: string) =>
    `## Phases\n- [x] **Phase 1: A** - a\n## Phase Details\n### Phase 1: A\n- [x] 01-01-PLAN.md -- x\n### Phase 03.2: B\nPlans:\n- [${state}] 03.2-01-PLAN.md -- b\n### Notes\n- [ ] 04-01-PLAN.md -- c\n`
  const read = (state: string) => parsePlan(text(state), { path: ".planning/ROADMAP.md" })
  expect(read(" ").tasks.map(({ key, line }) => [key, line])).toEqual([
    ["task:1", 2],
    ["task:03.2-01", 8],
  ])
  expect([read(" ").state, read("x").state]).toEqual(["open", "rows-outside"])
})

test("plans that outnumber the phases of a GSD roadmap are parts of them, and no rows outside", () => {
  const plans = ["01-01: a", "01-02: b", "01-03: c"].map((plan) => `- [ ] ${plan}\n`).join("")
  const text = `## Phases\n- [ ] **Phase 1: A**\n- [ ] **Phase 2: B**\n## Phase Details\n### Phase 1: A\n${plans}`
  const { tasks, warnings } = parsePlan(text, { path: ".planning/ROADMAP.md" })
  expect(tasks.map(({ key }) => key)).toEqual(["task:1", "task:2"])
  expect(warnings).toEqual([])
})
