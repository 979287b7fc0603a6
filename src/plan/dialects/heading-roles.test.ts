// What a heading says of the lines below it.
import { expect, test } from "bun:test"
import { addBoxes } from "../add-boxes.ts"
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
])("%j tells of what was done", (heading) => {
  expect(tellsWhatWasDone(heading)).toBe(true)
  const text = `# P\n\n## ${heading}\n\n### 1. Dig\n\nw\n\n### 2. Fill\n\nw\n`
  expect(addBoxes(text, "plan.md").ok).toBe(false)
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
  ...["変更", "변경 사항", "Unapplied fixes", "Work breakdown", "Задачи"],
])("%j does not", (heading) => {
  expect(tellsWhatWasDone(heading)).toBe(false)
})
