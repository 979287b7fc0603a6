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
  { what: "objects", name: "tasks.json", text: `{"tasks":[${"{},".repeat(200_001)}{}]}` },
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
  ])("$what are read", ({ text }) =>
    withFolder(async (root) => {
      await writeFile(join(root, "plan.md"), text)
      expect((await openPlanFiles({ root, now: Date.now }).read("plan.md")).kind).toBe("read")
    }),
  )
})
