import { describe, expect, test } from "bun:test"
import { aTask, aTaskSession, aWork, CHILD } from "../../test/support/builders.ts"
import { eligibility, recordedSession, type SessionFacts } from "./reuse.ts"

const task = aTask({ label: "3" })
const workWith = (given: Parameters<typeof aTaskSession>[1]) =>
  aWork({ task_sessions: { [task.key]: aTaskSession(task, given) } })

describe("the recorded session of a task", () => {
  test.each([
    { name: "a session of this very task", work: workWith({}), of: task, found: CHILD },
    { name: "none recorded", work: aWork(), of: task, found: "no session yet" },
    {
      name: "another task under the same key",
      work: workWith({ title_hash: "00000000" }),
      of: task,
      found: "the task was reworded",
    },
    { name: "one failure", work: workWith({ failures: 1 }), of: task, found: CHILD },
    { name: "two failures", work: workWith({ failures: 2 }), of: task, found: "it failed twice" },
    {
      name: "a second task with the key (todo:1#2)",
      work: workWith({}),
      of: { ...task, reusable: false },
      found: "its key is not unique",
    },
  ])("$name: $found", ({ work, of, found }) => {
    const recorded = recordedSession(work, of)
    expect("reason" in recorded ? recorded.reason : recorded.session.session_id).toBe(found)
  })
})

const good: SessionFacts = {
  busy: false,
  ofThisWork: true,
  contextTokens: 1_000,
  contextLimit: 200_000,
}
const offered = (facts: Partial<SessionFacts>, agent: string | null = "general") => {
  const reuse = eligibility(aTaskSession(task), agent, { ...good, ...facts })
  return reuse.kind === "reuse" ? reuse.sessionId : reuse.reason
}

describe("a session is offered only if it can be resumed well (omo#541, omo#5966)", () => {
  test.each([
    { name: "existing, idle, of this work, same agent, room left", found: offered({}), is: CHILD },
    { name: "of another work", found: offered({ ofThisWork: false }), is: "not of this work" },
    { name: "busy", found: offered({ busy: true }), is: "it is busy" },
    { name: "another agent is to run", found: offered({}, "explore"), is: "another agent" },
    { name: "any agent may run", found: offered({}, null), is: CHILD },
    {
      name: "just below 70 % of its context",
      found: offered({ contextTokens: 139_999 }),
      is: CHILD,
    },
    {
      name: "at 70 % of its context",
      found: offered({ contextTokens: 140_000 }),
      is: "its context is over 70 % full",
    },
    {
      name: "its context is not known",
      found: offered({ contextTokens: 900_000, contextLimit: null }),
      is: CHILD,
    },
    { name: "the host tells a context of 0", found: offered({ contextLimit: 0 }), is: CHILD },
  ])("$name: $is", ({ found, is }) => {
    expect(found).toBe(is)
  })
})
