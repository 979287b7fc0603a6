import { expect, test } from "bun:test"
import { addLikeliest } from "../../../test/support/likeliest-boxes.ts"
import { parsePlan } from "../parse-plan.ts"

const LINKS = "1. [Ground](#ground)\n2. [Add plants](#add-plants)\n3. **[Fish](#fish)**\n"
const PARTS = "## Ground\n\nClay.\n\n## Add plants\n\nReeds.\n\n## Fish\n\nCarp.\n"

const offered = (text: string) => {
  const boxes = addLikeliest(text, "plan.md")
  return boxes.ok ? boxes.added.map(({ line }) => line) : []
}

test.each([
  { where: "below Contents", head: "# Pond\n\n## Contents\n\n" },
  { where: "below the title", head: "# Pond\n\n" },
  { where: "below a title of work", head: "# Implementation plan\n\n" },
])("links to a plan's own headings $where are no work", ({ head }) => {
  const text = `${head}${LINKS}\n${PARTS}`
  expect(offered(text)).toEqual([])
  expect(offered(text.replaceAll(/^\d\./gm, "-"))).toEqual([])
  const done = `${text}\n## Tasks\n\n- [x] Dig\n`
  expect(parsePlan(done)).toMatchObject({ state: "complete", warnings: [] })
})

test("what stands below them is offered", () => {
  const text = `# Pond\n\n## Contents\n\n${LINKS}\n## Way\n\n1. Add the ground\n2. Fill it\n`
  expect(offered(text)).toEqual([11, 12])
})

test("links to elsewhere are work", () => {
  const elsewhere = LINKS.replaceAll("(#", "(./").replaceAll("/fish", "/fish.md#fish")
  expect(offered(`# Pond\n\n## Tasks\n\n${elsewhere}`)).toEqual([5, 6, 7])
  expect(offered(`# Pond\n\n1. Add [ground](#ground)\n2. Add [plants](#plants)\n`)).toEqual([3, 4])
})
