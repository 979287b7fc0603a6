import { expect, test } from "bun:test"
import { stateWord } from "./markers.ts"

test("a state is written as the row's own is: in words and in its case, blanks or not", () => {
  expect(stateWord("pending", "done", [])).toBe("complete")
  expect(stateWord(" PENDING ", "done", [])).toBe("COMPLETE")
  expect(stateWord("in progress", "in_progress", [])).toBe("in progress")
  expect(stateWord("PENDING", "done", ["DONE", "Completed"])).toBe("Completed")
  expect(stateWord("x", "done", [])).toBeNull()
})
