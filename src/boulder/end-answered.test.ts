import { expect, test } from "bun:test"
import { aTask, aTaskSession, aWork, CHILD, LEAD, NOW } from "../../test/support/builders.ts"
import { endAnswered } from "./end-answered.ts"
import { isoOf } from "./iso-time.ts"
import type { Spent } from "./spent.ts"

const HOUR = 3_600_000
const limited = (label: string, session_id: string, since: number) => ({
  ...aTaskSession(aTask({ label })),
  ...{ session_id, status: "interrupted" as const },
  interrupted: { since: isoOf(since), until: isoOf(since + 1), attempts: 1 },
})
const answer: Spent = {
  ...{ path: [CHILD], callId: null, tokens: 9, usd: 0, unpricedTokens: 9 },
  answeredAt: NOW - 1,
}

test("an answer behind its call ends the limit of every task that keeps its session, and of no other", () => {
  const task_sessions = {
    "todo:1": limited("1", CHILD, NOW - HOUR),
    "todo:2": limited("2", CHILD, NOW - HOUR),
    "todo:3": limited("3", "ses_other", NOW - HOUR),
    "todo:4": limited("4", CHILD, NOW),
  }
  const after = endAnswered([answer], NOW)(aWork({ task_sessions }))
  const still = Object.entries(after.task_sessions).filter(([, one]) => one.interrupted)
  expect(still.map(([key]) => key)).toEqual(["todo:3", "todo:4"])
})

test("one that ends none leaves the very same work", () => {
  const work = aWork({ task_sessions: { "todo:1": limited("1", CHILD, NOW) } })
  expect(endAnswered([answer], NOW)(work)).toBe(work)
})

test("a call for a task that is gone ends no limit of the one that has its number", () => {
  const dispatch = {
    ...{ task_key: "todo:1", title_hash: "0badcafe", parent_session_id: LEAD, session_id: null },
    ...{ agent: "general", resumes: null, started_at: isoOf(NOW - HOUR) },
  }
  const task_sessions = { "todo:1": limited("1", "ses_other", NOW - HOUR) }
  const work = aWork({ task_sessions, dispatches: { call_1: dispatch } })
  expect(endAnswered([{ ...answer, callId: "call_1" }], NOW)(work)).toBe(work)
})
