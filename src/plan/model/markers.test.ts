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
