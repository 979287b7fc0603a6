import { expect, test } from "bun:test"
import { addLikeliest } from "../../../test/support/likeliest-boxes.ts"
import { parsePlan } from "../parse-plan.ts"

const PHASES = "# P\n\n## Phase 1: Dig\nwords\n\n## Phase 2: Fill\nwords\n\n"
const CHECKS = "- [ ] gate\n- [ ] sign\n- [ ] path\n"
const read = (text: string) => {
  const { tasks, warnings } = parsePlan(text)
  return { tasks: tasks.map(({ key }) => key), rules: warnings.map(({ rule }) => rule) }
}

test.each([
  ...["Release Checklist", "Pre-merge verification", "Testing", "✅ Launch gates"],
  ...[
    "Post-Implementation Checklist",
    "Checklist after the migration",
    "After Migration Checklist",
  ],
  ...["Pre-Migration Checklist", "Post Build Checklist", "Before the upgrade checklist"],
])("phases without boxes are the work, not the rows below %j", (heading) => {
  expect(read(`${PHASES}## ${heading}\n${CHECKS}`)).toEqual({
    tasks: [],
    rules: ["no-boxes", "outside-rows"],
  })
})

test("added boxes go to the phases, and the checklist stays beside them", () => {
  const boxed = addLikeliest(`${PHASES}## Release Checklist\n${CHECKS}`, "plan.md")
  if (!boxed.ok) throw new Error(boxed.message)
  expect(boxed.added.map((each) => each.text)).toEqual([
    "## [ ] Phase 1: Dig",
    "## [ ] Phase 2: Fill",
  ])
  expect(read(boxed.text)).toEqual({ tasks: ["task:1", "task:2"], rules: ["outside-rows"] })
})

test("phases that say their state are the tasks, however long the checklist is", () => {
  const text = PHASES.replace("words", "**Status:** complete").replace("\nwords", "\nStatus: todo")
  expect(read(`${text}## Release Checklist\n${CHECKS}`)).toEqual({
    tasks: ["task:1", "task:2"],
    rules: ["outside-rows"],
  })
})

test("rows below any other heading stay the tasks, with a warning", () => {
  expect(read(`${PHASES}## Work\n- [ ] 3. gate\n`)).toEqual({
    tasks: ["task:3"],
    rules: ["rows-without-box"],
  })
})

test("a section without rows is named, and the title is none", () => {
  const text = "## Current tasks\n- [ ] a\n\n## Phases\nwords\n"
  const messageOf = (plan: string) =>
    parsePlan(plan).warnings.map(({ line, message }) => [line, message])
  expect(messageOf(text)).toEqual([
    [4, 'No row with a box is below "Phases": those under other headings are read instead.'],
  ])
  expect(messageOf("# Epic 3: Ponds\n\n## [x] Task 1: Dig\n\n## [ ] Task 2: Fill\n")).toEqual([])
})

test("a checklist is read where phases have rows, and where the work stands in it", () => {
  const filled = "## Phase 1: Dig\n- [ ] 1. a\n\n## Phase 2: Fill\n- [ ] 2. b\n\n"
  expect(read(`${filled}### Checklist\n- [ ] 3. c\n`).tasks).toEqual(["task:1", "task:2", "task:3"])
  expect(read("# P\n\n## Checklist\n- [ ] 1. a\n").tasks).toEqual(["task:1"])
})

test("open rows below a phase of criteria are no tasks, and are said", () => {
  const text = "## Phase 1: Dig\n- [ ] a\n- [ ] b\n\n## Phase 2: Acceptance criteria\n- [ ] c\n"
  const { tasks, warnings } = parsePlan(text)
  expect(tasks.map(({ title }) => title)).toEqual(["a", "b"])
  expect(warnings.map(({ message }) => message)).toEqual([
    '1 open row is outside the task sections and is not counted: "c".',
  ])
})

test("the title of a plan without a box is no heading of a task", () => {
  const [warning] = parsePlan("# WC26 Hub\n\n## Phase 1: Dig\n\n## Phase 2: Fill\n").warnings
  expect(warning?.message).toStartWith(
    '2 headings may be the tasks, but have no box ("Phase 1: Dig"',
  )
})

test("epics and sprints are sections beside phases, and none of their rows is left out", () => {
  const rows = "- [ ] a\n- [ ] b\n\n"
  const text = `## 🚀 Epic 0: Begin\n${rows}## Sprint 1\n${rows}## Phase 2: End\n${rows}${rows}`
  const { counts, warnings } = parsePlan(
    text.replaceAll(/\b[ab]\n/g, (at, index) => `${index}${at}`),
  )
  expect([counts.total, warnings]).toEqual([8, []])
})

test("a plan whose front matter and boxes say that nothing is left gets no box", () => {
  const text =
    "---\nid: a-1\ntitle: A\nstatus: Done\ncreated_date: '2026-01-01'\n---\n\n## Acceptance Criteria\n\n- [x] #1 A\n\n## Phase 2: Next\n"
  expect(parsePlan(text).warnings).toEqual([])
  expect(addLikeliest(text, "plan.md")).toMatchObject({ ok: false })
})

const FIXES = "# P\n\n## Fixes\n\n### Fix 1: Mails\nwords\n\n### Fix 2: Link\nwords\n\n"

test("any word that headings count by names units of work", () => {
  const text = `${FIXES}## Testing Checklist\n${CHECKS}`
  expect(read(text)).toEqual({ tasks: [], rules: ["no-boxes", "outside-rows"] })
  const boxed = addLikeliest(text, "plan.md")
  expect(boxed.ok && boxed.added.map(({ line }) => line)).toEqual([5, 8])
})

test.each([
  ...["Findings", "Background", "Current State Analysis", "Gap analysis", "现状分析", "현황 분석"],
  ...["Diagnosis", "Root causes", "问题诊断"],
  ...["Analysis of the current situation", "Ist-Analyse", "État des lieux"],
])("what %j counts is no unit of work", (heading) => {
  const about = `# P\n\n## ${heading}\n\n### Issue 1: Slow\nwords\n\n### Issue 2: Old\nwords\n\n`
  expect(parsePlan(`${about}## Tasks\n- [x] Cache\n- [x] Update\n`).warnings).toEqual([])
  expect(read(`${about}## Release Checklist\n- [ ] Cache\n`).tasks).toHaveLength(1)
  const phases = "## Phase 1: Cache\n\n## Phase 2: Update\n\n"
  const boxed = addLikeliest(`${about}${phases}## Work checklist\n- [ ] Look\n`, "plan.md")
  expect(boxed.ok && boxed.added.map(({ line }) => line)).toEqual([11, 13])
})

test("phases below an overview, and issues below a heading of work, are units", () => {
  const phases = "# P\n\n## Overview\n\n### Phase 1: Dig\n\n### Phase 2: Fill\n\n"
  expect(read(`${phases}## Tasks\n- [x] a\n`).rules).toEqual(["rows-without-box"])
  const issues = "# P\n\n## Fix these\n\n### Issue 1: Slow\n\n### Issue 2: Old\n\n"
  expect(read(`${issues}## Tasks\n- [x] a\n`).rules).toEqual(["rows-without-box"])
})

test.each(["Option", "Use Case", "Risk"])("%s 1 and 2 are no units of work", (word) => {
  const text = FIXES.replaceAll("Fix ", `${word} `)
  expect(read(`${text}## Testing Checklist\n${CHECKS}`).tasks).toHaveLength(3)
})

test("phases that are said to hold nothing get their boxes by `--add-boxes`", () => {
  const text = "# P\n\n## Phase 1: Dig\n\n- [x] hole\n\n## Phase 2: Fill\n\nwith earth\n"
  const [warning] = parsePlan(text).warnings
  expect(warning?.rule).toBe("rows-without-box")
  const boxed = addLikeliest(text, "plan.md")
  expect(boxed.ok && boxed.text).toBe(text.replace("## Phase 2", "## [ ] Phase 2"))
})

test("a checklist whose rows name the steps of the headings is the work, and one of checks is not", () => {
  const steps = "# P\n\n### Step 1: Dig\nHow\n\n### Step 2: Fill\nHow\n\n## Checklist\n\n"
  const titles = (rows: string) => parsePlan(steps + rows).tasks.map(({ title }) => title)
  expect(titles("- [ ] Step 1: Dig\n- [ ] Step 2: Fill it\n- [ ] Look\n")).toHaveLength(3)
  expect(titles("- [ ] Step 1 is dug\n- [ ] Look\n")).toEqual([])
})

const MAKE = "- [ ] Create the edge\n- [ ] Add a pump\n- [ ] Run all tests\n"

test.each([
  ...["Immediate wins checklist", "Fix checklist", "Cleanup checklist", "Checklist"],
  ...["Checklist de tareas", "Project checklist (day 1)"],
])("rows of %j that ask for something to be made are the work beside phases of words", (name) => {
  expect(read(`# P\n\n### ${name}\n${MAKE}\n## Strategy\n\n${PHASES.slice(5)}`)).toMatchObject({
    tasks: { length: 3 },
    rules: ["rows-without-box"],
  })
  const steps = "## Notes\n\n### 1. Ground\n\n### 2. Plants\n"
  expect(read(`# P\n\n## ${name}\n${MAKE}\n${steps}`).tasks).toHaveLength(3)
})

test.each([
  ...["Launch checklist", "Checklist before the release", "QA checklist", "Final checklist"],
  ...["Testing checklist", "PR checklist", "Checklist: sign-off"],
])("rows of %j are checks, whatever they ask for", (name) => {
  expect(read(`${PHASES}## ${name}\n${MAKE}`).tasks).toEqual([])
})

test("rows of a checklist that are looked at, or say what is so, are checks", () => {
  const looks = "- [ ] Verify the edge\n- [ ] Check the pump\n- [ ] Add a sign\n"
  expect(read(`${PHASES}## Checklist\n${looks}`).tasks).toEqual([])
  expect(read(`${PHASES}## Opening checklist\n- [ ] The gate is oiled\n`).tasks).toEqual([])
})

test.each(["Step", "Fix", "Шаг", "Étape"])(
  "%s 2b is a unit of its own, and said once the others are done",
  (word) => {
    const text = `# P\n\n## Work\n\n### [x] ${word} 1: A\n\n### [x] ${word} 2: B\n\n### ${word} 2b: C\n`
    expect(parsePlan(text).warnings.map(({ line, rule }) => [line, rule])).toEqual([
      [9, "rows-without-box"],
    ])
    const added = addLikeliest(text.replaceAll("[x] ", ""), "plan.md")
    expect(added.ok && added.text.match(/\[ \]/g)?.length).toBe(3)
  },
)

const NOUNS = "- [x] The edge\n- [ ] The pump\n"

test.each([
  ...["Implementation checklist", "Checklist: Implementation", "Checklist for the implementation"],
  ...["Checklist of implementation", "Checklist de Implementación", "Checklist d'implémentation"],
  ...["Checklist de implementação", "Checklist de la migración", "Checklist di implementazione"],
  ...["✅ Checklist de tareas", "Checklist para el desarrollo", "Checklist - Tasks (week 1)"],
  ...["Checklist per l'implementazione", "Checklist per la migrazione"],
])("rows of %j are the work, wherever it says so", (name) => {
  expect(read(`${PHASES}## ${name}\n${NOUNS}`).tasks).toHaveLength(2)
})

test.each([
  ...["Checklist before the implementation", "Checklist: Implementation review"],
  ...["Checklist antes de la implementación", "Checklist final de implementación"],
  ...["Checklist for the launch", "Checklist: Working pumps", "Checklist de calidad"],
  ...["Checklist per task", "Checklist per feature", "Checklist for each task"],
])("rows of %j are checks", (name) => {
  expect(read(`${PHASES}## ${name}\n${NOUNS}`).tasks).toEqual([])
})

test.each([...["Problem", "Problema", "Problème", "Проблема", "Probleem"]])(
  "%s 1 and 2 are no units of work, below any heading",
  (word) => {
    const two = `### ${word} 1: no key\n\nText.\n\n### ${word} 2: wrong key\n\nText.\n`
    for (const name of ["Problemas conocidos", "FAQ", "Guía"]) {
      expect(read(`# P\n\n## Tasks\n- [x] a\n- [x] b\n\n## ${name}\n\n${two}`).rules).toEqual([])
      expect(addLikeliest(`# P\n\n## ${name}\n\n${two}`, "plan.md").ok).toBe(false)
    }
  },
)

const ofPhases = (middle: string) =>
  `# P\n\n## Phase 1: Dig\n- [x] Dig it\n\n## Phase 2: Line\nPick one.\n\n${middle}\n## Phase 3: Fill\n- [x] Fill it\n`

test("a phase without a row is said", () => {
  expect(read(ofPhases("")).rules).toEqual(["rows-without-box"])
})

test("phases of the criteria are none of the work", () => {
  const judged =
    "## Success criteria\n\n### Phase 1: Dig\n- [x] deep\n\n### Phase 2: Fill\n- [x] full\n"
  expect(read(`# P\n\n## Work\n- [x] Dig it\n\n${judged}`).rules).toEqual([])
})

test.each([
  ...[
    "Verification checklist",
    "4. Verification checklist",
    "4. 验证清单",
    "4. 检查清单",
    "検証チェックリスト",
  ],
  ...["4. Lista de verificación", "Liste de vérification", "4. 검증 체크리스트", "Lista kontrolna"],
])("what is checked below %j comes behind the headings that hold the work", (heading) => {
  const text = `# P\n\n## Plan\n\n### 1. Add the folders\n\nText.\n\n### 2. Move the models\n\nText.\n\n### 3. Update it\n\nText.\n\n### ${heading}\n\n- [ ] All load\n- [ ] No loops\n`
  expect(parsePlan(text).tasks).toEqual([])
})

test("Testing beside headings with rows, in front of a calendar, is a group like those", () => {
  const text =
    "# P\n\n### Backend\n- [ ] 1. a\n\n### Testing\n- [ ] 2. b\n\n## Roadmap\n\n### Week 1: X\n- x\n\n### Week 2: Y\n- y\n"
  expect(read(text).tasks).toEqual(["task:1", "task:2"])
})

test("a release checklist beside a heading with rows, in front of empty phases, is no group", () => {
  const text =
    "# P\n\n### Prerequisites\n- [ ] 1. node\n\n### Release checklist\n- [ ] 2. publish\n\n### Phase 1: X\nx\n\n### Phase 2: Y\ny\n"
  expect(read(text).tasks).toEqual(["task:1"])
})

test("a checklist for the submission is none of the numbered sections that may be work", () => {
  const text = (name: string) =>
    `# P\n\n## 1. Days\n\n### Day 1 — Dig\n- x\n\n### Day 2 — Fill\n- y\n\n## 2. ${name}\n- [ ] T1 Benchmark\n- [ ] T2 Links\n- [ ] T3 Notes\n`
  expect(read(text("Checklist for submission"))).toEqual({
    tasks: [],
    rules: ["no-boxes", "outside-rows"],
  })
  expect(read(text("Migration checklist")).tasks).toEqual(["task:t1", "task:t2", "task:t3"])
})
