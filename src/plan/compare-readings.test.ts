import { describe, expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { readWithRemark } from "./blocks/remark-reading.ts"
import { compareReadings, warnOfPlan, warnOfShard } from "./compare-readings.ts"
import { splitLines } from "./model/lines.ts"
import { parsePlan } from "./parse-plan.ts"

const FIXTURES = join(import.meta.dir, "../../test/fixtures/plans")
const plans = readdirSync(FIXTURES, { recursive: true, encoding: "utf8" }).filter((name) =>
  name.endsWith(".md"),
)

test.each(plans)("both readings of %s are one", (name) => {
  expect(compareReadings(readFileSync(join(FIXTURES, name), "utf8"), readWithRemark)).toEqual([])
})

const CODE = "x\n\n    - [ ] a\n    b\n\n"

test.each([
  { what: "rows without end", text: "- [ ] a\n".repeat(2_000) },
  { what: "one long line", text: `- [ ] ${"[a](".repeat(300)}` },
  { what: "deep nesting", text: `${"- ".repeat(50)}a\n` },
  { what: "many blocks that nothing closes", text: "<!-- a\n".repeat(5) },
])("a text with $what is not compared", ({ text }) => {
  expect(compareReadings(text, readWithRemark)).toBeNull()
})

test.each([
  { what: "ordinary rows", text: "- [ ] a\n\n", rounds: 1 },
  { what: "indented code", text: CODE.repeat(50), rounds: 2 },
  { what: "code in items", text: `- [ ] a\n${"\n      b\n      c\n".repeat(50)}`, rounds: 2 },
  { what: "open fences", text: `${CODE.repeat(9)}\`\`\`a\n${CODE}\`\`\`b\n${CODE}`, rounds: 4 },
])("remark reads $what in $rounds rounds", ({ text, rounds }) => {
  expect(readWithRemark(text, rounds)).not.toBeNull()
  expect(readWithRemark(text, rounds - 1)).toBeNull()
})

test.each([
  { fence: 0, opener: 3, begins: "begins" },
  { fence: 2, opener: 3, begins: "begins" },
  { fence: 2, opener: 4, begins: "does not begin" },
])(
  "an opener $opener columns in, behind a row, $begins a fence anew that is $fence in",
  ({ fence, opener, begins }) => {
    const [own, other] = [" ".repeat(fence), " ".repeat(opener)]
    const text = `${own}\`\`\`js\n- [ ] a\n${other}\`\`\`text\nx\n${own}\`\`\`\n\n- [ ] b\n`
    const rows = begins === "begins" ? [2, 7] : [7]
    expect(readWithRemark(text)?.rows.map(({ line }) => line)).toEqual(rows)
    expect(compareReadings(text, readWithRemark)).toEqual([])
  },
)

test.each(["-\t[ ] a\n    - [ ] b\n", "1.\t[ ] a\n    - [ ] b\n", ">\t- [ ] a\n>\t\t- [ ] b\n"])(
  "a tab reaches to the next column of four, in both readings: %j",
  (text) => expect(compareReadings(text, readWithRemark)).toEqual([]),
)

test("remark takes no notice of what stands within a line", () => {
  const { rows } = readWithRemark(`- [ ] ${"[a](".repeat(30_000)}`, 1) ?? { rows: [] }
  expect(rows.length).toBe(1)
})

describe("a shard that is read a second time", () => {
  const text = `# Plan\n\n## TODOs\n\n${"- [ ] One\n- [ ] Two\n  - [ ] Part\n- [ ] Three\n".repeat(4)}`
  const lines = splitLines(text)
  const { tasks } = parsePlan(text)
  const shard = tasks.slice(4)

  test("gives no warning where remark agrees", () => {
    expect(warnOfShard(lines, shard, readWithRemark)).toEqual([])
    expect(warnOfPlan(lines, tasks, 12)).toEqual([])
  })

  test("gives a warning with the line of the plan where it does not", () => {
    const blind: typeof readWithRemark = (given, rounds) => {
      const read = readWithRemark(given, rounds)
      return read === null ? null : { ...read, rows: read.rows.filter(({ line }) => line !== 2) }
    }
    const [warning, ...more] = warnOfShard(lines, shard, blind)
    expect(more).toEqual([])
    expect(warning).toMatchObject({
      line: (shard[0]?.line ?? 0) + 1,
      rule: "grammar-differs",
      message: "remark reads this line otherwise than the scanner does: please report it",
    })
  })

  test("of tasks without lines, as JSON plans have, is none", () => {
    const json = parsePlan(
      JSON.stringify({ tasks: [{ id: 1, title: "One", status: "pending" }] }),
      {
        path: "tasks.json",
      },
    )
    expect(warnOfShard([], json.tasks, readWithRemark)).toEqual([])
  })
})
