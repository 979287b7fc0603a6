import { expect, test } from "bun:test"
import { NOW } from "../../test/support/builders.ts"
import type { Decision } from "./decision.ts"
import { lookAgainAt } from "./look-again.ts"

test.each<{ decision: Decision; inMs: number }>([
  { decision: { kind: "compact", reason: "round-ended", noProgressStreak: 0 }, inMs: 10_000 },
  { decision: { kind: "rest", reason: "question-pending" }, inMs: 30_000 },
  { decision: { kind: "rest", reason: "provider-wait" }, inMs: 30_000 },
  { decision: { kind: "retry", reason: "cooling-down", at: NOW + 7 }, inMs: 7 },
])("behind $decision.kind $decision.reason the next look is in $inMs ms", ({ decision, inMs }) => {
  expect(lookAgainAt(decision, NOW)).toBe(NOW + inMs)
})

test.each<{ decision: Decision }>([
  { decision: { kind: "rest", reason: "awaiting-approval" } },
  { decision: { kind: "pause", reason: "aborted" } },
  { decision: { kind: "finish", reason: "plan-complete" } },
])("behind $decision.kind $decision.reason an event tells", ({ decision }) => {
  expect(lookAgainAt(decision, NOW)).toBeNull()
})
