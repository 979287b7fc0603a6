import { expect, test } from "bun:test"
import { aPlan, aTask, aWork } from "../../test/support/builders.ts"
import type { Task } from "../plan/model/plan.ts"
import { recordReading } from "./record-reading.ts"

const done = (task: Task): Task => ({ ...task, state: "done", runnable: false })
const [one, two] = [aTask({ label: "1" }), aTask({ label: "2" })]
const fingerprint = { hash: "0badcafe", size: 1, mtime_ms: 1 }

const blockedAfter = (tasks: readonly Task[], blocked: Record<string, string>) => {
  const plan = aPlan(tasks)
  const reading = { plan, fingerprint, window: [], activeShard: 0 }
  return recordReading(reading)(aWork({ blocked, plan_fingerprint: fingerprint })).blocked
}

test("a block ends with its task, be it the only one or one of several", () => {
  const [first, second] = ["hnd_0000000000000001", "hnd_0000000000000002"]
  expect(blockedAfter([done(one), two], { [one.key]: first })).toEqual({})
  const both = { [one.key]: first, [two.key]: second }
  expect(blockedAfter([done(one), two], both)).toEqual({ [two.key]: second })
  expect(blockedAfter([one, two], both)).toEqual(both)
})
