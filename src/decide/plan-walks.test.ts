import { expect, test } from "bun:test"
import { aPlan, aTask, aTaskSession, at, aWork } from "../../test/support/builders.ts"
import { heldUp } from "../boulder/blocked-tasks.ts"
import { checkpointText } from "../boulder/checkpoint.ts"
import { followTicks } from "../boulder/follow-ticks.ts"
import { heldReading } from "../boulder/held-plan.ts"
import { findAgain, movedSince } from "../plan/match-tasks.ts"
import { noteTicked } from "../plan/model/once-a-reading.ts"
import type { Plan, Task } from "../plan/model/plan.ts"
import { printShard } from "../plan/print-shard.ts"
import { shardOf, shardPlan } from "../plan/shard-plan.ts"
import { captureTask } from "./capture-task.ts"
import { departing } from "./departing.ts"
import { waveNews } from "./final-wave.ts"
import { askHolds } from "./hold-ticks.ts"
import { progressOf } from "./progress.ts"
import { limitedTasks, tasksLimitNow } from "./provider-says.ts"
import { waitingIn, windowOf } from "./window.ts"

const TASKS = 2_000

/** A plan half done, with a wave, that counts how often a task is taken out of its list; each task may wait for one before it. */
function countedPlan(doWait = false): { readonly plan: Plan; readonly looks: () => number } {
  let looks = 0
  const tasks = Array.from({ length: TASKS }, (_, index) =>
    aTask({
      label: String(index + 1),
      ...(index < TASKS / 2 ? { state: "done", marker: "x", runnable: false } : {}),
      section: index > TASKS - 4 ? "final-wave" : "todo",
      dependsOn: doWait && index > 4 ? [`todo:${index - 4}`] : [],
    }),
  )
  const plan = aPlan(tasks)
  const counted = new Proxy(plan.tasks, {
    get(target, name, receiver) {
      if (typeof name === "string" && /^\d+$/.test(name)) looks += 1
      return Reflect.get(target, name, receiver)
    },
  })
  return { plan: { ...plan, tasks: counted }, looks: () => looks }
}

test("what a hook asks of a plan that it has seen does not walk through it again", () => {
  const { plan, looks } = countedPlan()
  const task = plan.tasks[TASKS / 2] as Task
  const work = aWork({ task_sessions: { [task.key]: aTaskSession(task) } })
  const again = aTaskSession(task, { rework: { results: 1, blocked: false } })
  const reworked = aWork({ task_sessions: { [task.key]: again } })
  const asked = {
    captured: () =>
      captureTask(plan, work, { description: `${task.key} do it`, prompt: "", resumes: null }),
    labelled: () =>
      captureTask(plan, work, { description: "Task 7: do it", prompt: "", resumes: null }),
    window: () => windowOf(plan, work, 5),
    waiting: () => waitingIn(plan, work, [task]),
    limited: () => tasksLimitNow(plan, work, Date.parse(at(0))),
    wave: () => waveNews(plan, work),
    departing: () => {
      const shards = shardPlan(plan.tasks, 12)
      return [departing(plan, work, { shards, shardSize: 12 }), shardOf(plan.tasks, shards, task)]
    },
    heldUp: () => heldUp(plan),
    limits: () => limitedTasks({ kind: "read", plan }, work, Date.parse(at(0))),
    checkpoint: () =>
      checkpointText({
        ...{ seq: 1, reason: "checkpoint-due", work, plan, planHash: "", window: [] },
        ...{ contextTokens: 0, taskState: null, at: at(0) },
      }),
    again: () => findAgain(plan, task),
    ticks: () => followTicks(plan)(work),
    held: () => heldReading({ kind: "read", plan }, work),
    holds: () => askHolds(plan)(work),
    progress: () => progressOf(plan, reworked, { tree: null, writes: [] }),
    shard: () => {
      const [shard] = shardPlan(plan.tasks, 12).slice(-1)
      if (shard === undefined) throw new Error("Expected a shard.")
      const { tasks } = plan
      return printShard({ planPath: "p.md", shard, count: 1, lines: [], tasks, isOfRows: true })
    },
  }
  const first = Object.entries(asked).map(([name, ask]) => [name, ask()] as const)
  const seen = looks()
  const walks = Object.entries(asked).map(([name, ask]) => {
    const before = looks()
    expect(ask()).toEqual(first.find(([one]) => one === name)?.[1] as never)
    return [name, looks() - before] as const
  })
  expect(walks.filter(([, count]) => count > 50)).toEqual([])
  expect(seen).toBeLessThan(20 * TASKS)
})

test("what waits for the tasks of a window is not looked for in the whole plan", () => {
  const { plan, looks } = countedPlan(true)
  const work = aWork({})
  const window = windowOf(plan, work, 5)
  expect(waitingIn(plan, work, window).length).toBeGreaterThan(0)
  const before = looks()
  waitingIn(plan, work, window)
  expect(looks() - before).toBeLessThan(100)
})

test("what ticks leave as it was is not looked for in the plan again", () => {
  const [{ plan: told }, { plan, looks }] = [countedPlan(), countedPlan()]
  noteTicked(plan.tasks, told.tasks)
  const before = looks()
  expect(movedSince(told.tasks, plan)).toEqual([])
  expect(looks() - before).toBe(0)
})
