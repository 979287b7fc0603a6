import { describe, expect, test } from "bun:test"
import { aPlan, aTask, aTaskSession, at, aWork } from "../../test/support/builders.ts"
import type { Task } from "../plan/model/plan.ts"
import { departing } from "./departing.ts"

/** Tasks `todo:1` on; `open` are left to do. */
function tasks(count: number, ...open: readonly number[]): Task[] {
  return Array.from({ length: count }, (_, index) =>
    aTask({ label: String(index + 1), state: open.includes(index + 1) ? "open" : "done" }),
  )
}

/** A work that has recorded a session for each task, one second after the other. */
function recorded(all: readonly Task[]) {
  const sessions = all.map((task, index) => [
    task.key,
    aTaskSession(task, { updated_at: at(index) }),
  ])
  return aWork({ task_sessions: Object.fromEntries(sessions) })
}

/** Shards of so many tasks, however few. */
const inShards = (all: readonly Task[], shardSize: number) => ({
  shardSize,
  shards: Array.from({ length: Math.ceil(all.length / shardSize) }, (_, at) => ({
    number: at + 1,
    first: at * shardSize,
    length: shardSize,
  })),
})

const keys = (all: readonly Task[]) => new Set(all.map((task) => task.key))

describe("task sessions leave", () => {
  test("when their shard is closed, and no sooner", () => {
    const all = tasks(8, 6)
    const { sessions } = departing(aPlan(all), recorded(all), inShards(all, 3))
    expect(sessions).toEqual(keys([...all.slice(0, 3), ...all.slice(6)]))
  })

  test("when more than a shard's worth of settled ones stays behind in open shards, the oldest", () => {
    const all = tasks(9, 3, 6, 9)
    const { sessions } = departing(aPlan(all), recorded(all), inShards(all, 3))
    expect(sessions).toEqual(new Set(["todo:1", "todo:2", "todo:4"]))
  })

  test("when more than a shard's worth of tasks has vanished from the plan, the oldest", () => {
    const all = tasks(10, 1, 2, 3, 4, 5)
    const { sessions } = departing(
      aPlan(all.slice(0, 5)),
      recorded(all),
      inShards(all.slice(0, 5), 3),
    )
    expect(sessions).toEqual(new Set(["todo:6", "todo:7"]))
  })

  test("of open tasks only beyond 128, the oldest", () => {
    const all = tasks(130, ...Array.from({ length: 130 }, (_, index) => index + 1))
    const { sessions } = departing(aPlan(all), recorded(all), inShards(all, 12))
    expect(sessions).toEqual(new Set(["todo:1", "todo:2"]))
  })

  test("never of a ticked row of the wave that was rejected", () => {
    const row = aTask({ label: "F1", section: "final-wave", state: "done", rejected: true })
    const all = [...tasks(2), row]
    expect(departing(aPlan(all), recorded(all), inShards(all, 3)).sessions).toEqual(new Set())
    const passed = [...tasks(2), { ...row, rejected: false }]
    expect(departing(aPlan(passed), recorded(passed), inShards(passed, 3)).sessions).toEqual(
      keys(passed),
    )
  })
})

test("outcomes of the wave leave when more than a shard's worth has vanished from the plan", () => {
  const row = aTask({ label: "F1", section: "final-wave" })
  const outcome = { title_hash: row.titleHash, verdict: "pass", session_id: null } as const
  const labels = ["f1", "f2", "f3", "f4", "f5"]
  const final_wave = Object.fromEntries(
    labels.map((label, index) => [`final-wave:${label}`, { ...outcome, at: at(index) }]),
  )
  const all = [...tasks(1), row]
  const { wave } = departing(aPlan(all), aWork({ final_wave }), inShards(all, 3))
  expect(wave).toEqual(new Set(["final-wave:f2"]))
})
