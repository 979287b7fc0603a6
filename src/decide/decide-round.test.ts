import { describe, expect, test } from "bun:test"
import type { Round, RoundEnd } from "../boulder/boulder.ts"
import { decideRound } from "./decide-round.ts"

const limits = { soft: 60_000, hard: 90_000, scaled: false }
const aRound = (ended: RoundEnd | null, settledAt = 0): Round => ({
  number: 1,
  settled_at_checkpoint: settledAt,
  ended,
  compacted: false,
})

describe("whether a round ends", () => {
  test.each([
    { name: "nothing settled", round: aRound(null), settled: 0, tokens: 0, is: "nothing-due" },
    { name: "two of three", round: aRound(null), settled: 2, tokens: 59_999, is: "nothing-due" },
    { name: "the third", round: aRound(null), settled: 3, tokens: 0, is: "checkpoint-due" },
    { name: "more at once", round: aRound(null), settled: 9, tokens: 0, is: "checkpoint-due" },
    {
      name: "counted from the last checkpoint",
      round: aRound(null, 6),
      settled: 8,
      tokens: 0,
      is: "nothing-due",
    },
    {
      name: "tasks opened again",
      round: aRound(null, 6),
      settled: 2,
      tokens: 0,
      is: "nothing-due",
    },
    { name: "the soft limit", round: aRound(null), settled: 1, tokens: 60_000, is: "soft-limit" },
    {
      name: "the soft limit once a round",
      round: aRound("soft-limit"),
      settled: 1,
      tokens: 70_000,
      is: "nothing-due",
    },
    {
      name: "the soft limit behind a checkpoint",
      round: aRound("checkpoint-due", 3),
      settled: 3,
      tokens: 60_000,
      is: "soft-limit",
    },
    { name: "the hard limit", round: aRound(null), settled: 1, tokens: 90_000, is: "hard-limit" },
    {
      name: "the hard limit behind the soft one",
      round: aRound("soft-limit"),
      settled: 1,
      tokens: 90_000,
      is: "hard-limit",
    },
    {
      name: "the hard limit once a round",
      round: aRound("hard-limit"),
      settled: 1,
      tokens: 99_000,
      is: "nothing-due",
    },
    {
      name: "a limit says more than a checkpoint",
      round: aRound(null),
      settled: 3,
      tokens: 60_000,
      is: "soft-limit",
    },
    {
      name: "a model that goes on gets the next checkpoint",
      round: aRound("soft-limit", 3),
      settled: 6,
      tokens: 70_000,
      is: "checkpoint-due",
    },
  ])("$name: $is", ({ round, settled, tokens, is }) => {
    const decision = decideRound({
      round,
      settled,
      checkpointEvery: 3,
      contextTokens: tokens,
      isNewlySettled: true,
      grownBy: 0,
      limits,
    })
    expect(decision.reason).toBe(is as typeof decision.reason)
    expect(decision.kind).toBe(is === "nothing-due" ? "go-on" : "end")
  })

  test.each([
    { name: "a quarter of the soft limit", settled: 1, grownBy: 15_000, is: "context-grown" },
    { name: "less of it", settled: 2, grownBy: 14_999, is: "nothing-due" },
    { name: "nothing settled", settled: 0, grownBy: 40_000, is: "nothing-due" },
    {
      name: "in the middle of a task",
      isNewlySettled: false,
      settled: 2,
      grownBy: 40_000,
      is: "nothing-due",
    },
    { name: "enough tasks all the same", settled: 3, grownBy: 40_000, is: "checkpoint-due" },
    {
      name: "when the round is over already",
      round: aRound("context-grown", 1),
      settled: 3,
      grownBy: 40_000,
      is: "nothing-due",
    },
  ])("grown by much, $name: $is", (given) => {
    const { round = aRound(null), isNewlySettled = true, settled, grownBy, is } = given
    const context = { contextTokens: 50_000, grownBy, limits }
    const facts = { round, settled, isNewlySettled, checkpointEvery: 3, ...context }
    expect(decideRound(facts).reason).toBe(is as RoundEnd)
  })
})
