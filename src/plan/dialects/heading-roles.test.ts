// What a heading says of the lines below it.
import { expect, test } from "bun:test"
import { addLikeliest } from "../../../test/support/likeliest-boxes.ts"
import { parsePlan } from "../parse-plan.ts"
import { tellsWhatWasDone } from "./heading-roles.ts"

test.each([
  ...["Changes made", "Changes executed", "Executed changes", "Applied changes", "Fixes applied"],
  ...[
    "Changes implemented",
    "✅ 2. Work performed",
    "Already applied fixes (May)",
    "Code edits made",
  ],
  ...["Cambios ejecutados", "Cambios realizados", "Mejoras ya aplicadas", "Alterações realizadas"],
  ...["Modifications effectuées", "Modifiche apportate", "Durchgeführte Änderungen"],
  ...["Внесённые изменения", "Выполненные задачи", "已执行的修改", "已完成的修改", "已实施的变更"],
  ...["実施した変更", "完了したタスク", "적용된 변경 사항", "완료된 작업"],
  ...["Hecho", "Feito", "Erledigt", "Готово", "✅ Done", "已完成 (2026)"],
  ...["Verified on 2026-07-26", "Verified 2026-07-26", "Completed on 2026-07-26", "Tested"],
  ...["[v0.1] — 2026-06-05", "v0.1 - 2026-06-05", "[0.1.0]", "1.2.0 (2026-06-05)", "Changelog"],
  ...[
    "Release notes",
    "History",
    "更新日志",
    "変更履歴",
    "변경 이력",
    "Histórico",
    "История изменений",
  ],
])("%j tells of what was done", (heading) => {
  expect(tellsWhatWasDone(heading)).toBe(true)
  const text = `# P\n\n## ${heading}\n\n### 1. Dig\n\nw\n\n### 2. Fill\n\nw\n`
  expect(parsePlan(text).warnings[0]?.message).toStartWith("2 headings tell of what was done ")
})

test.each([
  ...["Changes", "Changes to be made", "Planned changes", "Implementation", "Work", "To do"],
  ...[
    "Changes not made",
    "Steps",
    "Cambios",
    "Cambios por realizar",
    "Änderungen",
    "修改",
    "执行的修改",
  ],
  ...["変更", "변경 사항", "Unapplied fixes", "Work breakdown", "Задачи", "v0.2", "0.2 Base"],
  ...["Changelog page", "History of orders", "Verified badge", "Version 2 — 2026"],
])("%j does not", (heading) => {
  expect(tellsWhatWasDone(heading)).toBe(false)
})

test.each(["[v0.1] — 2026-06-05", "v0.1 - 2026-06-05", "Changelog", "Shipped"])(
  "the rows of %s are never left to do",
  (heading) => {
    const rows = "- **1.2 — Dig:** was dug\n- **1.1 — Fill:** filled\n"
    const text = `# Log\n\n## ${heading}\n\n### Details\n${rows}\n## Wave 1\n- [x] 2.1 Wall\n- [x] 2.2 Path\n`
    expect(parsePlan(text).warnings).toEqual([])
    const [warning] = parsePlan(`# Log\n\n## ${heading}\n${rows}`).warnings
    expect(warning?.message).toStartWith("2 bullets tell of what was done")
  },
)

test.each(["Usage", "Installation"])("rows of %s get no box", (heading) => {
  const rows = "1. アプリを起動する\n2. Add a pond to the list\n"
  expect(addLikeliest(`# 池\n\n## ${heading}\n\n${rows}`, "plan.md").ok).toBe(false)
})

test.each([
  ...["Umsetzungsplan", "Implementationsplan", "Uitvoeringsplan", "Maßnahmen", "Arbeitspakete"],
  ...["Önerilen sıra", "Uygulama planı", "Stappenplan", "Acciones", "Åtgärder", "Tasks"],
])("rows of %s get boxes", (heading) => {
  const text = `# P\n\n## Zielbild\n- Ein Teich\n\n## ${heading}\n1) **Loch**: tief\n2) **Wasser**: voll\n`
  const boxed = addLikeliest(text, "plan.md")
  expect(boxed.ok && boxed.added.map(({ line }) => line)).toEqual([7, 8])
})

test.each([
  ...["✅ Recommended plan", "✅ Roadmap", "☑️ Next steps", "**✔ Implementation steps**", "✅ Plan"],
  ...["✅ 推荐实施方案", "✅ Plan de acción"],
])("a check sign adorns %j: what stands below it is open", (heading) => {
  const units = `## ${heading}\n\n### Phase 1: Front\n\n1. A form\n\n### Phase 2: Back\n\n1. A route\n`
  for (const more of ["", "## Login\n\n- [x] Page\n\n"]) {
    const boxed = addLikeliest(`# Site\n\n${more}${units}`, "plan.md")
    expect(boxed.ok && boxed.text.match(/^### \[.\]/gm)).toEqual(["### [ ]", "### [ ]"])
  }
  const rows = `# Site\n\n- [x] Page\n\n## ${heading}\n\n1. Create a form\n2. Change a route\n`
  const boxed = addLikeliest(rows, "plan.md")
  expect(boxed.ok && boxed.text).toEndWith("1. [ ] Create a form\n2. [ ] Change a route\n")
})

test.each(["✅ Phase 1: Plan", "✅ Fix the task queue", "✅ 2. Plan", "Plan ✅", "✅ Plan (done)"])(
  "%j was done",
  (heading) => {
    const rows = `# Site\n\n- [x] Page\n\n## ${heading}\n\n1. Create a form\n2. Change a route\n`
    const boxed = addLikeliest(rows, "plan.md")
    expect(boxed.ok && boxed.text.includes("[ ]")).toBe(false)
  },
)
