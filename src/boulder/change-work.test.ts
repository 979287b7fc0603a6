import { describe, expect, test } from "bun:test"
import { at, aWork, CHILD, LEAD } from "../../test/support/builders.ts"
import { emptyBoulder, type PauseReason, type Work } from "./boulder.ts"
import { changeWork, complete, pause, putWork, resumed, stop, takeLead } from "./change-work.ts"

const work = aWork()
const boulder = putWork(emptyBoulder(), work)
const paused = (reason: PauseReason, given: Partial<Work> = {}) =>
  aWork({ status: "paused", pause_reason: reason, ...given })
const state = ({ status, pause_reason }: Work) => `${status} ${pause_reason}`

describe("changing one work", () => {
  test("stamps it and leaves the others", () => {
    const two = putWork(boulder, { ...work, work_id: "other-00000000" })
    const after = changeWork(work.work_id, at(5), pause("aborted"))(two)
    expect(after.works[work.work_id]).toMatchObject({ status: "paused", updated_at: at(5) })
    expect(after.works["other-00000000"]).toBe(two.works["other-00000000"])
  })
  test("that is not there writes nothing", () => {
    expect(changeWork("none", at(5), pause("aborted"))(boulder)).toBe(boulder)
  })
  test("that comes back as it was writes nothing", () => {
    expect(changeWork(work.work_id, at(5), (same) => same)(boulder)).toBe(boulder)
  })
  test("never changes in place", () => {
    const before = JSON.stringify(boulder)
    changeWork(work.work_id, at(5), takeLead(CHILD, at(5), []))(boulder)
    expect(JSON.stringify(boulder)).toBe(before)
  })
})

describe("terminal means terminal", () => {
  test.each([
    { name: "an active work is paused", after: pause("aborted")(work), is: "paused aborted" },
    {
      name: "a paused one keeps its reason",
      after: pause("no-progress")(paused("aborted")),
      is: "paused aborted",
    },
    {
      name: "a completed one stays completed",
      after: pause("aborted")(aWork({ status: "completed" })),
      is: "completed null",
    },
    { name: "the user's stop pauses", after: stop(work), is: "paused stopped-by-user" },
    {
      name: "and takes the place of any other reason",
      after: stop(paused("no-progress")),
      is: "paused stopped-by-user",
    },
    {
      name: "but not of completion",
      after: stop(aWork({ status: "completed" })),
      is: "completed null",
    },
    { name: "an active work is completed", after: complete(work), is: "completed null" },
    { name: "a paused one is not", after: complete(paused("aborted")), is: "paused aborted" },
  ])("$name", ({ after, is }) => {
    expect(state(after)).toBe(is)
  })
  test("what is so already writes nothing", () => {
    const stopped = paused("stopped-by-user")
    const done = aWork({ status: "completed" })
    expect(stop(stopped)).toBe(stopped)
    expect(pause("aborted")(stopped)).toBe(stopped)
    expect(complete(done)).toBe(done)
    expect(stop(done)).toBe(done)
  })
  test("a completed work has nothing in flight and waits for nobody", () => {
    const waiting = aWork({ awaiting_approval: { fingerprint: "f", since: at(-9) } })
    expect(complete(waiting)).toMatchObject({ dispatches: {}, awaiting_approval: null })
  })
})

describe("a work set going again", () => {
  const spent: Work["continuation"] = {
    count: 200,
    no_progress_streak: 2,
    failures: 10,
    failed_at: at(-9),
    failed_message_id: "msg_1",
    last_at: at(-7),
    recent: [at(-8), at(-7)],
    fingerprint: "marks:1",
    counted_message_id: "msg_1",
  }
  test.each<{ reason: PauseReason; count: number }>([
    { reason: "budget-spent", count: 0 },
    { reason: "no-progress", count: 200 },
    { reason: "aborted", count: 200 },
    { reason: "stopped-by-user", count: 200 },
  ])(
    "after $reason its count is $count: streaks are forgotten, a budget only where it was spent",
    ({ reason, count }) => {
      const again = resumed(paused(reason, { continuation: spent }), at(0))
      expect(again).toMatchObject({ status: "active", pause_reason: null, resumed_at: at(0) })
      expect(again.continuation).toEqual({
        count,
        no_progress_streak: 0,
        failures: 0,
        failed_at: null,
        failed_message_id: "msg_1",
        last_at: at(-7),
        recent: count === 0 ? [] : spent.recent,
        fingerprint: null,
        counted_message_id: "msg_1",
      })
    },
  )
})

describe("the lead session", () => {
  test("is the one that started last; the earlier ones still belong to the work", () => {
    const after = takeLead(CHILD, at(0), [])(paused("stopped-by-user"))
    expect(after).toMatchObject({
      lead_session_id: CHILD,
      session_ids: [LEAD, CHILD],
      status: "active",
      dispatches: {},
    })
  })
  test("a session that comes back is there once, as the last", () => {
    const after = takeLead(LEAD, at(0), [])(takeLead(CHILD, at(0), [])(work))
    expect(after.session_ids).toEqual([CHILD, LEAD])
  })
  test("no more than 1,000 sessions are kept, the latest of them", () => {
    const session_ids = Array.from({ length: 1_000 }, (_, index) => `ses_${index}`)
    const after = takeLead(CHILD, at(0), [])({ ...work, session_ids })
    expect(after.session_ids).toHaveLength(1_000)
    expect(after.session_ids.at(-1)).toBe(CHILD)
  })
})
