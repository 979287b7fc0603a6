import { expect, test } from "bun:test"
import { aPlan, aTask, aTaskSession, at, aWork } from "../../test/support/builders.ts"
import { type CheckpointFacts, checkpointText, isSameCheckpoint } from "./checkpoint.ts"

const done = aTask({ label: "1", state: "done" })
const open = aTask({ label: "2" })
const stuck = aTask({ label: "3", state: "blocked" })
const noted = aTask({ label: "4", state: "blocked" })
const facts: CheckpointFacts = {
  seq: 7,
  reason: "checkpoint-due",
  work: aWork({
    task_sessions: { "todo:2": aTaskSession(open), "todo:1": aTaskSession(done) },
    blocked: { "todo:3": "hnd_0000000000000001" },
    tokens: { spent: 90_000, since: 0, ceiling: null },
  }),
  plan: aPlan([done, open, stuck, noted]),
  planHash: "cafe",
  window: ["todo:2"],
  contextTokens: 41_000,
  taskState: "sessions/ses_lead.json",
  at: at(0),
}

test("a checkpoint says how far the work is and what is open", () => {
  const checkpoint = JSON.parse(checkpointText(facts))
  expect(checkpoint).toMatchObject({
    checkpoint: 7,
    round: 1,
    reason: "checkpoint-due",
    counts: { total: 4, done: 1, blocked: 2 },
    window: ["todo:2"],
    blocked: { "todo:3": "hnd_0000000000000001", "todo:4": null },
    task_state: "sessions/ses_lead.json",
    context_tokens: 41_000,
    tokens_spent: 90_000,
    plan_hash: "cafe",
  })
  expect(Object.keys(checkpoint.task_sessions)).toEqual(["todo:2"])
})
test("the same facts give the same bytes, times apart", () => {
  const later = checkpointText({ ...facts, at: at(60) })
  expect(later).not.toBe(checkpointText(facts))
  expect(isSameCheckpoint(later, checkpointText(facts))).toBe(true)
  const work = aWork({
    task_sessions: { "todo:1": aTaskSession(done), "todo:2": aTaskSession(open) },
    blocked: { "todo:3": "hnd_0000000000000001" },
    tokens: { spent: 90_000, since: 0, ceiling: null },
  })
  expect(checkpointText({ ...facts, work })).toBe(checkpointText(facts))
  expect(isSameCheckpoint(checkpointText({ ...facts, contextTokens: 1 }), later)).toBe(false)
})
