import { expect, test } from "bun:test"
import { aPlan, aTask, aTaskSession, at, aWork, LEAD } from "../../test/support/builders.ts"
import type { Work } from "../boulder/boulder.ts"
import type { CheckRun } from "../boulder/proof-entry.ts"
import { interruptDispatch, openDispatch } from "../boulder/record-dispatch.ts"
import { withoutSetbacks } from "../boulder/setbacks.ts"
import { checkSetbacks, turnedDownBetween } from "./check-setbacks.ts"

const checks = [{ command: "npm test", line: 3 }]
const [one, two] = [aTask({ label: "1", checks }), aTask({ label: "2", checks })] as const
const failedAt = (seconds: number): CheckRun => ({
  ...{ kind: "run", at: at(seconds), session: LEAD, task: null, check: "npm test" },
  ...{ outcome: "failed", exit: 1, tree: null },
})
const setbacks = ({ task_sessions: kept }: Work) =>
  Object.values(kept).map(({ task_key: key, setbacks: all = [] }) => `${key} ${all.length}`)

test("behind an unblock the run that has failed counts no more, and the next result's does", () => {
  const count = checkSetbacks(aPlan([one]), [failedAt(10)])
  const failed = count(aWork({ task_sessions: { [one.key]: aTaskSession(one) } }))
  expect(setbacks(failed)).toEqual(["todo:1 1"])
  const session = withoutSetbacks(failed.task_sessions[one.key] ?? aTaskSession(one))
  const free = count({ ...failed, task_sessions: { [one.key]: session } })
  expect(setbacks(free)).toEqual(["todo:1 0"])
  const next = { ...session, attempts: session.attempts + 1, updated_at: at(20) }
  const again = { ...free, task_sessions: { [one.key]: next } }
  expect(setbacks(count(again))).toEqual(["todo:1 0"])
  expect(setbacks(checkSetbacks(aPlan([one]), [failedAt(10), failedAt(30)])(again))).toEqual([
    "todo:1 1",
  ])
})

test("what another task's subagent runs before its own result speaks against nobody", () => {
  const named = { key: two.key, title_hash: two.titleHash }
  const work = aWork({ task_sessions: { [one.key]: aTaskSession(one) } })
  const trial = { ...failedAt(10), session: "ses_two", task: named }
  const count = (entry: CheckRun) => setbacks(checkSetbacks(aPlan([one, two]), [entry])(work))
  expect([count(trial), count(failedAt(10))]).toEqual([["todo:1 0"], ["todo:1 1"]])
})

test("a try that a limit has ended is no result: a shared check speaks against the last one there was", () => {
  const before = aWork({
    task_sessions: {
      [one.key]: aTaskSession(one, { updated_at: at(10) }),
      [two.key]: aTaskSession(two, { updated_at: at(20) }),
    },
  })
  const call = { sessionId: LEAD, callId: "call_1", childId: "ses_a" }
  const intent = { callId: "call_1", task: one, parentSessionId: LEAD, agent: "general" }
  const opened = openDispatch({ ...intent, resumes: null, liveCalls: ["call_1"], now: at(25) })
  const words = { taskLabel: "1", taskTitle: "Task 1" }
  const limit = { since: at(30), until: at(3_600) }
  const ended = interruptDispatch({ ...call, ...words, limit })(opened(before))
  expect(ended.task_sessions[one.key]?.status).toBe("interrupted")
  expect(setbacks(checkSetbacks(aPlan([one, two]), [failedAt(40)])(ended))).toEqual([
    "todo:1 0",
    "todo:2 1",
  ])
})

test("a task was turned down between two states where it has more setbacks, or is another task than before", () => {
  const setback = { kind: "check", attempt: 1 } as const
  const session = aTaskSession(one, { setbacks: [setback] })
  const before = aWork({ task_sessions: { [one.key]: session } })
  const keys = (changes: Partial<typeof session>) => {
    const after = aWork({ task_sessions: { [one.key]: { ...session, ...changes } } })
    return turnedDownBetween(before, after).map(([key]) => key)
  }
  expect(keys({})).toEqual([])
  expect(keys({ setbacks: [setback, { ...setback, attempt: 2 }] })).toEqual([one.key])
  expect(keys({ title_hash: "another" })).toEqual([one.key])
})
