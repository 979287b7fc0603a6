import { describe, expect, test } from "bun:test"
import { aPlan, aTask, at, aWork, CHILD } from "../../test/support/builders.ts"
import type { Work } from "../boulder/boulder.ts"
import type { Task } from "../plan/model/plan.ts"
import { isWaveApproved, unsettledTasks, waveStatus, workedOn } from "./final-wave.ts"

const f1 = aTask({ label: "F1", section: "final-wave" })
const f2 = aTask({ label: "F2", section: "final-wave" })
const row = (
  task: Task,
  verdict: "pass" | "reject" = "pass",
  seconds = -9,
): Work["final_wave"] => ({
  [task.key]: { title_hash: task.titleHash, verdict, session_id: CHILD, at: at(seconds) },
})
const old = (rows: Work["final_wave"]): Work["final_wave"] =>
  Object.fromEntries(Object.entries(rows).map(([key, one]) => [key, { ...one, outdated: true }]))
const ticked = (task: Task): Task => ({ ...task, state: "done", runnable: false })
const status = (tasks: readonly Task[], final_wave: Work["final_wave"]) =>
  waveStatus(aPlan(tasks), aWork({ final_wave }))
const both = { ...row(f1), ...row(f2) }

describe("a wave is back when every required row came back without a rejection", () => {
  test.each([
    { name: "no row at all", tasks: [aTask({ label: "1" })], rows: {}, ready: false },
    { name: "no row delegated", tasks: [f1, f2], rows: {}, ready: false },
    { name: "one of two", tasks: [f1, f2], rows: row(f1), ready: false },
    { name: "both", tasks: [f1, f2], rows: both, ready: true },
    { name: "both, ticked", tasks: [ticked(f1), ticked(f2)], rows: both, ready: true },
    {
      name: "ticked without ever being delegated",
      tasks: [ticked(f1), ticked(f2)],
      rows: {},
      ready: false,
    },
    {
      name: "one ticked without a review, the other reviewed",
      tasks: [ticked(f1), f2],
      rows: row(f2),
      ready: true,
    },
    {
      name: "one ticked without a review, the other rejected",
      tasks: [ticked(f1), f2],
      rows: row(f2, "reject"),
      ready: false,
    },
    {
      name: "a rejection in a result",
      tasks: [f1, f2],
      rows: { ...row(f1), ...row(f2, "reject") },
      ready: false,
    },
    {
      name: "a rejection in the plan's text",
      tasks: [f1, { ...f2, rejected: true }],
      rows: both,
      ready: false,
    },
    {
      name: "an optional row is left",
      tasks: [f1, { ...f2, optional: true }],
      rows: row(f1),
      ready: true,
    },
    {
      name: "a cancelled row is left",
      tasks: [f1, { ...f2, state: "cancelled" as const }],
      rows: row(f1),
      ready: true,
    },
    {
      name: "a row reworded since",
      tasks: [f1, { ...f2, titleHash: "0badcafe" }],
      rows: both,
      ready: false,
    },
  ])("$name: $ready", ({ tasks, rows, ready }) => {
    expect(status(tasks, rows).ready).toBe(ready)
  })
})

describe("an approval holds for one wave and no other", () => {
  const before = status([f1, f2], both).fingerprint
  test.each([
    {
      name: "ticking its rows leaves it the same",
      tasks: [ticked(f1), ticked(f2)],
      rows: both,
      same: true,
    },
    {
      name: "a row that ran again is another",
      tasks: [f1, f2],
      rows: { ...row(f1), ...row(f2, "pass", 5) },
      same: false,
    },
    {
      name: "another verdict is another",
      tasks: [f1, f2],
      rows: { ...row(f1), ...row(f2, "reject") },
      same: false,
    },
    {
      name: "a row reworded is another",
      tasks: [f1, { ...f2, titleHash: "0badcafe" }],
      rows: both,
      same: false,
    },
    {
      name: "a third row is another",
      tasks: [f1, f2, aTask({ label: "F3", section: "final-wave" })],
      rows: both,
      same: false,
    },
    {
      name: "another task is another: it was not there to be reviewed",
      tasks: [aTask({ label: "1" }), f1, f2],
      rows: both,
      same: false,
    },
    {
      name: "an optional task leaves it the same",
      tasks: [{ ...aTask({ label: "1" }), optional: true }, f1, f2],
      rows: both,
      same: true,
    },
  ])("$name", ({ tasks, rows, same }) => {
    expect(status(tasks, rows).fingerprint === before).toBe(same)
  })
})

describe("an approval is of the tasks that the plan had", () => {
  const [one, two] = [aTask({ label: "1" }), aTask({ label: "2" })]
  const before = status([one, two, f1, f2], both).fingerprint
  test.each([
    { name: "ticking a task leaves it the same", tasks: [ticked(one), two], same: true },
    { name: "so does another order", tasks: [two, one], same: true },
    { name: "and another number", tasks: [{ ...one, key: "todo:7", label: "7" }, two], same: true },
    { name: "one more is another", tasks: [one, two, aTask({ label: "3" })], same: false },
    {
      name: "one reworded is another",
      tasks: [one, { ...two, titleHash: "0badcafe" }],
      same: false,
    },
  ])("$name", ({ tasks, same }) => {
    expect(status([...tasks, f1, f2], both).fingerprint === before).toBe(same)
  })
})

describe("what is still to be done", () => {
  const left = (tasks: readonly Task[], given: Partial<Work> = {}) =>
    unsettledTasks(aPlan(tasks), aWork(given)).map((task) => task.key)
  const rejected = { ...row(f1), ...row(f2, "reject") }
  test("all that the plan leaves open, blocked ones too", () => {
    const tasks = [
      aTask({ label: "1", state: "done" }),
      aTask({ label: "2", state: "cancelled" }),
      aTask({ label: "3", state: "blocked" }),
      aTask({ label: "4" }),
    ]
    expect(left(tasks)).toEqual(["todo:3", "todo:4"])
  })
  test("a ticked row whose result said VERDICT: REJECT", () => {
    expect(left([ticked(f1), ticked(f2)], { final_wave: rejected })).toEqual(["final-wave:f2"])
  })
  test("a ticked row whose own text says so", () => {
    expect(left([ticked(f1), { ...ticked(f2), rejected: true }])).toEqual(["final-wave:f2"])
  })
  test("unless the user has approved this very wave", () => {
    const tasks = [ticked(f1), ticked(f2)]
    const { fingerprint } = status(tasks, rejected)
    expect(left(tasks, { final_wave: rejected, approved_wave: fingerprint })).toEqual([])
    expect(left(tasks, { final_wave: rejected, approved_wave: "0badcafe" })).toEqual([
      "final-wave:f2",
    ])
  })
})

test("a wave is approved by its own approval: not by none, and not by that of other verdicts", () => {
  const plan = aPlan([f1, f2])
  const { fingerprint } = status([f1, f2], both)
  const isApproved = (approved_wave: string | null, final_wave = both) =>
    isWaveApproved(plan, aWork({ final_wave, approved_wave }))
  expect(isApproved(fingerprint)).toBe(true)
  expect(isApproved(null)).toBe(false)
  expect(isApproved("0badcafe")).toBe(false)
  expect(isApproved(fingerprint, { ...row(f1), ...row(f2, "pass", -3) })).toBe(false)
})

test.each([
  { name: "both are new", rows: both },
  { name: "one of them is old already", rows: { ...row(f1), ...old(row(f2)) } },
])("a task that is worked on makes old what reviewers have passed: $name", ({ rows }) => {
  const task = aTask({ label: "1" })
  const plan = aPlan([task, f1, f2])
  const worked = workedOn(plan, task, "call")(aWork({ final_wave: rows }))
  expect(waveStatus(plan, worked).outdated).toEqual([f1, f2])
})
