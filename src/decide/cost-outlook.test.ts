import { describe, expect, test } from "bun:test"
import { aPlan, aTask } from "../../test/support/builders.ts"
import type { Cost } from "../boulder/cost.ts"
import { costOutlook } from "./cost-outlook.ts"

const usd = (dollars: number): Cost => ({ usd: dollars, unpriced_tokens: 0 })
const tasks = ["1", "2", "3", "4", "5", "6"].map((label, index) =>
  aTask({ label, state: index < 3 ? "done" : "open", optional: label === "6" }),
)
const plan = aPlan(tasks)
const key = (label: string) => `todo:${label}`
const settled = [1, 2, 3].map((label) => [key(`${label}`), usd(1)] as const)

describe("what a plan will have cost at its end", () => {
  test("each task left costs what a settled one has, the lead's part included; optional ones are none", () => {
    expect(costOutlook({ cost: usd(6), plan, doneAtStart: null }, new Map(settled))).toEqual({
      usd: 10,
      usdATask: 2,
      settledTasks: 3,
      tasksLeft: 2,
    })
  })
  test("what a begun task has cost is no settled one's", () => {
    const begun = new Map([...settled, [key("4"), usd(3)] as const])
    expect(costOutlook({ cost: usd(9), plan, doneAtStart: null }, begun)?.usd).toBe(10)
  })
  test("tasks that the lead has settled itself count, those settled before the start do not", () => {
    const own = { cost: usd(6), plan }
    expect(costOutlook({ ...own, doneAtStart: 0 }, new Map())).toMatchObject({
      usd: 10,
      settledTasks: 3,
    })
    expect(costOutlook({ ...own, doneAtStart: 1 }, new Map())).toBeNull()
    expect(costOutlook({ ...own, doneAtStart: 3 }, new Map())).toBeNull()
  })
  test("tasks that a person cancels make the rest no cheaper", () => {
    const states = ["done", "done", "done", "cancelled", "cancelled", "open"] as const
    const left = aPlan(states.map((state, index) => aTask({ label: `${index + 1}`, state })))
    const asDone = { cost: usd(6), plan: left, doneAtStart: 0 }
    expect(costOutlook(asDone, new Map())).toMatchObject({ usd: 8, usdATask: 2, tasksLeft: 1 })
  })
  test("it is never less than what was spent", () => {
    const begun = new Map([...settled, [key("4"), usd(90)] as const])
    expect(costOutlook({ cost: usd(93), plan, doneAtStart: null }, begun)?.usd).toBe(93)
  })
  test.each([
    { name: "two settled tasks", cost: usd(6), known: settled.slice(1) },
    { name: "no price", cost: { usd: 0, unpriced_tokens: 9 }, known: settled },
    { name: "nothing delegated", cost: usd(6), known: [] },
  ])("nothing is said of $name", ({ cost, known }) => {
    expect(costOutlook({ cost, plan, doneAtStart: null }, new Map(known))).toBeNull()
  })
})
