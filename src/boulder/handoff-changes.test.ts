import { describe, expect, test } from "bun:test"
import {
  aHandoff,
  anActor,
  FIRST,
  SECOND,
  someProgress,
  THIRD,
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
const at = (minutes: number) => anActor("", minutes).now

/** Applies changes one after the other; throws for a refusal, and for what the file would not take. */
function after(handoff: Handoff, ...changes: readonly HandoffChange[]): Handoff {
  return changes.reduce((before, change) => {
    const next = change(before)
    if (typeof next === "string") throw new Error(`refused: ${next}`)
    return handoffSchema.parse(next)
  }, handoff)
}

const claimed = after(aHandoff(), claimHandoff(anActor(SECOND)))

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
    const handoff = newHandoff(subject, anActor(FIRST, 5), someProgress({ unblock: "a key" }))
    expect(handoffSchema.parse(handoff)).toMatchObject({
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
    const handoff = newHandoff(subject, anActor(FIRST), working)
    expect(holderOf(handoff, at(29))).toBe(FIRST)
    expect(holderOf(handoff, at(30))).toBeNull()
    expect(handoff.blocked_at).toBeNull()
  })
  test("complete: settled at once, nobody's", () => {
    const handoff = newHandoff(subject, anActor(FIRST), complete)
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
    const twice = after(claimed, claimHandoff(anActor(SECOND, 10)))
    expect(twice.claim).toMatchObject({
      claimed_at: "2026-11-21T12:10:00.000Z",
      lease_until: "2026-11-21T12:40:00.000Z",
    })
    expect(twice.history).toEqual([])
  })
  test("once the lease ran out by another: the silence is an attempt, and is remembered", () => {
    const next = after(claimed, claimHandoff(anActor(THIRD, 30)))
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
    expect(after(aHandoff(), claimHandoff(anActor(FIRST, 1))).claim?.session_id).toBe(FIRST)
  })
  test("of an in_progress record whose session is silent: that session had its attempt counted already", () => {
    const quiet = after(aHandoff(), saveHandoff(anActor(FIRST), working))
    const next = after(quiet, claimHandoff(anActor(SECOND, 31)))
    expect(next).toMatchObject({ attempts: 1, status: "in_progress", session_id: FIRST })
    expect(next.history.at(-1)).toMatchObject({ session_id: FIRST, status: "silent" })
  })
})

describe("what the claimer saves", () => {
  test("complete settles the first record for good", () => {
    const done = after(claimed, saveHandoff(anActor(SECOND, 5), complete))
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
    const taken = after(claimed, saveHandoff(anActor(SECOND, 5), working))
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
    const handed = after(claimed, saveHandoff(anActor(SECOND, 7), again))
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
      claimHandoff(anActor(THIRD, 8)),
      saveHandoff(anActor(THIRD, 9), blocked),
    )
    expect(third.attempts).toBe(3)
    expect(third.history).toMatchObject([
      { session_id: FIRST, status: "blocked", reason: "no network" },
      { session_id: SECOND, status: "blocked", reason: "no key", summary: "the other half" },
    ])
  })
  test("late, with nobody else having taken it, counts: the lease is begun anew", () => {
    const late = after(claimed, saveHandoff(anActor(SECOND, 120), working))
    expect(late.history.map(({ status }) => status)).toEqual(["blocked"])
    expect(isHeldBy(late, SECOND)).toBe(true)
  })
  test("a session's milestones give way to its newest, other sessions' words stay", () => {
    const saves = [1, 2, 3, 4].map((minute) =>
      saveHandoff(
        anActor(SECOND, minute),
        someProgress({ status: "in_progress", summary: `m${minute}` }),
      ),
    )
    const last = after(claimed, ...saves)
    expect(last.summary).toBe("m4")
    expect(last.history.map(({ summary }) => summary)).toEqual(["half done", "m3"])
  })
})

describe("the family of a session", () => {
  const lead = anActor(FIRST, 1, { family: [SECOND] })
  test("may save what one of it holds", () => {
    expect(after(claimed, saveHandoff(lead, complete)).settled_at).not.toBeNull()
  })
  test("may not take the claim away", () => {
    expect(claimHandoff(lead)(claimed)).toBe("held-by-other")
  })
})

test("who finds a lapsed lease may save without a claim; the history is in the order of time", () => {
  const next = after(claimed, saveHandoff(anActor(THIRD, 45), blocked))
  expect(next).toMatchObject({ attempts: 3, session_id: THIRD, claim: null })
  expect(next.history.map(({ session_id, status }) => `${session_id} ${status}`)).toEqual([
    `${FIRST} blocked`,
    `${SECOND} silent`,
  ])
})

describe("renewing", () => {
  test("makes the lease last from now on", () => {
    const renewed = after(claimed, renewHandoff(anActor(SECOND, 20)))
    expect(holderOf(renewed, at(49))).toBe(SECOND)
    expect(renewed.updated_at).toBe(claimed.updated_at)
  })
  test("works after the lease ran out while nobody has taken the task", () => {
    expect(holderOf(after(claimed, renewHandoff(anActor(SECOND, 40))), at(41))).toBe(SECOND)
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
    const free = after(claimed, releaseHandoff(at(3)))
    expect(free.claim).toBeNull()
    expect(free.history).toMatchObject([{ session_id: SECOND, status: "released" }])
    expect(after(free, claimHandoff(anActor(THIRD, 4))).claim?.session_id).toBe(THIRD)
  })
  test("a task that is ticked in the plan is closed", () => {
    expect(after(aHandoff(), settleHandoff(at(3)))).toMatchObject({
      settled_at: "2026-11-21T12:03:00.000Z",
      status: "blocked",
      claim: null,
    })
  })
})

describe("what is refused, with its reason", () => {
  const settled = after(claimed, saveHandoff(anActor(SECOND, 1), complete))
  const rows: readonly {
    readonly what: string
    readonly handoff: Handoff
    readonly change: HandoffChange
    readonly reason: HandoffRefusal
  }[] = [
    {
      what: "a claim of another's",
      handoff: claimed,
      change: claimHandoff(anActor(THIRD, 29)),
      reason: "held-by-other",
    },
    {
      what: "a save into another's",
      handoff: claimed,
      change: saveHandoff(anActor(THIRD, 1), complete),
      reason: "held-by-other",
    },
    {
      what: "the first session's own save meanwhile",
      handoff: claimed,
      change: saveHandoff(anActor(FIRST, 1), complete),
      reason: "held-by-other",
    },
    {
      what: "a tick while somebody holds it",
      handoff: claimed,
      change: settleHandoff(at(1)),
      reason: "held-by-other",
    },
    {
      what: "renewing another's",
      handoff: claimed,
      change: renewHandoff(anActor(THIRD, 1)),
      reason: "not-held",
    },
    {
      what: "renewing nobody's",
      handoff: aHandoff(),
      change: renewHandoff(anActor(FIRST, 1)),
      reason: "not-held",
    },
    {
      what: "releasing nobody's",
      handoff: aHandoff(),
      change: releaseHandoff(at(1)),
      reason: "not-held",
    },
    {
      what: "renewing within the minute",
      handoff: claimed,
      change: renewHandoff(anActor(SECOND, 0.9)),
      reason: "still-fresh",
    },
    {
      what: "a claim of a settled one",
      handoff: settled,
      change: claimHandoff(anActor(THIRD, 99)),
      reason: "settled",
    },
    {
      what: "a save into a settled one",
      handoff: settled,
      change: saveHandoff(anActor(SECOND, 2), blocked),
      reason: "settled",
    },
    {
      what: "renewing a settled one",
      handoff: settled,
      change: renewHandoff(anActor(SECOND, 2)),
      reason: "settled",
    },
    {
      what: "releasing a settled one",
      handoff: settled,
      change: releaseHandoff(at(2)),
      reason: "settled",
    },
    {
      what: "settling a settled one",
      handoff: settled,
      change: settleHandoff(at(2)),
      reason: "settled",
    },
  ]
  test.each(rows)("$what", ({ handoff, change, reason }) => {
    expect(change(handoff)).toBe(reason)
  })
})

test("the history is bounded, and how it began stays known", () => {
  let handoff = aHandoff()
  for (let round = 0; round < 60; round++) {
    const actor = anActor(`ses_${round}`, round)
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
  expect(handoffSchema.safeParse(given).success).toBe(true)
  expect(handoffSchema.safeParse({ ...given, created_at: "yesterday" }).success).toBe(false)
})
