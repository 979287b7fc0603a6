import { expect, test } from "bun:test"
import { aWork } from "../../test/support/builders.ts"
import { aHandoff } from "../../test/support/handoff-builders.ts"
import { parsePlan } from "../plan/parse-plan.ts"
import { blockedTasks } from "./blocked-tasks.ts"
import type { Handoff } from "./handoff.ts"

test("in a plan without lines: what is blocked, and whose status nobody knows, but not what waits", () => {
  const features = [
    { id: "a", title: "Held", status: "blocked" },
    { id: "b", title: "Odd", status: "asleep" },
    { id: "c", title: "Waits", status: "pending", dependencies: ["b"] },
    { id: "d", title: "Runs", status: "pending" },
  ]
  const plan = parsePlan(JSON.stringify({ features }), { path: "feature_list.json" })
  const held = blockedTasks({ plan, work: aWork(), handoffs: [] })
  expect(held.map(({ key, reason, unblock }) => [key, reason, unblock])).toEqual([
    ["task:a", null, null],
    ["task:b", 'unknown status "asleep"', "its status is pending or done"],
  ])
})

test("what would unblock a task: its record's own words, else those of the reason, else a known marker", () => {
  const plan = parsePlan(
    "## TODOs\n- [!] 1. A\n  BLOCKED: no key. Unblocked when there is a key\n- [?] 2. B\n",
  )
  const own = aHandoff({
    blocked_reason: "no key. Unblocked when there is a key",
    unblock: "a key is there",
  })
  const given = (unblock: string | null): Handoff => ({
    ...own,
    work_id: aWork().work_id,
    task_key: "todo:1",
    title_hash: plan.tasks[0]?.titleHash ?? "",
    unblock,
  })
  const unblockOf = (handoffs: readonly Handoff[]) => {
    const work = aWork({ blocked: { "todo:1": own.id } })
    const unnoted = {
      ...plan,
      tasks: plan.tasks.map(({ note, ...task }) => task),
    }
    return blockedTasks({ plan: unnoted, work, handoffs }).map(({ unblock }) => unblock)
  }
  expect(unblockOf([given("a key is there")])).toEqual([
    "a key is there",
    "its box is empty or has an x",
  ])
  expect(unblockOf([given(null)])).toEqual(["there is a key", "its box is empty or has an x"])
  expect(unblockOf([])).toEqual([null, "its box is empty or has an x"])
})

test("a heading whose status nobody knows holds up the work as a box does, and says so", () => {
  const plan = parsePlan(
    "## Task 1: A\n**Status:** Done, tests missing\n\n## Task 2: B\n**Status:** done\n",
  )
  const held = blockedTasks({ plan, work: aWork(), handoffs: [] })
  expect(held.map(({ reason, unblock }) => [reason, unblock])).toEqual([
    ["unknown status", "its status is pending or done"],
  ])
})
