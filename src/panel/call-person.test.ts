import { expect, test } from "bun:test"
import type { WorkView } from "../boulder/live-view.ts"
import { callsBetween } from "./call-person.ts"

type State = WorkView["state"]

const shown = (state: State, id = "shop-1") => ({ work_id: id, plan_name: "shop", state })
const working: State = { kind: "working" }
const paused = (reason: (State & { kind: "paused" })["reason"]): State => ({
  kind: "paused",
  reason,
  more: null,
})
const waiting = (what: "question" | "permission" | "approval"): State => ({
  kind: "waiting-for-you",
  for: what,
  asks: null,
  session: null,
})

test.each<{ name: string; before?: State; after: State; calls: readonly string[] }>([
  {
    name: "a pause",
    after: paused("no-progress"),
    calls: ["shop is paused: its last turns changed nothing"],
  },
  { name: "an approval", after: waiting("approval"), calls: ["shop waits for your approval"] },
  { name: "the end", after: { kind: "complete" }, calls: ["shop is complete"] },
  {
    name: "another pause",
    before: paused("no-progress"),
    after: paused("plan-invalid"),
    calls: [expect.stringContaining("shop is paused: ")],
  },
  { name: "the same", before: paused("no-progress"), after: paused("no-progress"), calls: [] },
  { name: "what the user has stopped", after: paused("stopped-by-user"), calls: [] },
  { name: "ESC", after: paused("aborted"), calls: [] },
  { name: "a question, which the host calls for", after: waiting("question"), calls: [] },
  { name: "a permission, likewise", after: waiting("permission"), calls: [] },
  { name: "work that goes on", before: paused("no-progress"), after: working, calls: [] },
  { name: "a wait", after: { kind: "waiting", for: "limit", until: "2026-11-22" }, calls: [] },
])("$name: $calls", ({ before = working, after, calls }) => {
  expect(callsBetween([shown(before)], [shown(after)])).toEqual([...calls])
})

test("what was there at the first look is not new", () => {
  expect(callsBetween([], [shown({ kind: "complete" })])).toEqual([])
  expect(callsBetween([shown(working, "other")], [shown({ kind: "complete" })])).toEqual([])
})
