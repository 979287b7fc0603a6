// In a plan that has tasks: which units beside them hold work, and which tell how it is done.
import { describe, expect, test } from "bun:test"
import { addLikeliest } from "../../../test/support/likeliest-boxes.ts"
import { parsePlan } from "../parse-plan.ts"

/** The lines that are offered a box. */
function offered(text: string): readonly number[] {
  const boxed = addLikeliest(text, "PLAN.md")
  return boxed.ok ? boxed.added.map(({ line }) => line) : []
}

const rulesOf = (text: string) => parsePlan(text).warnings.map(({ rule }) => rule)

describe("what is listed below units that have no box is named by the units", () => {
  const text = (unit: string, rows = "1. Open it\n2. Click on it\n3. Close it\n") =>
    `# P\n\n## To do\n\n### ${unit} 1: Make it\n\n${rows}\n### ${unit} 2: Add it\n\n${rows}\n## Rollout\n\n- [ ] Make it\n- [ ] Add it\n- [ ] Push it\n`
  test.each(["Step", "Phase", "Task"])("%s 1", (unit) => {
    expect(offered(text(unit))).toEqual([5, 11])
    expect(rulesOf(text(unit))).toEqual(["empty-headings"])
    expect(offered(text(unit).replaceAll("[ ]", "[x]"))).toEqual([5, 11])
  })
  test("but rows that say more than their place in a list are work themselves", () => {
    const rows = "- T1: a\n- T2: b\n- T3: c\n"
    const ids = `# P\n\n### Step 1: Make it\n\n${rows}\n### Step 2: Add it\n\n${rows.replaceAll("T", "U")}\n## Rollout\n\n- [x] a\n`
    expect(offered(ids)).toEqual([5, 6, 7, 11, 12, 13])
  })
  test("and so are rows below a unit beside others whose rows have boxes", () => {
    const phases = "# P\n\n## Phase 1: A\n\n- [x] a\n\n## Phase 2: B\n\n1. Write b\n2. Add c\n"
    expect(offered(phases)).toEqual([9, 10])
  })
  test("a list all of which is done is none of what is left", () => {
    const done = "## Base\n\n1. ✅ a\n2. ✅ b\n3. ✅ c\n4. ✅ d\n\n"
    const all = text("Step").replace("## To do", `${done}## To do`)
    expect(offered(all)).toEqual([12, 18])
  })
})

describe("units of which a list of the work has the rows tell how it is done", () => {
  const details = [
    "## Phase 1: Account setup (Day 1)\n\n### 1.1 Create it\n\n- Sign up\n",
    "## Phase 2: Basic rules\n\n#### Rule 1: Login\n\nFive.\n\n#### Rule 2: Orders\n\nTen.\n",
    "## Phase 3: Rollout\n\n### Week 1: Simulate\n\nText.\n\n### Week 2: Enforce\n\n1. Ban\n",
  ].join("\n")
  const list = (heading: string) =>
    `\n## ${heading}\n\n### Phase 1: Setup\n\n- [ ] a\n- [ ] b\n\n### Phase 2: Rules\n\n- [ ] c\n- [ ] d\n\n### Phase 3: Rollout\n\n- [ ] e\n`
  test.each(["Checklist", "Tasks", "Implementation steps"])("%s", (heading) => {
    for (const box of ["[ ]", "[x]"]) {
      const text = `# P\n\n${details}${list(heading)}`.replaceAll("[ ]", box)
      expect(rulesOf(text)).not.toContain("empty-headings")
      expect(rulesOf(text)).not.toContain("rows-without-box")
    }
  })
  test("but not those of another title, or of a number that the list has not", () => {
    const other = `# P\n\n${details.replace("Rollout", "Alerts")}${list("Checklist")}`
    expect(offered(other.replaceAll("[ ]", "[x]"))).not.toEqual([])
    const more = `# P\n\n${details}\n## Phase 4: Alerts\n\nText.\n${list("Checklist")}`
    expect(offered(more.replaceAll("[ ]", "[x]"))).toEqual([
      more.split("\n").indexOf("## Phase 4: Alerts") + 1,
    ])
  })
  test("nor those of two parts of the work", () => {
    const part = (name: string, row: string) =>
      `## ${name}\n\n### Phase 1: Dig\n\n${row}\n\n### Phase 2: Build\n\n${row}\n\n`
    expect(rulesOf(`# P\n\n${part("Pond", "- [x] a")}${part("Wall", "Text.")}`)).toContain(
      "empty-headings",
    )
  })
})
