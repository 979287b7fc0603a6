import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { FORMATS } from "../../src/plan/formats.ts"
import { markTask } from "../../src/plan/mark-task.ts"
import { parsePlan } from "../../src/plan/parse-plan.ts"

const DOCUMENT = new URL("../../docs/PLAN-FORMATS.md", import.meta.url)
const section = readFileSync(DOCUMENT, "utf8").split("\n## An example of each\n")[1] ?? ""
const examples = [...section.matchAll(/^```(\S+)(?: (\S+))?\n([\s\S]*?)^```$/gm)].map(
  ([, name = "", path, text = ""]) => ({ name, text, options: path === undefined ? {} : { path } }),
)
/** The first has no task; the second is a single one, and has nothing beside it that is done. */
const UNSHOWN: ReadonlySet<string> = new Set(["beads", "backlog-task"])
const READ = FORMATS.filter(({ name }) => !UNSHOWN.has(name))

describe("the example of each format in PLAN-FORMATS.md", () => {
  test("is there", () => {
    expect(examples.map(({ name }) => name)).toEqual(READ.map(({ name }) => name))
  })
  test.each(examples)("$name: is told, read without a warning, and marked", (example) => {
    const { name, text, options } = example
    const plan = parsePlan(text, options)
    expect({ dialect: plan.dialect, state: plan.state, warnings: plan.warnings }).toEqual({
      dialect: name,
      state: "open",
      warnings: [],
    })
    expect(plan.counts.done).toBe(1)
    const { next } = plan
    const marked = next === null ? { ok: false as const } : markTask(text, next, "done")
    if (!marked.ok) throw new Error(JSON.stringify(marked))
    expect(parsePlan(marked.text, options).counts.done).toBe(2)
  })
})
