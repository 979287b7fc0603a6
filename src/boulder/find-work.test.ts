import { describe, expect, test } from "bun:test"
import { at, aWork, CHILD, LEAD } from "../../test/support/builders.ts"
import { type Boulder, emptyBoulder, type Work } from "./boulder.ts"
import { putWork } from "./change-work.ts"
import { openWorks, workOfSession } from "./find-work.ts"

const named = (work_id: string, given: Partial<Work> = {}) => aWork({ work_id, ...given })
const boulderOf = (...works: readonly Work[]): Boulder => works.reduce(putWork, emptyBoulder())
const found = (boulder: Boulder | null, sessionId = LEAD) =>
  workOfSession(boulder, sessionId)?.work_id ?? null
const led = { lead_session_id: LEAD, session_ids: [LEAD] }
const left = { lead_session_id: CHILD, session_ids: [LEAD, CHILD] }

describe("the work that a session belongs to (omo#1774)", () => {
  test.each([
    { name: "none without any state", boulder: null, is: null },
    {
      name: "none where it never was",
      boulder: boulderOf(named("a", { lead_session_id: CHILD, session_ids: [CHILD] })),
      is: null,
    },
    { name: "the one that it leads", boulder: boulderOf(named("a", led)), is: "a" },
    { name: "one that it led before", boulder: boulderOf(named("a", left)), is: "a" },
    {
      name: "one that it leads before one that it led",
      boulder: boulderOf(named("a", left), named("b", led)),
      is: "b",
    },
    {
      name: "an open one before a completed one",
      boulder: boulderOf(named("a", { ...led, status: "completed" }), named("b", left)),
      is: "b",
    },
    {
      name: "a paused one before a completed one",
      boulder: boulderOf(
        named("a", { ...led, status: "completed" }),
        named("b", { ...led, status: "paused" }),
      ),
      is: "b",
    },
    {
      name: "of two that it leads, the one last set going",
      boulder: boulderOf(
        named("a", { ...led, resumed_at: at(5) }),
        named("b", { ...led, resumed_at: at(9) }),
        named("c", led),
      ),
      is: "b",
    },
    ...(["active", "paused"] as const).map((status) => ({
      name: `of two that it leads, the one that is not stopped, ${status}, though a clock that was set back has begun it before the other`,
      boulder: boulderOf(
        named("a", {
          ...led,
          resumed_at: at(9),
          status: "paused",
          pause_reason: "stopped-by-user",
        }),
        named("b", {
          ...led,
          resumed_at: at(5),
          status,
          pause_reason: status === "paused" ? "aborted" : null,
        }),
      ),
      is: "b",
    })),
    {
      name: "one that it leads, paused, before an active one that it led",
      boulder: boulderOf(named("a", left), named("b", { ...led, status: "paused" })),
      is: "b",
    },
    {
      name: "a completed one where there is no other",
      boulder: boulderOf(named("a", { ...led, status: "completed" })),
      is: "a",
    },
  ])("$name", ({ boulder, is }) => {
    expect(found(boulder)).toBe(is)
  })
  test("two sessions on two plans do not mix", () => {
    const boulder = boulderOf(
      named("a", led),
      named("b", { lead_session_id: CHILD, session_ids: [CHILD] }),
    )
    expect([found(boulder, LEAD), found(boulder, CHILD)]).toEqual(["a", "b"])
  })
})

describe("the works that can still go on", () => {
  test("active and paused ones, the one last set going first", () => {
    const boulder = boulderOf(
      named("a", { resumed_at: at(1) }),
      named("b", { resumed_at: at(3), status: "paused", pause_reason: "aborted" }),
      named("c", { resumed_at: at(9), status: "completed" }),
    )
    expect(openWorks(boulder).map((work) => work.work_id)).toEqual(["b", "a"])
  })
  test("none without any state", () => {
    expect(openWorks(null)).toEqual([])
  })
})
