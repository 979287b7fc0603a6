import { describe, expect, test } from "bun:test"
import { aPlan, aTask, at, aWork, CHILD } from "../../test/support/builders.ts"
import type { Task } from "../plan/model/plan.ts"
import { windowOf } from "./window.ts"

const keys = (tasks: readonly Task[], size = 3, work = aWork()) =>
  windowOf(aPlan(tasks), work, size).map((task) => task.key)
const open = (label: string, given: Partial<Omit<Task, "label">> = {}) => aTask({ label, ...given })
const f1 = aTask({ label: "F1", section: "final-wave", state: "done", runnable: false })
const rejection = {
  [f1.key]: { title_hash: f1.titleHash, verdict: "reject" as const, session_id: CHILD, at: at(-9) },
}

describe("the window is the first tasks that can be worked on now", () => {
  test.each([
    {
      name: "in the plan's order, no more than its size",
      tasks: ["1", "2", "3", "4"].map((label) => open(label)),
      window: ["todo:1", "todo:2", "todo:3"],
    },
    {
      name: "without settled ones",
      tasks: [open("1", { state: "done" }), open("2", { state: "cancelled" }), open("3")],
      window: ["todo:3"],
    },
    {
      name: "without blocked ones",
      tasks: [open("1", { state: "blocked" }), open("2")],
      window: ["todo:2"],
    },
    {
      name: "with what is in progress",
      tasks: [open("1", { state: "in_progress" }), open("2")],
      window: ["todo:1", "todo:2"],
    },
    {
      name: "without tasks that wait for others or have an unknown marker",
      tasks: [open("1", { runnable: false }), open("2")],
      window: ["todo:2"],
    },
    {
      name: "without optional ones while required ones can run",
      tasks: [open("1", { optional: true }), open("2")],
      window: ["todo:2"],
    },
    {
      name: "with optional ones where no required one can run",
      tasks: [open("1", { state: "blocked" }), open("2", { optional: true })],
      window: ["todo:2"],
    },
    { name: "empty where nothing can run", tasks: [open("1", { state: "blocked" })], window: [] },
    { name: "empty for a plan without tasks", tasks: [], window: [] },
  ])("$name", ({ tasks, window }) => {
    expect(keys(tasks)).toEqual([...window])
  })
  test("with a row of the wave that was ticked though rejected, until it is approved", () => {
    expect(keys([f1], 3, aWork({ final_wave: rejection }))).toEqual(["final-wave:f1"])
  })
  test.each([
    { name: "open", state: "open" as const, window: ["todo:1"] },
    { name: "blocked", state: "blocked" as const, window: ["todo:2"] },
    { name: "done", state: "done" as const, window: ["final-wave:f1"] },
    { name: "cancelled", state: "cancelled" as const, window: ["final-wave:f1"] },
  ])(
    "with the wave behind all that it is to judge: a task before it is $name",
    ({ state, window }) => {
      const wave = open("F1", { section: "final-wave" })
      const later = open("2", { optional: true })
      expect(keys([open("1", { state }), wave, later])).toEqual([...window])
    },
  )
  describe("in the wave by what is to be done first", () => {
    const rows = ["F1", "F2", "F3", "F4"].map((label) => open(label, { section: "final-wave" }))
    const back = (
      label: string,
      verdict: "pass" | "reject",
      given: { outdated?: boolean } = {},
    ) => {
      const { key, titleHash } = open(label, { section: "final-wave" })
      return [key, { title_hash: titleHash, verdict, session_id: CHILD, at: at(-9), ...given }]
    }
    test.each([
      {
        name: "reviewed rows behind all others, so that none is left out",
        final_wave: [back("F1", "pass"), back("F2", "pass"), back("F3", "pass")],
        window: ["f4", "f1", "f2"],
      },
      {
        name: "a rejected row before the others: its fix is next",
        final_wave: [back("F1", "pass"), back("F3", "reject")],
        window: ["f3", "f2", "f4"],
      },
      {
        name: "one to run again among those that were never run, whatever it has said",
        final_wave: [
          back("F2", "reject", { outdated: true }),
          back("F3", "pass", { outdated: true }),
          back("F4", "reject"),
        ],
        window: ["f4", "f1", "f2"],
      },
      {
        name: "as the plan has them where all are reviewed",
        final_wave: ["F1", "F2", "F3", "F4"].map((label) => back(label, "pass")),
        window: ["f1", "f2", "f3"],
      },
    ])("$name", ({ final_wave, window }) => {
      const work = aWork({ final_wave: Object.fromEntries(final_wave) })
      expect(keys(rows, 3, work)).toEqual(window.map((row) => `final-wave:${row}`))
    })
  })
  test("as large as asked", () => {
    expect(keys([open("1"), open("2")], 1)).toEqual(["todo:1"])
  })
})
