import { describe, expect, test } from "bun:test"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { withFolder } from "../../../test/support/store-folder.ts"
import { openPlanFiles } from "./plan-files.ts"
import { markTaskInPlan } from "./write-plan.ts"

const MARK = { key: "todo:1", titleHash: "x", state: "done", note: null } as const
const ROWS = 50_000

const TOO_MUCH = [
  { what: "lines", name: "plan.md", text: "- [ ] a\n".repeat(2_000_000) },
  {
    what: "rows and headings",
    name: "plan.md",
    text: `${"- [ ] a\n".repeat(ROWS)}- [ ] one too many\n`,
  },
  { what: "rows and headings", name: "plan.md", text: `- [ ] a\n${"  - [ ] b\n".repeat(ROWS)}` },
  {
    what: "rows and headings",
    name: "plan.md",
    text: `${"> ".repeat(3)}${"1. [x] a\r".repeat(ROWS + 1)}`,
  },
  { what: "rows and headings", name: "01-PLAN.md", text: "<task>a</task>".repeat(ROWS + 1) },
  { what: "lines", name: "plan.md", text: "\n".repeat(16_000_000) },
  { what: "lines", name: "plan.md", text: "# a\n".repeat(250_001) },
  { what: "lines", name: "plan.md", text: "\r".repeat(250_001) },
  { what: "rows and headings", name: "plan.md", text: "### Task 1: a\n".repeat(ROWS + 1) },
  { what: "values", name: "tasks.json", text: `{"tasks":[${"{},".repeat(375_001)}{}]}` },
  { what: "values", name: "tasks.json", text: `{"tasks":[${"[],".repeat(5_000_000)}{}]}` },
  { what: "values", name: "tasks.json", text: `{"tasks":[${"1,".repeat(7_000_000)}{}]}` },
] as const

describe("a plan of more than is read", () => {
  test.each(TOO_MUCH)(
    "$what of $name are counted, and neither read nor marked",
    ({ what, name, text }) =>
      withFolder(async (root) => {
        await writeFile(join(root, name), text)
        const message = expect.stringMatching(
          new RegExp(
            `^Expected a plan at ${name}; it has \\d+ ${what}: split it, at most \\d+ are read\\.$`,
          ),
        )
        const reading = await openPlanFiles({ root, now: Date.now }).read(name)
        expect(reading).toEqual({ kind: "unavailable", message })
        expect(await markTaskInPlan(root, name, MARK)).toEqual({ kind: "refused", message })
      }),
  )

  test.each([
    { what: "as many rows as are read", text: "- [ ] a\n".repeat(ROWS) },
    { what: "as many lines as are read", text: `- [ ] a\n${"\n".repeat(249_998)}` },
    { what: "boxes in text, which are no rows", text: `- [ ] a\n${"x [ ] y [z]\n".repeat(ROWS)}` },
    { what: "10,000 tasks of JSON with sub-tasks", name: "tasks.json", text: manyTasks(10_000) },
  ])("$what are read", ({ text, name = "plan.md" }) =>
    withFolder(async (root) => {
      await writeFile(join(root, name), text)
      expect((await openPlanFiles({ root, now: Date.now }).read(name)).kind).toBe("read")
    }),
  )
})

/** Tasks as Task Master writes them: two dependencies, three sub-tasks, some sentences of prose. */
function manyTasks(count: number): string {
  const subtask = (id: number) => ({
    id,
    title: `Step ${id}`,
    description: "Do this part, then look at it.",
    dependencies: [1],
    details: "With care, and tests.",
    status: "pending",
  })
  const task = (id: number) => ({
    id,
    title: `Implement the importer of part ${id}`,
    description: "Read the file, check each row, and write what is wrong into a report.",
    details: "Stream it, keep at most 100 rows, stop at the first error. Test empty, short, long.",
    testStrategy: "Unit tests for each row type, one integration test.",
    priority: "high",
    dependencies: [Math.max(0, id - 1), Math.max(0, id - 2)],
    status: "pending",
    subtasks: [1, 2, 3].map(subtask),
  })
  return JSON.stringify({ tasks: Array.from({ length: count }, (_, at) => task(at + 1)) })
}
