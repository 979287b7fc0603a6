// Once every box is ticked, work without a box is said: a plan is never complete in silence.
import { expect, test } from "bun:test"
import { addLikeliest } from "../../../test/support/likeliest-boxes.ts"
import { parsePlan } from "../parse-plan.ts"

const RULES: ReadonlySet<string> = new Set(["rows-without-box", "empty-headings"])
const read = (text: string, path = "docs/plans/x.md") => {
  const { state, warnings } = parsePlan(text, { path })
  const said = warnings.filter(({ rule }) => RULES.has(rule))
  return { state, said: said.map(({ line }) => line) }
}
const phases = (kind: string, third: string) =>
  `# P\n\n## ${kind} 1: Parser\n\n- [x] Lexer\n\n## ${kind} 2: Printer\n\n- [x] Pretty\n\n${third}`
const graded = (heading: string) => {
  const text = `# TODO\n\n## ${heading}\n\n- Dark mode\n- Export\n\n## Tests\n\n- [x] Login\n`
  return { name: `bullets below ${heading}`, text, line: 5 }
}

test.each([
  {
    name: "a single phase of prose",
    text: phases("Phase", "## Phase 3: Language server\n\nOnce it ships.\n"),
    line: 11,
  },
  {
    name: "a single milestone of bullets",
    text: phases("Milestone", "## Milestone 3: Server\n\n- Hover\n"),
    line: 11,
  },
  {
    name: "a single phase in a table of phases that are done",
    text: "# P\n\n| Phase | Status |\n|---|---|\n| 1 | Done |\n\n## Phase 1\n\n- [x] a\n\n## Phase 2\n\nLater.\n",
    line: 11,
  },
  {
    name: "bullets below Remaining",
    text: "# TODO\n\n## Done\n\n- [x] Login\n\n## Remaining\n\n- Reset\n- Limits\n",
    line: 9,
  },
  {
    name: "a single bullet below Next steps",
    text: "# P\n\n- [x] Login\n\n## 🚀 Next steps\n\n- Reset\n",
    line: 7,
  },
  {
    name: "signs below Next",
    text: "# P\n\n## Done\n- [x] Lexer\n\n## Next\n- ⏳ Types\n- ❌ Docs\n",
    line: 7,
  },
  {
    name: "bullets with a sign for what is left, wherever they stand",
    text: "# P\n\n- [x] Lexer\n\nThe rest:\n\n* ⏳ Types\n",
    line: 7,
  },
  {
    name: "bullets below 待办",
    text: "# 任务\n\n## 已完成\n- [x] 登录\n\n## 待办\n- 支付\n",
    line: 7,
  },
  {
    name: "numbered headings that speak of issues, tests and requirements",
    text: "# P\n\n- [x] branch\n\n### 1. Fix issues in the parser\n\nw\n\n### 2. Add tests\n\nw\n\n### 3. Update requirements.txt\n",
    line: 5,
  },
  {
    name: "a single numbered row",
    text: "# P\n\n- [x] branch\n\n1. Add the parser\n",
    line: 5,
  },
  {
    name: "bullets of an area without boxes beside one with boxes",
    text: "# P\n\n## Work\n\n### Backend\n- [x] model\n\n### Frontend\n- page\n- form\n",
    line: 9,
  },
  {
    name: "the same in front of it, and beside words of what it is about",
    text: "# P\n\n## Overview\n- a site\n\n## Pond\n- a pump\n\n## Path\n- [x] stones\n\n## Files\n- a.ts\n",
    line: 7,
  },
  ...["High priority", "Low Priority (later)", "Alta prioridad", "Prioridade: média"].map(graded),
  ...["Priorité basse", "Mittlere Priorität", "中优先级", "優先度：低", "우선순위 높음"].map(
    graded,
  ),
  {
    name: "a heading below Backlog in front of criteria and what follows these",
    text: "# P\n\n## Backlog\n\n### Fish\n\nw\n\n## Acceptance criteria\n\n- [x] a\n\n## Work\n\n- [x] b\n",
    line: 5,
  },
  {
    name: "a heading below a priority, and not its bullets",
    text: "# P\n\n- [x] a\n\n## High priority\n\n### 7. Speed\n\nIdeas:\n\n- a cache\n",
    line: 7,
  },
])("$name beside ticks: said", ({ text, line }) => {
  expect(read(text)).toEqual({ state: "complete", said: [line] })
})

test.each([
  { name: "a phase that says it is done", text: phases("Phase", "## Phase 3: Server ✅\n\nw\n") },
  { name: "what is looked at in a phase", text: phases("Phase", "## Phase 2 Verification\n\nw\n") },
  { name: "bullets that say they are done", text: "# P\n\n- [x] a\n\n## Next\n\n- b ✅\n" },
  {
    name: "bullets further in below Remaining whose heading says it is done",
    text: "# P\n\n- [x] a\n\n## Remaining\n\n### Tests ✅\n\n- a.rs: moved\n",
  },
  {
    name: "how priorities are told",
    text: "# P\n\n- [x] a\n\n## Priority levels\n\n- High\n- Low\n\n## Priority order\n\n- a\n",
  },
  { name: "a title that is called so", text: "# TODO\n\nwords:\n\n- why\n\n## Work\n\n- [x] a\n" },
  {
    name: "notes with parts beside a bullet whose parts have boxes",
    text: "# P\n\n- **Work**\n  - [x] a\n- **Notes**\n  - b\n",
  },
  {
    name: "numbered headings of nothing but what stands beside the work",
    text: "# P\n\n- [x] a\n\n## 1. Overview\n\nw\n\n## 2. Known issues\n\nw\n\n## 3. Risks and mitigations\n",
  },
  {
    name: "areas that are fewer with boxes than without",
    text: "# P\n\n## Path\n- [x] stones\n\n## Pond\n- deep\n\n## Wall\n- high\n",
  },
  {
    name: "an area that says it is done, and one where nothing is left",
    text: "# P\n\n## Path\n- [x] stones\n\n## Pond ✅ Done (1 May)\n- deep\n\n## Gate\n- [x] hinge\n\n## Left over\n- None.\n",
  },
  {
    name: "numbered goals and questions in other languages",
    text: "# 计划\n\n## 目标\n1. 快\n2. 稳\n\n## 关键问题\n1. 谁\n2. 何时\n\n## Hintergrund\n1. alt\n2. eng\n\n- [x] 上线\n",
  },
])("$name beside ticks: nothing to speak of", ({ text }) => {
  expect(read(text)).toEqual({ state: "complete", said: [] })
})

test("bullets below Remaining say nothing while a box is open, and get theirs by --add-boxes", () => {
  const text = "# P\n\n- [x] a\n\n## Remaining\n\n- b\n- c\n"
  expect(read(text.replace("[x]", "[ ]")).said).toEqual([])
  const boxed = addLikeliest(text, "PLAN.md")
  expect(boxed.ok && boxed.text).toBe("# P\n\n- [x] a\n\n## Remaining\n\n- [ ] b\n- [ ] c\n")
})

const CHECKS = "## Verification\n\n- [ ] npm test\n- [ ] by hand\n- [ ] docs\n- [ ] lint\n"
const NUMBERED = "# P\n\n## Changes\n\n### 1. Token\n\nw\n\n### 2. Router\n\nw\n\n### 3. Tests\n\n"

test("numbered headings beside as many checks are the work, and each gets a box", () => {
  const { tasks, warnings } = parsePlan(NUMBERED + CHECKS, { path: ".claude/plans/calm-fox.md" })
  expect([tasks.length, warnings.map(({ rule, line }) => [rule, line])]).toEqual([
    0,
    [
      ["no-boxes", 5],
      ["outside-rows", 17],
    ],
  ])
  const boxed = addLikeliest(NUMBERED + CHECKS, ".claude/plans/calm-fox.md")
  expect(boxed.ok && boxed.added.map(({ line }) => line)).toEqual([5, 9, 13])
})

test("checks stay the tasks where the numbered headings hold boxes, or tell of no work", () => {
  const filled = NUMBERED.replaceAll("w\n", "- [ ] w\n")
  expect(parsePlan(filled + CHECKS).tasks.length).toBeGreaterThan(0)
  const told = "# P\n\n## 1. Background\n\nw\n\n## 2. Open questions\n\nw\n\n"
  expect(parsePlan(told + CHECKS).tasks).toHaveLength(4)
})

test("a numbered row of tests among ticks gets its box like the others", () => {
  const boxed = addLikeliest(`${NUMBERED}## Ready\n\n- [x] branch\n`, "PLAN.md")
  expect(boxed.ok && boxed.added.map(({ line }) => line)).toEqual([5, 9, 13])
})

test("a heading that bears its tick at the end gets a tick", () => {
  const boxed = addLikeliest(
    "# P\n\n## Phase 1: Base [x]\n\nw\n\n## Phase 2: Core [ ]\n",
    "PLAN.md",
  )
  expect(boxed.ok && boxed.text).toBe(
    "# P\n\n## [x] Phase 1: Base [x]\n\nw\n\n## [ ] Phase 2: Core [ ]\n",
  )
})

test.each([
  "## Priority (from review)\n1. Locks first\n2. Words next\n",
  "## Learning outcomes\nAfter it you can:\n1. Dig\n2. Fill\n",
  "## 学习成果\n1. 会挖\n2. 会填\n",
  "## 优先级\n1. 锁\n2. 词\n",
  "## 用户确认的决策\n- 形态：卡片\n",
  "## V3 目标\n挖\n\n## V3 决策\n- 用它\n\n## V3 验证记录\n- 通过\n",
  "## 进度跟踪\n- 开始：五月\n",
  "## Rollback plan\n1. Revert the pump\n2. Restore the water\n",
  "## 回滚方案\n1. 撤回\n2. 恢复\n",
  "## Blocked by\n- 43 — Tracer\n",
  "## How to work from this list\n1. Pick the next row\n2. Run the tests\n",
  "## Development methodology\n1. Run the tests\n2. Commit often\n",
  "## Priority key\n- **P0**: the pond is dry\n- **P1**: it leaks\n",
  "## §2 — Architecture decisions\n### D1 — Core first\nx\n### D2 — Data next\nx\n",
  "## Work objectives\n### Core objectives\n1. **Fix the pump** - four parts\n2. **Add a liner** - at once\n",
  "## Work objectives\n### 核心目标\n1. **修复水泵** - 四处\n2. **添加** - 一处\n",
  "## 関連ドキュメント\n- [Guide.md](./Guide.md) - how\n\n1. [A.md](./A.md)\n",
  "## Сценарий добавления бота\n1. Админ пишет\n2. Бот спрашивает\n",
  "**Requirements:**\n- DIG-01\n- DIG-02\n",
  "## Next steps\n1. **Start with Phase 1** (check)\n2. Move to Phase 2\n",
  "## 下一步行动\n1. 完成 Phase 1\n2. 完成 Phase 2：修复\n",
  "## Milestones\n- ✅ **v1 — Base** — (shipped 2026-06-30)\n",
  "## Review\n1. It lists four rows. ✓\n2. It sends them. ✓.\n",
  "## Moved\n1. ~~Login~~ → Phase 1\n2. ~~Limits~~ → Phase 2\n",
  "## V3 Goal\nDig\n\n## V3 Phases\n- [x] Phase 6: Check\n\n## V3 Decisions\n- use it\n",
])("what says no work beside ticks is nothing to speak of: %j", (rest) => {
  const text = `# Plan\n\n## Phases\n- [x] Phase 1: Check\n- [x] Phase 2: Mend\n\n${rest}`
  expect(read(text)).toEqual({ state: "complete", said: [] })
})

test.each([
  ...["Must NOT Have (Guardrails)", "MUST NOT DO", "Guardrails", "Don'ts", "Do not touch"],
  ...["Anti-patterns", "Working agreements", "更新约定", "开发规则", "禁止事项", "作業ルール"],
  ...["작업 규칙", "Regeln", "Reglas", "Правила", "How we work", "開発の進め方", "開発の方針"],
  ...["Standards", "Repository Standards", "Policies", "Coding standards", "Code style"],
  ...["Arbeitsweise", "Cómo trabajamos", "工作方式", "작업 방식", "Как мы работаем"],
])("no sign makes work of what must not be done, or was agreed on: %j", (heading) => {
  const text = `# Plan\n\n## ${heading}\n- ❌ Change the pump\n- ⏳ Docs\n\n1. Ask first.\n2. Write it down.\n\n## TODOs\n- [x] 1. Dig\n`
  expect(read(text)).toEqual({ state: "complete", said: [] })
})

test.each([
  ...[
    "Must have",
    "What is missing",
    "规则引擎",
    "Do not forget",
    "Fix anti-patterns",
    "Regeln umsetzen",
  ],
])("below %j a sign says so", (heading) => {
  const { said } = read(`# Plan\n\n## ${heading}\n- ❌ Pump\n\n## TODOs\n- [x] 1. Dig\n`)
  expect(said).toEqual([4])
})

test.each([
  "- 前端代码: `app/`, `lib/`\n- 后端代码：`api/`\n- 测试跟着代码\n",
  "- **单一项目**: `src/`\n- **网页**: `api/`\n- 按结构调整路径\n",
  "- 不要删除迁移\n- 禁止直接推送\n- 先问\n",
])("a list most of which says what something is, or is not to be done, is no work: %j", (rows) => {
  const text = `# 任务\n\n## 路径\n\n${rows}\n## Phase 1: A\n- [x] T001 挖\n- [x] T002 填\n`
  expect(read(text)).toEqual({ state: "complete", said: [] })
})

test.each(["## V3\n1. Dig\n2. Fill\n", "## 用户\n1. 挖\n2. 填\n"])(
  "work below a name alone is said: %j",
  (rest) => {
    const { said } = read(`# Plan\n\n## Phases\n- [x] Phase 1: Check\n\n${rest}`)
    expect(said).toHaveLength(1)
  },
)

test.each([
  {
    name: "beside ticks",
    text: "## Steps\n- [x] dig\n\n## Acceptance Criteria\n- [x] deep\n- [ ] it runs\n",
    line: 6,
  },
])("open criteria $name are said with their number, and are no tasks", ({ text, line }) => {
  const { tasks, warnings } = parsePlan(text)
  expect(tasks.filter(({ state }) => state === "open")).toEqual([])
  expect(
    warnings.filter(({ rule }) => rule === "ignored-rows").map((each) => [each.line, each.message]),
  ).toEqual([
    [
      line,
      '1 open row below "Acceptance Criteria" is not counted, as under any heading of this name: "it runs".',
    ],
  ])
})

test("a list of contents beside ticks is nothing to speak of, and other numbered rows are", () => {
  const work = "## 1. Dig the hole\n- [x] a\n\n## 2. Fill it again\n- [x] b\n"
  const warned = (list: string) =>
    parsePlan(`# Pond\n\n## Order\n${list}\n\n${work}`).warnings.map(({ rule }) => rule)
  expect(warned("1. Dig the hole\n2. Fill it")).toEqual([])
  expect(warned("1. Dig the hole\n2. Plant it")).toEqual(["rows-without-box"])
})

test("bullets that name a heading with ticked rows tell of it, unless they are said to be left", () => {
  const warned = (list: string) =>
    parsePlan(
      `# Pond\n\n## Phase 1: Dig\n- [x] a\n\n## Phase 2: Fill\n- [x] b\n\n${list}\n`,
    ).warnings.map(({ line, rule }) => [line, rule])
  expect(warned("## Checkpoints\n- Phase 1: [a1b2c3d]\n- **Phase 2:** two days")).toEqual([])
  expect(warned("## Checkpoints\n- Phase 1: [a1b2c3d]\n- Phase 3: Plant")).toEqual([
    [11, "rows-without-box"],
  ])
  expect(warned("## Remaining\n- Phase 2: the second half")).toEqual([[10, "rows-without-box"]])
})

test("numbered rows below a heading that tells more of a row's task are its details", () => {
  const text =
    "# Pond\n\n### 1. Dig\n1. **Stake it out**\n2. **Cut the turf**\n3. **Lift it**\n\n### 2. Fill\nSlowly.\n\n## Progress\n- [ ] Task 1: Dig\n- [ ] Task 2: Fill\n"
  const { tasks, warnings } = parsePlan(text)
  expect([tasks.length, warnings]).toEqual([2, []])
})

test("numbered rows below a phase that a row names, or below its parts, are its details", () => {
  const text =
    "# Pond\n\n## Implementation plan\n- [ ] Phase 1: Dig\n\n### Phase 1: Dig\n\n#### By hand\n1. **Stake it out**\n2. **Cut the turf**\n"
  const { tasks, warnings } = parsePlan(text)
  expect([tasks.length, warnings]).toEqual([1, []])
})

test("checks of a plan whose title has a number stand beside its numbered headings", () => {
  const text =
    "# Task 11: Pond\n\n## Steps\n\n### 1. Dig\nDeep.\n\n### 2. Fill\nSlowly.\n\n## Verification\n- [ ] Fish live\n- [ ] It is clear\n"
  const { tasks, warnings } = parsePlan(text)
  expect(tasks).toEqual([])
  expect(warnings.map(({ rule }) => rule)).toContain("no-boxes")
})

const AREA = (name: string, bullets: string, tasks: string) =>
  read(`# Plan\n\n## ${name}\n${bullets}\n${tasks}`).said

const TASKS = "## Tasks\n- [x] Make it\n- [x] Test it\n"
const PHASES = "## Phase 1: Dig\n- [x] a\n\n## Phase 2: Fill\n- [x] b\n"

test.each([
  { name: "of things beside tasks", bullets: "- The door\n- The frame\n", tasks: TASKS, said: [] },
  { name: "of things beside phases", bullets: "- Postgres 16\n", tasks: PHASES, said: [] },
  {
    name: "that ask, beside tasks",
    bullets: "- Add a table\n- Move it\n",
    tasks: TASKS,
    said: [4],
  },
  { name: "that ask, beside phases", bullets: "- Remove the flag\n", tasks: PHASES, said: [4] },
  {
    name: "that say what something is",
    bullets: "- `events`: kinds of meetings\n- **Slots**: free times\n- **Roles:** of people\n",
    tasks: "## Backend\n- [x] Make it\n",
    said: [],
  },
  {
    name: "that come again, as records do",
    bullets: "- Prueba:\n  - estado: `pass`\n- Prueba:\n  - estado: `pass`\n",
    tasks: "## Tecnicas\n- [x] Make it\n",
    said: [],
  },
  { name: "of an area", bullets: "- Form\n- List\n", tasks: "## Backend\n- [x] a\n", said: [4] },
  {
    name: "that ask for nothing, beside units that are counted",
    bullets: "- The pump is weak\n- The pond is deep\n",
    tasks: "## Chunk 1: Dig\n- [x] a\n\n## PR 2 — Fill\n- [x] b\n\n## Debts\n- [x] c\n",
    said: [],
  },
  {
    name: "that ask for something, beside units that are counted",
    bullets: "- Add a pump\n- Fix the pond\n",
    tasks: "## Chunk 1: Dig\n- [x] a\n\n## PR 2 — Fill\n- [x] b\n\n## Debts\n- [x] c\n",
    said: [4],
  },
])("bullets $name, below a heading without a box: said $said", ({ bullets, tasks, said }) => {
  expect(AREA("Componentes", bullets, tasks)).toEqual([...said])
})

test("of rows beside ticks those that are done are not named", () => {
  const text =
    "# R\n\n## Milestones\n\n- ✅ v1 — Base (shipped)\n- 🚧 v2 — Full\n\n## Phases\n\n- [x] Phase 3: A\n- [x] Phase 4: B\n\n## Phase Details\n\n### Phase 4: B\n\nPlans:\n- [x] 04-01: the switch\n"
  expect(read(text, ".planning/ROADMAP.md").said).toEqual([6])
})

test.each(["Implement coding standards", "Fix the Phase 1 pump", "Rollback the pump"])(
  "below %j numbered rows that ask for work are said",
  (heading) => {
    const { said } = read(
      `# Plan\n\n## ${heading}\n1. Fix the pump\n2. Fix the Phase 1 bug\n\n## TODOs\n- [x] 1. Dig\n`,
    )
    expect(said).toEqual([4])
  },
)

test.each(["Future: a wall", "Nice to have", "Ideas for the garden", "Someday"])(
  "what its author wants one day is not what is left: %j",
  (heading) => {
    const text = `# Plan\n\n## TODOs\n- [x] 1. Dig\n\n## ${heading}\n1. Add a wall\n2. Build a gate\n`
    expect(read(text)).toEqual({ state: "complete", said: [] })
    expect(read(text.replace(heading, "Garden")).said).toHaveLength(1)
  },
)

test("fields of what a part is are none of its rows", () => {
  for (const [status, content] of [
    ["任务状态：完成", "任务内容："],
    ["Status: done", "Content:"],
    ["Task status: done", "Tasks:"],
  ]) {
    const part = `- ${status}\n- ${content}\n    - x\n`
    const text = `# TODO\n\n## A\n${part}\n### Done modules\n- [x] a\n- [x] b\n\n## B\n${part}\n## C\n- ${status}\n\n### Implemented\n- [x] c\n`
    expect(read(text)).toEqual({ state: "complete", said: [] })
  }
})

test.each([
  ...["Next updates", "Próximos pasos", "Prochaines étapes", "Nächste Schritte", "Следующие шаги"],
  ...[
    "다음 단계",
    "待执行的手动步骤",
    "待修复",
    "待实现",
    "الخطوات التالية",
    "Volgende stappen",
    "Kolejne kroki",
  ],
])("a bullet below %j is left once all is ticked", (heading) => {
  expect(read(`# R\n\n- [x] Dig\n- [x] Fill\n\n## ${heading}\n- The depth\n`).said).toEqual([7])
})

test.each(["Notities", "Anteckningar", "Notatki", "Catatan"])("notes are none: %j", (heading) => {
  const work = "## Bugs\n- [x] a\n\n## Server\n- [x] b\n"
  expect(read(`# R\n\n${work}\n## 📝 ${heading}\n\n- A CDN\n`).said).toEqual([])
})
