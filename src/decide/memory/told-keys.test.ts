import { describe, expect, test } from "bun:test"
import { aWork } from "../../../test/support/builders.ts"
import { asRead, keysOf, keysTold, keysToldLast, withKeys } from "./told-keys.ts"

const work = aWork({ active_plan: "plans/demo.md" })
const keysAs = (titleHash: string) => ({
  plan: "plans/demo.md",
  tasks: [{ key: "todo:1", titleHash }],
})
const [first, second, third] = [keysAs("a"), keysAs("b"), keysAs("c")]

test("the first keys that are told count at once", () => {
  expect(keysTold(withKeys(null, { keys: first, at: 5 }), work)).toEqual(first.tasks)
})

describe("keys that are told behind others", () => {
  const told = withKeys(withKeys(null, { keys: first, at: null }), { keys: second, at: 5 })
  test("count from the first message that begins behind them", () => {
    expect(keysTold(told, work)).toEqual(first.tasks)
    expect(keysToldLast(told, work)).toEqual(second.tasks)
    expect(asRead(told, { createdAt: 4, at: 9 })).toBe(told)
    expect(asRead(told, { createdAt: 5, at: 9 })).toBe(told)
    expect(keysTold(asRead(told, { createdAt: 6, at: 9 }), work)).toEqual(second.tasks)
  })
  test("wait on where a later look finds the same, and the last that are told are meant", () => {
    const again = withKeys(told, { keys: third, at: null })
    expect(keysTold(again, work)).toEqual(first.tasks)
    expect(keysTold(asRead(again, { createdAt: 6, at: 9 }), work)).toEqual(third.tasks)
    expect(keysToldLast(withKeys(told, { keys: third, at: 7 }), work)).toEqual(third.tasks)
  })
  test("count at once where they name the same tasks and nothing waits", () => {
    expect(
      keysTold(
        withKeys(withKeys(null, { keys: first, at: null }), { keys: second, at: null }),
        work,
      ),
    ).toEqual(second.tasks)
  })
})

describe("of another plan", () => {
  const other = aWork({ active_plan: "plans/other.md" })
  const others = { plan: "plans/other.md", tasks: third.tasks }
  const told = withKeys(withKeys(null, { keys: first, at: null }), { keys: second, at: 5 })
  test("nothing is known where its keys were not told, and a look tells none", () => {
    expect([keysTold(told, other), keysToldLast(told, other)]).toEqual([null, []])
    expect(withKeys(told, { keys: others, at: null })).toBe(told)
    expect(keysTold(null, other)).toEqual([])
  })
  test("they count from the first message that begins behind them, and those before until then", () => {
    const both = withKeys(told, { keys: others, at: 8 })
    expect([keysTold(both, work), keysTold(both, other)]).toEqual([first.tasks, null])
    expect(keysToldLast(both, other)).toEqual(third.tasks)
    const read = asRead(both, { createdAt: 9, at: 9 })
    expect([keysTold(read, work), keysTold(read, other)]).toEqual([null, third.tasks])
  })
})

test("behind a restart the window is what was told", () => {
  const known = keysOf(aWork({ current_window: ["todo:1", "todo:2"], window_titles: ["a"] }))
  expect(known.tasks).toEqual([
    { key: "todo:1", titleHash: "a" },
    { key: "todo:2", titleHash: null },
  ])
})

test("nothing was told, and nothing is read", () => {
  expect(asRead(null, { createdAt: 6, at: 9 })).toBeNull()
})
