import { expect, test } from "bun:test"
import { aSituation, aWork } from "../../../test/support/builders.ts"
import { factsOf } from "./journal-facts.ts"

const decision = { kind: "hold", reason: "plan-unreadable" } as never
const plan = { kind: "unavailable", message: "no file is there" } as const

test.each([
  { status: "active", says: { plan: "no file is there" } },
  { status: "completed", says: {} },
] as const)(
  "where the plan cannot be read a work that is $status has the counts of before",
  (given) => {
    const work = aWork({
      status: given.status,
      completed_count: 3,
      total_count: 8,
      blocked_count: 1,
    })
    const facts = factsOf(aSituation({ work, plan }), decision)
    expect(facts).toMatchObject({ settled: 3, total: 8, blocked: 1, ...given.says })
    expect("plan" in facts).toBe("plan" in given.says)
  },
)
