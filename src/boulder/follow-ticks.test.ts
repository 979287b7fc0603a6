// Which tasks with a recorded session are ticked, and whose tick was taken back.
import { expect, test } from "bun:test"
import { aPlan, aTask, aTaskSession, aWork } from "../../test/support/builders.ts"
import { followTicks } from "./follow-ticks.ts"

const [one, other] = [aTask({ label: "1", state: "done" }), aTask({ label: "2" })]
const sessions = { [one.key]: aTaskSession(one), [other.key]: aTaskSession(other) }
const follow = followTicks(aPlan([one, other]))

test("a tick is kept with its own session, though the others stay as they are", () => {
  const work = follow(aWork({ task_sessions: sessions }))
  expect(work.task_sessions[one.key]?.ticked).toBe(true)
  expect(work.task_sessions[other.key]).toEqual(aTaskSession(other))
  expect(follow(work)).toBe(work)
})
