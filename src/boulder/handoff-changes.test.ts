import { describe, expect, test } from "bun:test"
import { NOW } from "../../test/support/builders.ts"
import {
  aHandoff,
  anActor,
  FIRST,
  SECOND,
  someProgress,
  THIRD,
  timed,
} from "../../test/support/handoff-builders.ts"
import { type Handoff, handoffSchema, holderOf, isHeldBy } from "./handoff.ts"
import {
  claimHandoff,
  type HandoffChange,
  type HandoffRefusal,
  newHandoff,
  releaseHandoff,
  renewEveryMs,
  renewHandoff,
  saveHandoff,
  settleHandoff,
} from "./handoff-changes.ts"

const MINUTE_MS = 60_000
const blocked = someProgress()
const working = someProgress({ status: "in_progress" })
const complete = someProgress({ status: "complete", summary: "all done" })
const at = (minutes: number) => NOW + minutes * 60_000

/** Applies changes one after the other; throws for a refusal, and for what the file would not take. */
function after(handoff: Handoff, ...changes: readonly HandoffChange[]): Handoff {
  return changes.reduce((before, change) => {
    const next = change(before, NOW)
    if (typeof next === "string") throw new Error(`refused: ${next}`)
    return handoffSchema().parse(next)
  }, handoff)
}

const claimed = after(aHandoff(), timed(0, claimHandoff(anActor(SECOND))))

describe("a new record", () => {
  const subject = {
    id: "hnd_0000000000000001",
    project: "p",
    workId: "w",
    planName: "demo",
    taskKey: "todo:1",
    titleHash: "h",
    taskText: "One",
    fromOutside: false,
  }
  test("blocked: nobody's, since now, with its reason", () => {
    const handoff = newHandoff(subject, anActor(FIRST), someProgress({ unblock: "a key" }), at(5))
    expect(handoffSchema().parse(handoff)).toMatchObject({
      status: "blocked",
      blocked_reason: "no network",
      unblock: "a key",
      blocked_at: "2026-11-21T12:05:00.000Z",
      settled_at: null,
      claim: null,
      attempts: 1,
      session_id: FIRST,
      scope: { project: "p", agent: "build" },
      work_id: "w",
      task_key: "todo:1",
    })
  })
  test("in progress: its session's, for a lease", () => {
    const handoff = newHandoff(subject, anActor(FIRST), working, NOW)
    expect(holderOf(handoff, at(29))).toBe(FIRST)
    expect(holderOf(handoff, at(30))).toBeNull()
    expect(handoff.blocked_at).toBeNull()
  })
  test("complete: settled at once, nobody's", () => {
    const handoff = newHandoff(subject, anActor(FIRST), complete, NOW)
    expect(handoff.settled_at).not.toBeNull()
    expect(handoff.claim).toBeNull()
  })
})

describe("claiming", () => {
  test("gives the task for a lease, and leaves what was said", () => {
    expect(claimed).toEqual({
      ...aHandoff(),
      claim: {
        session_id: SECOND,
        claimed_at: "2026-11-21T12:00:00.000Z",
        lease_until: "2026-11-21T12:30:00.000Z",
      },
    })
  })
  test("again by the same session only makes the lease longer", () => {
    const twice = after(claimed, timed(10, claimHandoff(anActor(SECOND))))
    expect(twice.claim).toMatchObject({
      claimed_at: "2026-11-21T12:10:00.000Z",
      lease_until: "2026-11-21T12:40:00.000Z",
      since: "2026-11-21T12:00:00.000Z",
    })
    expect(twice.history).toEqual([])
  })
  test("once the lease ran out by another: the silence is an attempt, and is remembered", () => {
    const next = after(claimed, timed(30, claimHandoff(anActor(THIRD))))
    expect(next.claim?.session_id).toBe(THIRD)
    expect(next.attempts).toBe(2)
    expect(next.history).toEqual([
      {
        session_id: SECOND,
        status: "silent",
        summary: "",
        reason: null,
        at: "2026-11-21T12:30:00.000Z",
      },
    ])
  })
  test("of one's own blocked task is possible", () => {
    expect(after(aHandoff(), timed(1, claimHandoff(anActor(FIRST)))).claim?.session_id).toBe(FIRST)
  })
  test("of an in_progress record whose session is silent: that session had its attempt counted already", () => {
    const quiet = after(aHandoff(), timed(0, saveHandoff(anActor(FIRST), working)))
    const next = after(quiet, timed(31, claimHandoff(anActor(SECOND))))
    expect(next).toMatchObject({ attempts: 1, status: "in_progress", session_id: FIRST })
    expect(next.history.at(-1)).toMatchObject({ session_id: FIRST, status: "silent" })
  })
})

describe("what the claimer saves", () => {
  test("complete settles the first record for good", () => {
    const done = after(claimed, timed(5, saveHandoff(anActor(SECOND), complete)))
    expect(done).toMatchObject({
      id: aHandoff().id,
      settled_at: "2026-11-21T12:05:00.000Z",
      status: "complete",
      summary: "all done",
      blocked_reason: null,
      blocked_at: null,
      claim: null,
    })
    expect(done.history).toMatchObject([
      { session_id: FIRST, status: "blocked", summary: "half done", reason: "no network" },
    ])
  })
  test("in_progress takes it over: no longer blocked, still held, from now on", () => {
    const taken = after(claimed, timed(5, saveHandoff(anActor(SECOND), working)))
    expect(taken).toMatchObject({
      status: "in_progress",
      session_id: SECOND,
      blocked_reason: null,
      blocked_at: null,
      attempts: 2,
      claim: { session_id: SECOND, claimed_at: "2026-11-21T12:05:00.000Z" },
    })
    expect(holderOf(taken, at(34))).toBe(SECOND)
  })
  test("a new blocked hands it on with both histories, attempts counted, blocked since now", () => {
    const again = someProgress({ reason: "no key", summary: "the other half", unblock: "a key" })
    const handed = after(claimed, timed(7, saveHandoff(anActor(SECOND), again)))
    expect(handed).toMatchObject({
      status: "blocked",
      session_id: SECOND,
      blocked_reason: "no key",
      unblock: "a key",
      blocked_at: "2026-11-21T12:07:00.000Z",
      attempts: 2,
      claim: null,
      summary: "the other half",
    })
    const third = after(
      handed,
      timed(8, claimHandoff(anActor(THIRD))),
      timed(9, saveHandoff(anActor(THIRD), blocked)),
    )
    expect(third.attempts).toBe(3)
    expect(third.history).toMatchObject([
      { session_id: FIRST, status: "blocked", reason: "no network" },
      { session_id: SECOND, status: "blocked", reason: "no key", summary: "the other half" },
    ])
  })
  test("late, with nobody else having taken it, counts: the lease is begun anew", () => {
    const late = after(claimed, timed(120, saveHandoff(anActor(SECOND), working)))
    expect(late.history.map(({ status }) => status)).toEqual(["blocked"])
    expect(isHeldBy(late, SECOND)).toBe(true)
  })
  test("a session's milestones give way to its newest, other sessions' words stay", () => {
    const saves = [1, 2, 3, 4].map((minute) =>
      timed(
        minute,
        saveHandoff(
          anActor(SECOND),
          someProgress({ status: "in_progress", summary: `m${minute}` }),
        ),
      ),
    )
    const last = after(claimed, ...saves)
    expect(last.summary).toBe("m4")
    expect(last.history.map(({ summary }) => summary)).toEqual(["half done", "m3"])
  })
})

describe("the family of a session", () => {
  const lead = anActor(FIRST, { family: [SECOND] })
  test("may save what one of it holds", () => {
    expect(after(claimed, saveHandoff(lead, complete)).settled_at).not.toBeNull()
  })
  test("may not take the claim away", () => {
    expect(claimHandoff(lead)(claimed, at(1))).toBe("held-by-other")
  })
})

test("who finds a lapsed lease may save without a claim; the history is in the order of time", () => {
  const next = after(claimed, timed(45, saveHandoff(anActor(THIRD), blocked)))
  expect(next).toMatchObject({ attempts: 3, session_id: THIRD, claim: null })
  expect(next.history.map(({ session_id, status }) => `${session_id} ${status}`)).toEqual([
    `${FIRST} blocked`,
    `${SECOND} silent`,
  ])
})

describe("renewing", () => {
  test("since when its session holds it stays known; of the next session that claims it, anew", () => {
    const renewed = after(claimed, timed(20, renewHandoff(anActor(SECOND))))
    const said = after(renewed, timed(40, saveHandoff(anActor(SECOND), working)))
    const since = "2026-11-21T12:00:00.000Z"
    expect([renewed, said].map(({ claim }) => claim?.since)).toEqual([since, since])
    const next = after(said, timed(70, claimHandoff(anActor(THIRD))))
    expect(next.claim).not.toHaveProperty("since")
  })
  test("makes the lease last from now on", () => {
    const renewed = after(claimed, timed(20, renewHandoff(anActor(SECOND))))
    expect(holderOf(renewed, at(49))).toBe(SECOND)
    expect(renewed.updated_at).toBe(claimed.updated_at)
  })
  test("works after the lease ran out while nobody has taken the task", () => {
    expect(holderOf(after(claimed, timed(40, renewHandoff(anActor(SECOND)))), at(41))).toBe(SECOND)
  })
  test.each([
    { leaseMs: 30 * MINUTE_MS, everyMs: MINUTE_MS },
    { leaseMs: MINUTE_MS, everyMs: 15_000 },
    { leaseMs: 1_000, everyMs: 250 },
  ])("a lease of $leaseMs ms is written at most every $everyMs ms", ({ leaseMs, everyMs }) => {
    expect(renewEveryMs(leaseMs)).toBe(everyMs)
  })
})

describe("releasing and settling by a person", () => {
  test("release frees the task, and remembers whose it was", () => {
    const free = after(claimed, timed(3, releaseHandoff()))
    expect(free.claim).toBeNull()
    expect(free.history).toMatchObject([{ session_id: SECOND, status: "released" }])
    expect(after(free, timed(4, claimHandoff(anActor(THIRD)))).claim?.session_id).toBe(THIRD)
  })
  test("a task that is ticked in the plan is closed", () => {
    expect(after(aHandoff(), timed(3, settleHandoff()))).toMatchObject({
      settled_at: "2026-11-21T12:03:00.000Z",
      status: "blocked",
      claim: null,
    })
  })
})

describe("what is refused, with its reason", () => {
  const settled = after(claimed, timed(1, saveHandoff(anActor(SECOND), complete)))
  const rows: readonly {
    readonly what: string
    readonly handoff: Handoff
    readonly change: HandoffChange
    readonly reason: HandoffRefusal
  }[] = [
    {
      what: "a claim of another's",
      handoff: claimed,
      change: timed(29, claimHandoff(anActor(THIRD))),
      reason: "held-by-other",
    },
    {
      what: "a save into another's",
      handoff: claimed,
      change: timed(1, saveHandoff(anActor(THIRD), complete)),
      reason: "held-by-other",
    },
    {
      what: "the first session's own save meanwhile",
      handoff: claimed,
      change: timed(1, saveHandoff(anActor(FIRST), complete)),
      reason: "held-by-other",
    },
    {
      what: "a tick while somebody holds it",
      handoff: claimed,
      change: timed(1, settleHandoff()),
      reason: "held-by-other",
    },
    {
      what: "renewing another's",
      handoff: claimed,
      change: timed(1, renewHandoff(anActor(THIRD))),
      reason: "not-held",
    },
    {
      what: "renewing nobody's",
      handoff: aHandoff(),
      change: timed(1, renewHandoff(anActor(FIRST))),
      reason: "not-held",
    },
    {
      what: "releasing nobody's",
      handoff: aHandoff(),
      change: timed(1, releaseHandoff()),
      reason: "not-held",
    },
    {
      what: "renewing within the minute",
      handoff: claimed,
      change: timed(0.9, renewHandoff(anActor(SECOND))),
      reason: "still-fresh",
    },
    {
      what: "a claim of a settled one",
      handoff: settled,
      change: timed(99, claimHandoff(anActor(THIRD))),
      reason: "settled",
    },
    {
      what: "a save into a settled one",
      handoff: settled,
      change: timed(2, saveHandoff(anActor(SECOND), blocked)),
      reason: "settled",
    },
    {
      what: "renewing a settled one",
      handoff: settled,
      change: timed(2, renewHandoff(anActor(SECOND))),
      reason: "settled",
    },
    {
      what: "releasing a settled one",
      handoff: settled,
      change: timed(2, releaseHandoff()),
      reason: "settled",
    },
    {
      what: "settling a settled one",
      handoff: settled,
      change: timed(2, settleHandoff()),
      reason: "settled",
    },
  ]
  test.each(rows)("$what", ({ handoff, change, reason }) => {
    expect(change(handoff, NOW)).toBe(reason)
  })
})

test("the history is bounded, and how it began stays known", () => {
  let handoff = aHandoff()
  for (let round = 0; round < 60; round++) {
    const actor = anActor(`ses_${round}`)
    handoff = after(
      handoff,
      claimHandoff(actor),
      saveHandoff(actor, someProgress({ summary: `round ${round}` })),
    )
  }
  expect(handoff.history).toHaveLength(24)
  expect(handoff.history[0]).toMatchObject({ session_id: FIRST, summary: "half done" })
  expect(handoff.history.at(-1)?.summary).toBe("round 58")
  expect(handoff.attempts).toBe(61)
})

test("a time may stand in any time zone", () => {
  const given = { ...aHandoff(), created_at: "2026-01-31T12:00:00+02:00" }
  expect(handoffSchema().safeParse(given).success).toBe(true)
  expect(handoffSchema().safeParse({ ...given, created_at: "yesterday" }).success).toBe(false)
})
