import { expect, test } from "bun:test"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { addBoxes, offeredLines } from "../../src/plan/boxes/add-boxes.ts"
import { parsePlan } from "../../src/plan/parse-plan.ts"

/** Every choice can be taken as it is offered: just its lines become tasks beside the others; and one warning tells of choices. */

/** Rules whose warnings tell of lines that lack a box. */
const LACKING = new Set(["rows-without-box", "no-boxes"])

function expectOne(text: string, path: string): void {
  const { tasks, warnings } = parsePlan(text, { path })
  const rules = warnings.flatMap(({ rule }) => (LACKING.has(rule) ? [rule] : []))
  expect(new Set(rules).size).toBe(rules.length)
  const offers = offeredLines(text, path)
  for (const { lines, count } of offers) {
    const boxed = addBoxes(text, path, lines)
    expect(boxed.ok && boxed.added.length).toBe(count)
    if (boxed.ok) expect(parsePlan(boxed.text, { path }).tasks).toHaveLength(tasks.length + count)
  }
}

const FOLDERS = [
  join(import.meta.dir, "../fixtures/plans"),
  join(import.meta.dir, "../../../shared/corpus"),
]
const plans = FOLDERS.filter(existsSync).flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => ({ folder, name })),
)

test.each(plans)("of $name", ({ folder, name }) => {
  const text = readFileSync(join(folder, name), "utf8")
  expectOne(text, name)
  // Settled, it tells of more; without a box, of all.
  expectOne(text.replaceAll("[ ]", "[x]"), name)
  expectOne(text.replaceAll(/\[[ x]\] /g, ""), name)
})

const heading = fc
  .tuple(
    fc.constantFrom("## ", "### ", "# ", "", "## [ ] ", "### [x] "),
    fc.constantFrom(
      ...["Phase 1: Dig", "Phase 2: Fill", "Phase 3: End", "Task 1: Dig", "Task 2: Fill", "1. Dig"],
      ...["2. Fill", "Tasks", "TODOs", "Remaining", "Completed", "Release checklist", "Risks"],
      ...["Acceptance criteria", "Pumps", "T-001: Dig", "T-002: Fill", "Steps", "Testing", "Later"],
      ...[
        "Week 1: Dig",
        "Week 2",
        "Day 1-2: Fill",
        "Day 15",
        "Wave 1",
        "Wave 2",
        "Milestone 1: Fish",
      ],
    ),
    fc.constantFrom("", "", "\n---", "\n**Status:** done", "\nwords", " ✅"),
  )
  .map((parts) => `${parts.join("")}\n\n`)
const list = fc
  .tuple(
    fc.constantFrom(
      "- ",
      "1. ",
      "- [ ] ",
      "- [x] ",
      "2. [ ] ",
      "- [ ] T00",
      "- T00",
      "[ ] ",
      "  - ",
    ),
    fc.array(fc.constantFrom("1 dig", "2 fill", "add a door", "3. look", "1.1 mark"), {
      minLength: 1,
      maxLength: 4,
    }),
  )
  .map(([mark, rows]) => `${rows.map((row) => `${mark}${row}`).join("\n")}\n\n`)

test("of random plans", () => {
  const front = fc.constantFrom("", "", "", "---\nid: a\nstatus: Done\ncreated_date: '1'\n---\n")
  const pieces = fc.array(fc.oneof(heading, list), { minLength: 1, maxLength: 9 })
  fc.assert(
    fc.property(front, pieces, (first, parts) => expectOne(first + parts.join(""), "plan.md")),
    { numRuns: 800 },
  )
})
