import { expect, test } from "bun:test"
import { planArgument } from "../../../decide/plan-argument.ts"
import type { HostClient } from "./host-client.ts"

type StartArgument = Parameters<HostClient["startWork"]>[1]["argument"]

test("what a run sends behind /start-work compiles from planArgument alone", () => {
  const sent = (argument: StartArgument): string => argument
  const plan = "specs/auth!`id`/tasks.md"
  // @ts-expect-error: a text as it came in
  expect(sent(plan)).toBe(plan)
  expect(sent(planArgument(plan))).toBe("plan:specs/auth%21%60id%60/tasks.md")
})
