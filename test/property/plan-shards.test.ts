import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { readFrontMatter } from "../../src/plan/data/front-matter.ts"
import { splitLines } from "../../src/plan/model/lines.ts"
import { parsePlan } from "../../src/plan/parse-plan.ts"
import { printShard } from "../../src/plan/print-shard.ts"
import { shardPlan, tasksOf } from "../../src/plan/shard-plan.ts"

const BOXES = [" ", "x", "~", "-", "/"]
const detail = fc.constantFrom(
  "",
  "  What to do: it\n",
  "  - [ ] a part of it\n",
  "  ```\n  - [ ] 9. no task\n  ```\n",
)
const section = fc.array(fc.tuple(fc.constantFrom(...BOXES), detail), {
  minLength: 1,
  maxLength: 30,
})
const sections = fc.array(section, { minLength: 1, maxLength: 5 })
const size = fc.integer({ min: 10, max: 15 })
type Sections = readonly (readonly (readonly [box: string, detail: string])[])[]

function textOf(all: Sections): string {
  let label = 0
  const parts = all.map((rows, at) => {
    const lines = rows.map(([box, below]) => {
      label += 1
      return `- [${box}] ${label}. Task ${label}\n${below}`
    })
    return `### Part ${at + 1}\n\n${lines.join("")}\n`
  })
  return `# Plan\n\n## TODOs\n\n${parts.join("")}`
}

const cutOf = (all: Sections, wanted: number) => {
  const { tasks } = parsePlan(textOf(all))
  return shardPlan(tasks, wanted).map((shard) => ({
    number: shard.number,
    keys: tasksOf(tasks, shard).map(({ key }) => key),
  }))
}

describe("however a plan is cut", () => {
  test("every task stands in one shard, in the plan's order, and their sizes are 10 to 15 where that can be", () => {
    fc.assert(
      fc.property(sections, size, (all, wanted) => {
        const { tasks } = parsePlan(textOf(all))
        const cut = cutOf(all, wanted)
        expect(cut.flatMap(({ keys }) => keys)).toEqual(tasks.map(({ key }) => key))
        expect(cut.map(({ number }) => number)).toEqual(cut.map((_, at) => at + 1))
        const sizes = cut.map(({ keys }) => keys.length)
        for (const length of sizes.slice(0, -1)) {
          expect(length).toBeGreaterThanOrEqual(10)
          expect(length).toBeLessThanOrEqual(15)
        }
        const canBeWhole = tasks.length >= 20
        if (canBeWhole) expect(sizes.at(-1)).toBeGreaterThanOrEqual(10)
        expect(sizes.at(-1)).toBeLessThanOrEqual(15)
      }),
      { numRuns: 500 },
    )
  })
  test("no tick moves a task into another shard", () => {
    fc.assert(
      fc.property(sections, size, fc.constantFrom(...BOXES), (all, wanted, box) => {
        const marked = all.map((rows) => rows.map(([, below]) => [box, below] as const))
        expect(cutOf(marked, wanted)).toEqual(cutOf(all, wanted))
      }),
      { numRuns: 200 },
    )
  })
  test("tasks added at the end leave all shards as they are that begin 35 tasks before it", () => {
    fc.assert(
      fc.property(sections, section, size, (all, more, wanted) => {
        const total = all.flat().length
        let begins = 0
        const firm = cutOf(all, wanted).filter(({ keys }) => {
          const isFirm = total - begins >= 35
          begins += keys.length
          return isFirm
        })
        expect(cutOf([...all, more], wanted).slice(0, firm.length)).toEqual(firm)
      }),
      { numRuns: 300 },
    )
  })
  test("the file of a shard says its tasks' keys and hashes, and reads as these tasks with their marks", () => {
    fc.assert(
      fc.property(sections, size, (all, wanted) => {
        const text = textOf(all)
        const { tasks } = parsePlan(text)
        const shards = shardPlan(tasks, wanted)
        for (const shard of shards) {
          const own = tasksOf(tasks, shard)
          const planPath = ".boulder/plans/a: b.md"
          const file = printShard({
            planPath,
            shard,
            count: shards.length,
            lines: splitLines(text),
            tasks,
            isOfRows: true,
          }).text
          const { data, body } = headOf(file)
          expect(data).toEqual({
            plan: planPath,
            shard: shard.number,
            shards: shards.length,
            tasks: own.map(({ key, titleHash }) => ({ key, title_hash: titleHash })),
          })
          const said = ({ key, title, state }: (typeof tasks)[number]) => `${key} ${title} ${state}`
          expect(parsePlan(`## TODOs\n${body}`).tasks.map(said)).toEqual(own.map(said))
        }
      }),
      { numRuns: 200 },
    )
  })
})

function headOf(file: string) {
  const end = file.indexOf("\n---\n", 4) + 5
  return { data: readFrontMatter(splitLines(file)).data, body: file.slice(end) }
}
