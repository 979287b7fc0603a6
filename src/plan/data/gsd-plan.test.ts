// GSD's plans: elements in the text.
import { expect, test } from "bun:test"
import { parsePlan } from "../parse-plan.ts"

test("each task has the name and the end of its own element", () => {
  const task = (name: string) => `<task type="auto">\n  <name>${name}</name>\n</task>`
  const text = `# Plan\n\n${task("Task 1: Write a")}\n\nText\n\n${task("Task 2: Write b")}\n\nMore\n`
  const { tasks } = parsePlan(text, { path: ".planning/phases/01-a/01-01-PLAN.md" })
  expect(tasks.map(({ title, line, endLine }) => ({ title, line, endLine }))).toEqual([
    { title: "Write a", line: 3, endLine: 5 },
    { title: "Write b", line: 9, endLine: 11 },
  ])
})

test("one that nothing closes ends where the next begins", () => {
  const text = '<task type="auto">\n<name>A</name>\n\n<task type="auto">\n<name>B</name>\n</task>\n'
  const { tasks } = parsePlan(text, { path: ".planning/phases/01-a/01-01-PLAN.md" })
  expect(tasks.map(({ endLine }) => endLine)).toEqual([3, 6])
})

test("a task may be named by a title", () => {
  const text = '<task id="01.01">\n<title>Dig it</title>\n</task>\n'
  const { tasks } = parsePlan(text, { path: ".planning/phases/01-a/01-01-PLAN.md" })
  expect(tasks.map(({ title }) => title)).toEqual(["Dig it"])
})
