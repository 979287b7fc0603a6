import { describe, expect, test } from "bun:test"
import { aTask, aTaskSession, at, aWork, CHILD, LEAD } from "../../test/support/builders.ts"
import type { Work } from "./boulder.ts"
import { closeDispatch, failDispatch, openDispatch } from "./record-dispatch.ts"
import { addSpent, addToTasks, type Spent } from "./spent.ts"

const task = aTask({ label: "3" })
const spent = (given: Partial<Spent> = {}): Spent => ({
  path: [],
  callId: null,
  tokens: 100,
  usd: 0.25,
  unpricedTokens: 0,
  ...given,
})
const ofChild = spent({ path: [CHILD], callId: "call_1", usd: 0.5 })
const called = openDispatch({
  callId: "call_1",
  task,
  parentSessionId: LEAD,
  agent: "general",
  resumes: null,
  liveCalls: ["call_1"],
  now: at(0),
})
const back = closeDispatch({
  sessionId: LEAD,
  callId: "call_1",
  childId: CHILD,
  taskLabel: task.label,
  taskTitle: task.title,
  resultHash: "aaaaaaaa",
  verdict: null,
  now: at(60),
})
const taskCost = (work: Work) => work.task_sessions[task.key]?.cost

describe("what the sessions of a work have spent", () => {
  test("is summed up: all, the lead's own, and the round's", () => {
    const unpriced = spent({ path: [CHILD], usd: 0, tokens: 40, unpricedTokens: 40 })
    const { cost, tokens } = addSpent([spent(), unpriced])(aWork())
    expect(tokens.spent).toBe(140)
    expect(cost).toMatchObject({
      usd: 0.25,
      unpriced_tokens: 40,
      lead: { usd: 0.25, unpriced_tokens: 0 },
      rounds: [{ number: 1, usd: 0.25, unpriced_tokens: 40 }],
    })
  })
  test("answers without usage are counted, and taken back where their usage comes late", () => {
    const none = { tokens: 0, usd: 0 }
    const untold = addSpent([spent({ ...none, unknownAnswers: 1 })])(aWork())
    expect(untold.cost).toMatchObject({
      ...{ usd: 0, unknown_answers: 1, lead: { unknown_answers: 1 } },
      rounds: [{ number: 1, unknown_answers: 1 }],
    })
    const told = addSpent([spent({ unknownAnswers: -1 })])(untold)
    expect(told.cost).toMatchObject({
      ...{ usd: 0.25, unknown_answers: 0, lead: { unknown_answers: 0 } },
      rounds: [{ number: 1, unknown_answers: 0 }],
    })
  })
  test("a sum of tenths stays one", () => {
    const tenths = Array.from({ length: 10 }, () => spent({ usd: 0.1 }))
    const work = tenths.reduce((sum, one) => addSpent([one])(sum), aWork())
    expect(work.cost.usd).toBe(1)
  })
  test("the last 64 rounds are kept", () => {
    const rounds = Array.from({ length: 70 }, (_, index) => index + 1)
    const { round } = aWork()
    const inRound = (work: Work, number: number) =>
      addSpent([spent()])(Object.assign(work, { round: { ...round, number } }))
    const work = rounds.reduce(inRound, aWork())
    expect(work.cost.rounds.map(({ number }) => number)).toEqual(rounds.slice(6))
  })
  test("where nothing was spent the work is the very same", () => {
    const work = aWork()
    expect(addToTasks([])(addSpent([])(work))).toBe(work)
  })
})

describe("what a subagent has spent is its task's", () => {
  test("while its call is in flight, and behind it", () => {
    const during = addToTasks([ofChild])(called(aWork()))
    expect(during.dispatches["call_1"]?.cost).toEqual({ usd: 0.5, unpriced_tokens: 0 })
    const over = addToTasks([{ ...ofChild, callId: null }])(back(during))
    expect(taskCost(over)).toEqual({ usd: 1, unpriced_tokens: 0 })
  })
  test("below it too", () => {
    const below = { ...ofChild, callId: null, path: ["ses_below", CHILD] }
    expect(taskCost(addToTasks([below])(back(called(aWork()))))?.usd).toBe(0.5)
  })
  test("over several calls, and where one fails", () => {
    const known = aWork({ task_sessions: { [task.key]: aTaskSession(task) } })
    const again = back(addToTasks([ofChild])(called(known)))
    const failing = addToTasks([ofChild])(called(again))
    const failed = failDispatch({ sessionId: LEAD, callId: "call_1" }, CHILD)(failing)
    expect(taskCost(failed)).toEqual({ usd: 1, unpriced_tokens: 0 })
  })
  test("and nobody's where no task has it", () => {
    const work = aWork()
    expect(addToTasks([ofChild, spent()])(work)).toBe(work)
  })
})
