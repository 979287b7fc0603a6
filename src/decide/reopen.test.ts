import { describe, expect, test } from "bun:test"
import { aPlan, aTask, aWork } from "../../test/support/builders.ts"
import type { PauseReason } from "../boulder/boulder.ts"
import type { PlanReading } from "../boulder/held-plan.ts"
import { causeHolds, type Opener, reopens } from "./reopen.ts"

/** What a user's own message, a start, and an edit of the plan do. */
const TABLE: Readonly<
  Record<PauseReason, readonly [message: string, start: string, edit: string]>
> = {
  "stopped-by-user": ["no", "yes", "no"],
  aborted: ["yes", "yes", "no"],
  "rejected-by-user": ["yes", "yes", "no"],
  "no-progress": ["yes", "yes", "yes"],
  "compaction-loop": ["yes", "yes", "yes"],
  "backing-off": ["yes", "yes", "yes"],
  "provider-refused": ["yes", "yes", "no"],
  "usage-limited": ["yes", "yes", "no"],
  "budget-spent": ["no", "yes", "no"],
  "plan-unavailable": ["no", "if it no longer holds", "if it no longer holds"],
  "plan-invalid": ["no", "if it no longer holds", "if it no longer holds"],
  "only-blocked-left": ["no", "if it no longer holds", "if it no longer holds"],
  "rows-outside": ["no", "if it no longer holds", "if it no longer holds"],
  "task-blocked": ["no", "if it no longer holds", "if it no longer holds"],
}
const OPENERS: readonly Opener[] = ["user-message", "start", "plan-edited"]

const cells = Object.entries(TABLE).flatMap(([reason, answers]) =>
  OPENERS.flatMap((opener, index) =>
    [true, false].map((holds) => {
      const answer = answers[index]
      return {
        reason: reason as PauseReason,
        opener,
        holds,
        opens: answer === "yes" || (answer === "if it no longer holds" && !holds),
        name: `${reason}, ${opener}, its cause ${holds ? "still holds" : "is gone"}`,
      }
    }),
  ),
)

describe("what re-opens a paused work, cell by cell (omo#577, omo#3446)", () => {
  test("the table has every cell", () => {
    expect(cells).toHaveLength(14 * 3 * 2)
  })
  test.each(cells)("$name: $opens", ({ reason, opener, holds, opens }) => {
    expect(reopens(reason, opener, holds)).toBe(opens)
  })
})

const open = aTask({ label: "1" })
const blocked = aTask({ label: "2", state: "blocked" })
const done = aTask({ label: "3", state: "done" })
const read = (...tasks: Parameters<typeof aPlan>[0]): PlanReading => ({
  kind: "read",
  plan: aPlan(tasks),
})
const gone: PlanReading = { kind: "unavailable", message: "no file is there" }

describe("whether the cause of a pause still holds", () => {
  test.each([
    { reason: "plan-unavailable" as const, reading: gone, holds: true, name: "the plan is gone" },
    {
      reason: "plan-unavailable" as const,
      reading: read(),
      holds: false,
      name: "it is back, though empty",
    },
    { reason: "plan-unavailable" as const, reading: read(open), holds: false, name: "it is back" },
    { reason: "plan-invalid" as const, reading: gone, holds: true, name: "it is gone now" },
    {
      reason: "plan-invalid" as const,
      reading: read(),
      holds: true,
      name: "still no task (omo#2648)",
    },
    { reason: "plan-invalid" as const, reading: read(open), holds: false, name: "it has a task" },
    { reason: "only-blocked-left" as const, reading: gone, holds: true, name: "the plan is gone" },
    {
      reason: "only-blocked-left" as const,
      reading: read(blocked, done),
      holds: true,
      name: "still blocked",
    },
    {
      reason: "only-blocked-left" as const,
      reading: read(blocked, open),
      holds: false,
      name: "one is free",
    },
    {
      reason: "only-blocked-left" as const,
      reading: read(done),
      holds: false,
      name: "all are settled",
    },
    {
      reason: "only-blocked-left" as const,
      reading: read(done, aTask({ label: "4", state: "blocked", optional: true })),
      holds: false,
      name: "only an optional one is blocked",
    },
    {
      reason: "only-blocked-left" as const,
      reading: read(aTask({ label: "5", runnable: false })),
      holds: true,
      name: "the open one waits for a blocked one",
    },
    { reason: "rows-outside" as const, reading: gone, holds: true, name: "the plan is gone" },
    { reason: "rows-outside" as const, reading: read(done), holds: false, name: "none is left" },
    {
      reason: "rows-outside" as const,
      reading: {
        kind: "read" as const,
        plan: { ...aPlan([done]), state: "rows-outside" as const },
      },
      holds: true,
      name: "open rows are still outside",
    },
    {
      reason: "task-blocked" as const,
      reading: read(blocked, open),
      holds: true,
      name: "one is blocked, others are free",
    },
    {
      reason: "task-blocked" as const,
      reading: read(open, aTask({ label: "4", state: "blocked", optional: true })),
      holds: false,
      name: "only an optional one is blocked",
    },
    {
      reason: "stopped-by-user" as const,
      reading: gone,
      holds: false,
      name: "no cause of the plan's",
    },
    { reason: "aborted" as const, reading: gone, holds: false, name: "no cause of the plan's" },
    {
      reason: "budget-spent" as const,
      reading: read(open),
      holds: false,
      name: "no cause of the plan's",
    },
  ])("$reason: $name", ({ reason, reading, holds }) => {
    expect(causeHolds(reason, reading, aWork())).toBe(holds)
  })
})
