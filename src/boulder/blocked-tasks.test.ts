import { expect, test } from "bun:test"
import { aWork } from "../../test/support/builders.ts"
import { parsePlan } from "../plan/parse-plan.ts"
import { blockedTasks } from "./blocked-tasks.ts"

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
    ["task:b", 'nobody knows its status "asleep"', "its status is pending or done"],
  ])
})
