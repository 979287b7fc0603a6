import { expect, test } from "bun:test"
import { notifyEventOf } from "./notification.ts"

test.each([
  { decision: "pause", reason: "no-progress", is: "pause" },
  { decision: "pause", reason: "budget-spent", is: "pause" },
  { decision: "pause", reason: "usage-limited", is: "limit" },
  { decision: "rest", reason: "provider-wait", is: "limit" },
  { decision: "notice", reason: "provider-wait", is: "limit" },
  { decision: "notice", reason: "subagent-limited", is: "limit" },
  { decision: "notice", reason: "subagent-limit-spent", is: "limit" },
  { decision: "notice", reason: "tool-long", is: "error" },
  { decision: "pause", reason: "provider-refused", is: "error" },
  { decision: "pause", reason: "backing-off", is: "error" },
  { decision: "rest", reason: "awaiting-approval", is: "approval" },
  { decision: "finish", reason: "plan-complete", is: "done" },
  // What they have just done themselves.
  { decision: "pause", reason: "stopped-by-user", is: null },
  { decision: "pause", reason: "aborted", is: null },
  { decision: "pause", reason: "rejected-by-user", is: null },
  // A pause that lasts is said once, when it begins.
  { decision: "rest", reason: "no-progress", is: null },
  { decision: "rest", reason: "usage-limited", is: null },
  { decision: "retry", reason: "backing-off", is: null },
  { decision: "continue", reason: "continue", is: null },
  { decision: "delegate", reason: "task-named", is: null },
])("$decision ($reason) is told as $is", ({ decision, reason, is }) => {
  expect<string | null>(notifyEventOf(decision, reason)).toBe(is)
})
