import { expect, test } from "bun:test"
import { hashTitle } from "../model/title.ts"
import { parsePlan } from "../parse-plan.ts"

const ROWS = ["Draw", "Write", "Check"].map((words) => `- [ ] ${words}\n`).join("")

test.each([
  { row: "S3 uploads", title: "S3 uploads" },
  { row: "**I18n** — nine languages", title: "I18n — nine languages" },
  { row: "E2E tests", title: "E2E tests" },
  { row: "V1 rendered a helmet", title: "V1 rendered a helmet" },
  { row: "EC2: the machine", title: "the machine" },
  { row: "[AI-12] the machine", title: "the machine" },
  { row: "T1. the machine", title: "the machine" },
  { row: "3. the machine", title: "the machine" },
])("a technical word stays in the title of $row", ({ row, title }) => {
  const { tasks } = parsePlan(`${ROWS}- [ ] ${row}\n`)
  expect(tasks.at(-1)?.title).toBe(title)
})

test.each([`${ROWS}- [ ] S3 uploads\n- [ ] S4 downloads\n`, "- [ ] S3 uploads\n"])(
  "an id of a series, or among rows with ids, is none: %j",
  (text) => {
    expect(parsePlan(text).tasks.find(({ key }) => key === "task:s3")?.title).toBe("uploads")
  },
)

test("what a run has stored of such a row stays valid: its key and its title's hash are as they were", () => {
  const { tasks } = parsePlan(`${ROWS}- [ ] S3 uploads\n`)
  const { key, label, titleHash } = tasks.at(-1) ?? {}
  expect([key, label, titleHash]).toEqual(["task:s3", "S3", hashTitle("uploads")])
})
