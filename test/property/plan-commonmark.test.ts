import { expect, test } from "bun:test"
import { tests } from "commonmark-spec"
import fc from "fast-check"
import { remark, scan } from "../support/both-readings.ts"

const CASES = 1_500
const EXAMPLES: readonly string[] = tests.map(({ markdown }) => markdown.replaceAll("→", "\t"))
const ITEM = /^([ \t>]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)+)(?=\S)/gm
const WITH_BOXES = EXAMPLES.map((text) => text.replace(ITEM, "$1[ ] "))

test("CommonMark has its 652 examples, and lists in them", () => {
  expect(EXAMPLES).toHaveLength(652)
  expect(WITH_BOXES.filter((text, at) => text !== EXAMPLES[at]).length).toBeGreaterThan(80)
})

test.each([
  { what: "as they are", texts: EXAMPLES },
  { what: "with a box in every list item", texts: WITH_BOXES },
])("the linear scanner reads CommonMark's examples as remark does, $what", ({ texts }) => {
  expect(texts.filter(differs)).toEqual([])
})

test("it reads random concatenations of them as remark does", () => {
  const piece = fc.constantFrom(...EXAMPLES, ...WITH_BOXES)
  const border = fc.constantFrom("", "\n", "- [ ] a\n", "  ", "> ")
  const text = fc
    .array(fc.tuple(piece, border), { minLength: 2, maxLength: 4 })
    .map((parts) => parts.flat().join(""))
  fc.assert(
    fc.property(text, (whole) => {
      expect<unknown>(scan(whole)).toEqual(remark(whole))
    }),
    { numRuns: Number(process.env["PLAN_CASES"] ?? CASES) },
  )
})

function differs(text: string): boolean {
  return JSON.stringify(scan(text)) !== JSON.stringify(remark(text))
}
