import { describe, expect, test } from "bun:test"
import { aWork } from "../../test/support/builders.ts"
import { beginRound, endRound, firstRound, reserveCompaction } from "./round-record.ts"

const turns = (noProgressStreak: number, fingerprint: string) => ({
  noProgressStreak,
  fingerprint,
  messageId: "msg_1",
})

describe("rounds", () => {
  test("a new work's first round counts from what was settled before", () => {
    expect(firstRound(6, 7)(aWork()).round).toEqual({
      number: 1,
      settled_at_checkpoint: 7,
      ended: null,
      compacted: false,
    })
  })
  test("an end keeps its checkpoint, and a graver one its reason", () => {
    const ended = endRound("checkpoint-due", 1, 3)(aWork())
    expect([ended.checkpoint_seq, ended.round.settled_at_checkpoint, ended.round.ended]).toEqual([
      1,
      3,
      "checkpoint-due",
    ])
    const graver = endRound("hard-limit", 2, 4)(ended)
    expect(graver.round.ended).toBe("hard-limit")
    expect(endRound("checkpoint-due", 3, 7)(graver).round).toMatchObject({
      ended: "hard-limit",
      settled_at_checkpoint: 7,
    })
  })
  test("the number of a checkpoint never falls", () => {
    expect(endRound("soft-limit", 2, 3)(aWork({ checkpoint_seq: 5 })).checkpoint_seq).toBe(5)
  })
  test("the next round begins only where one has ended", () => {
    const work = aWork()
    expect(beginRound(work)).toBe(work)
    const next = beginRound(reserveCompaction(turns(1, "x"))(endRound("soft-limit", 1, 3)(work)))
    expect(next.round).toEqual({
      number: 2,
      settled_at_checkpoint: 3,
      ended: null,
      compacted: false,
    })
  })
  test("a compaction is reserved once, at an ended round of an active work, with the streak", () => {
    const ended = endRound("soft-limit", 1, 3)(aWork())
    const reserved = reserveCompaction(turns(1, "marks:1"))(ended)
    expect(reserved.round.compacted).toBe(true)
    expect(reserved.continuation).toMatchObject({
      no_progress_streak: 1,
      fingerprint: "marks:1",
      counted_message_id: "msg_1",
      count: 0,
    })
    expect(reserveCompaction(turns(0, "other"))(reserved)).toBe(reserved)
    const running = aWork()
    expect(reserveCompaction(turns(0, "x"))(running)).toBe(running)
    const paused = { ...ended, status: "paused" as const }
    expect(reserveCompaction(turns(0, "x"))(paused)).toBe(paused)
  })
})
