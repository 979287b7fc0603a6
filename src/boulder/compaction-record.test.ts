import { describe, expect, test } from "bun:test"
import { aWork } from "../../test/support/builders.ts"
import { resumed } from "./change-work.ts"
import { goesInCircles, recordCompaction } from "./compaction-record.ts"

/** In a turn that is none of the user's own. */
const OF_WORK = { isUsersTurn: false }
/** A work after compactions, each with the tasks that were settled when it ended. */
const after = (...settled: readonly number[]) =>
  settled.reduce((work, count) => recordCompaction(count, OF_WORK)(work), aWork())

describe("compactions in a row", () => {
  test.each([
    { name: "none", settled: [], now: 0, epoch: 0, is: false },
    { name: "one", settled: [0], now: 0, epoch: 1, is: false },
    { name: "one of a work with settled tasks", settled: [5], now: 5, epoch: 1, is: false },
    { name: "two with nothing settled between", settled: [5, 5], now: 5, epoch: 2, is: true },
    { name: "a task settled between", settled: [5, 6], now: 6, epoch: 2, is: false },
    { name: "a task settled since", settled: [5, 5], now: 6, epoch: 2, is: false },
    { name: "a task opened again between", settled: [5, 4], now: 4, epoch: 2, is: true },
    { name: "two, a task, and one more", settled: [5, 5, 6], now: 6, epoch: 3, is: false },
    { name: "two, a task, and two more", settled: [5, 5, 6, 6], now: 6, epoch: 4, is: true },
  ])("$name", ({ settled, now, epoch, is }) => {
    const work = after(...settled)
    expect(work.compactions.epoch).toBe(epoch)
    expect(goesInCircles(work, now)).toBe(is)
  })
  test("one in a turn of the user's own is counted, and is no circle", () => {
    const once = recordCompaction(5, OF_WORK)(aWork())
    const asked = recordCompaction(5, { isUsersTurn: true })(once)
    expect(asked.compactions).toEqual({ epoch: 2, settled_at_last: 5, in_a_row: 1 })
    expect(goesInCircles(asked, 5)).toBe(false)
    expect(goesInCircles(recordCompaction(5, OF_WORK)(asked), 5)).toBe(true)
  })
  test("a work that a person has set going again begins anew", () => {
    const work = resumed(after(5, 5), "2026-11-21T12:00:00.000Z")
    expect(goesInCircles(work, 5)).toBe(false)
    const once = recordCompaction(5, OF_WORK)(work)
    expect(goesInCircles(once, 5)).toBe(false)
    expect(goesInCircles(recordCompaction(5, OF_WORK)(once), 5)).toBe(true)
    expect(once.compactions.epoch).toBe(3)
  })
})
