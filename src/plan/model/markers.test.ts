import { expect, test } from "bun:test"
import { parsePlan } from "../parse-plan.ts"
import { meaningOf, stateWord } from "./markers.ts"

test("a state is written as the row's own is: in words and in its case, blanks or not", () => {
  expect(stateWord("pending", "done", [])).toBe("complete")
  expect(stateWord(" PENDING ", "done", [])).toBe("COMPLETE")
  expect(stateWord("in progress", "in_progress", [])).toBe("in progress")
  expect(stateWord("PENDING", "done", ["x", "DONE", "Completed"])).toBe("DONE")
  expect(stateWord("DOING", "done", [])).toBe("COMPLETE")
  expect(stateWord("blocked", "done", [])).toBeNull()
  expect(stateWord("x", "done", [])).toBeNull()
})

test.each(["✅", "✔️", "✔", "☑", "☑️", "√"])("a box that holds %s is done", (sign) => {
  expect(meaningOf(sign, [])).toEqual({ state: "done" })
  const { tasks, warnings } = parsePlan(`- [x] a\n- [${sign}] b\n- [ ] c\n`)
  expect([tasks.map(({ state }) => state), warnings]).toEqual([["done", "done", "open"], []])
})

test.each([
  { name: "among boxes", text: "- [x] a\n- [S] b\n- [ ] c\n", is: ["done", "open", "open"] },
  {
    name: "of the legend",
    text: "Legend: [ ] open, [S] skipped\n\n- [S] b\n\n## More\n\n- [ ] c\n",
    is: ["cancelled", "open"],
  },
  { name: "among other letters", text: "- [ ] a\n\n## Sizes\n\n- [S] b\n- [M] c\n", is: ["open"] },
  { name: "behind another bullet", text: "- [ ] a\n* [S] b\n", is: ["open"] },
  { name: "in front of a box", text: "- [ ] [S] a\n- [x] [M] b\n", is: ["open", "done"] },
])("a capital letter in brackets is a marker or a tag: $name", ({ text, is }) => {
  expect(parsePlan(text).tasks.map(({ state }) => state)).toEqual([...is] as never)
})

test("a capital letter that nobody knows is said, and is not run", () => {
  const { tasks, warnings } = parsePlan("- [x] a\n- [S] b\n- [ ] c\n")
  expect(tasks.map(({ runnable }) => runnable)).toEqual([false, false, true])
  expect(warnings.map(({ line, rule }) => [line, rule])).toEqual([[2, "unknown-marker"]])
})
