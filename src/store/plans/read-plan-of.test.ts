import { expect, test } from "bun:test"
import { at, aWork, LEAD } from "../../../test/support/builders.ts"
import type { Dispatch } from "../../boulder/boulder.ts"
import { parsePlan } from "../../plan/parse-plan.ts"
import { readPlanOf } from "./read-plan-of.ts"

const BEFORE = parsePlan("## TODOs\n- [ ] 1. A\n- [ ] 2. B\n- [ ] 3. C\n")
const text = "## TODOs\n- [ ] 1. A\n- [ ] 2. New\n- [ ] 3. B\n"
const fingerprint = { hash: "0badcafe", size: 1, mtime_ms: 1 }
const reading = {
  ...{ kind: "read" as const, plan: parsePlan(text), text, lines: text.split("\n") },
  fingerprint,
}
const call = (key: string): Dispatch => ({
  ...{ task_key: key, title_hash: BEFORE.tasks.find((one) => one.key === key)?.titleHash ?? null },
  ...{ parent_session_id: LEAD, session_id: null, agent: "general", resumes: null },
  started_at: at(-90),
})

test("a call is shown for its task's number of now, and one whose task is gone for none", async () => {
  const dispatches = { a: call("todo:1"), b: call("todo:2"), c: call("todo:3") }
  const { work } = await readPlanOf({ read: async () => reading }, aWork({ dispatches }))
  const keys = Object.values(work.dispatches).map(({ task_key: key }) => key)
  expect(keys).toEqual(["todo:1", "todo:3", null])
})

test("where the plan cannot be read, each for the one that it has named", async () => {
  const read = async () => ({ kind: "unavailable", message: "gone" }) as never
  const known = aWork({ dispatches: { c: call("todo:3") } })
  expect((await readPlanOf({ read }, known)).work).toBe(known)
})
