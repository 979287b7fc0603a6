import { describe, expect, test } from "bun:test"
import { aSituation, aTask, aTaskSession, aWork, LEAD, NOW } from "../../test/support/builders.ts"
import { aHandoff, anActor, FIRST, SECOND } from "../../test/support/handoff-builders.ts"
import { whatLeaves } from "../boulder/archive-settled.ts"
import { emptyBoulder, type Work } from "../boulder/boulder.ts"
import { pause, resumed, stop } from "../boulder/change-work.ts"
import { recordTurn, withinTheHour } from "../boulder/continuation-record.ts"
import { type Handoff, holderOf } from "../boulder/handoff.ts"
import { claimHandoff, renewHandoff } from "../boulder/handoff-changes.ts"
import { isoOf } from "../boulder/iso-time.ts"
import { ageText } from "../prompts/handoff-words.ts"
import { decideContinuation } from "./decide-continuation.ts"
import { decideIdle } from "./decide-idle.ts"
import type { LastTurn, Situation } from "./situation.ts"

const SECOND_MS = 1_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const MINUTE_MS = 60_000
const LEASE_MS = 30 * MINUTE_MS

/** What the clock shows once it was set by `byMs`, an hour of the old time after the work was set going. */
const STEPS = [-30 * DAY_MS, -DAY_MS, -3 * HOUR_MS, -7 * SECOND_MS, -SECOND_MS]
  .concat([0, SECOND_MS, 7 * SECOND_MS, 3 * HOUR_MS, DAY_MS, 30 * DAY_MS])
  .map((byMs) => ({ byMs, now: NOW + byMs }))
const BACK = STEPS.filter(({ byMs }) => byMs < 0)
const LONG_BACK = BACK.filter(({ byMs }) => byMs < -HOUR_MS)

const counters = aWork().continuation
const decided = (given: Partial<Situation>) => {
  const decision = decideContinuation(aSituation(given))
  return `${decision.kind} ${decision.reason}`
}
/** The user pressed ESC in a turn that began then. */
const stoppedAt = (createdAt: number): LastTurn => {
  const { lastTurn } = aSituation()
  if (lastTurn === null) throw new Error("no turn")
  return { ...lastTurn, createdAt, error: "MessageAbortedError" }
}
const lookedAt = (work: Work, given: Partial<Situation>) => {
  const { abortedAt, rejectedAt, waitingFor, ...rest } = aSituation(given)
  const human = { abortedAt, rejectedAt, waitingFor }
  const situation = { ...rest, ...human, work }
  const writing = { heard: "same", human, counted: (is: Work) => is, lacks: [] }
  return decideIdle({ situation, planHash: null, heard: "same" }, work, writing)
}
const counted = (given: Partial<typeof counters>) =>
  aWork({ continuation: { ...counters, ...given } })

/** How long a work waits that is looked at whenever a decision says so. */
function waitedMs(work: Work, now: number): number {
  let at = now
  for (let looks = 0; looks < 3; looks++) {
    const decision = decideContinuation(aSituation({ now: at, work }))
    if (decision.kind !== "retry") break
    at = decision.at
  }
  expect(decided({ now: at, work })).toBe("continue continue")
  return at - now
}

describe("a stop of the user counts, whatever the clock does", () => {
  test.each(STEPS)("stopped or refused after a step of $byMs ms", ({ now }) => {
    const work = aWork({ resumed_at: isoOf(NOW - 500) })
    expect(decided({ now, work, abortedAt: now })).toBe("pause aborted")
    expect(decided({ now, work, abortedAt: now - 1 })).toBe("pause aborted")
    expect(decided({ now, work, rejectedAt: now })).toBe("pause rejected-by-user")
  })
  test.each(STEPS)("stopped or refused just before a step of $byMs ms", ({ now }) => {
    expect(decided({ now, abortedAt: NOW })).toBe("pause aborted")
    expect(decided({ now, rejectedAt: NOW })).toBe("pause rejected-by-user")
  })
  test.each(STEPS)("a turn that ended by it after a step of $byMs ms", ({ now }) => {
    const aborted = stoppedAt(now - 1)
    const work = aWork({ resumed_at: isoOf(NOW - 500) })
    expect(decided({ now, work, lastTurn: aborted })).toBe("pause aborted")
  })
  test("a turn that a continuation has gone past counts no more, though two steps back have put all of it ahead", () => {
    const aborted = stoppedAt(NOW)
    const now = NOW - 2 * DAY_MS
    const goneOn = { ...aWork(), resumed_at: isoOf(NOW - DAY_MS) }
    const past = (id: string): Work => ({
      ...goneOn,
      continuation: { ...counters, counted_message_id: id },
    })
    expect(decided({ now, work: past(aborted.messageId), lastTurn: aborted })).toBe(
      "continue continue",
    )
    expect(decided({ now, work: past("msg_earlier"), lastTurn: aborted })).toBe("pause aborted")
  })
  test.each(["active", "paused"] as const)(
    "one that a look has found to be of before the %s work was set going, the same",
    (status) => {
      const lastTurn = stoppedAt(NOW)
      const isPaused = status === "paused"
      const work = aWork({
        status,
        pause_reason: isPaused ? "no-progress" : null,
        resumed_at: isoOf(NOW - DAY_MS),
        awaiting_approval: null,
      })
      const waits = { lastTurn, waitingFor: "question" } as const
      const seen = lookedAt(work, { ...waits, now: NOW - DAY_MS + 1_000 })
      expect(seen.work.continuation.counted_message_id).toBe(lastTurn.messageId)
      const open = { ...seen.work, status: "active", pause_reason: null } as const
      const later = { now: NOW - 2 * DAY_MS, lastTurn }
      expect(lookedAt(open, { ...later, waitingFor: "question" }).decision.reason).toBe(
        "question-pending",
      )
      expect(lookedAt(open, later).decision.reason).toBe("continue")
    },
  )
  test("one from before a person set the work going counts no more", () => {
    for (const { now } of STEPS) {
      const work = aWork({ resumed_at: isoOf(now) })
      expect(decided({ now, work, abortedAt: now - 1, rejectedAt: now - 1 })).toBe(
        "continue continue",
      )
    }
  })
})

describe("no wait lasts as long as a step back", () => {
  test.each(STEPS)("cooling down, a step of $byMs ms: at most twice its length", ({ now }) => {
    const work = counted({ last_at: isoOf(NOW) })
    expect(waitedMs(work, now)).toBeLessThanOrEqual(2 * 5_000)
  })
  test.each(STEPS)("backing off, a step of $byMs ms: at most twice its length", ({ now }) => {
    const work = counted({ failures: 1, failed_at: isoOf(NOW) })
    expect(waitedMs(work, now)).toBeLessThanOrEqual(2 * 5_000)
  })
  test.each(STEPS)(
    "a turn that went well after a step of $byMs ms ends the back-off",
    ({ now }) => {
      const work = counted({ failures: 3, failed_at: isoOf(NOW) })
      const turn = { messageId: "msg_2", failed: false, endedAt: now + 1 }
      expect(recordTurn(turn, isoOf(now + 2))(work).continuation.failures).toBe(0)
    },
  )
  test.each(BACK)("one from before the failure does not, a step of $byMs ms", ({ now }) => {
    const work = counted({ failures: 3, failed_at: isoOf(now) })
    const turn = { messageId: "msg_2", failed: false, endedAt: NOW }
    expect(recordTurn(turn, isoOf(now + 2))(work).continuation.failures).toBe(3)
  })
  test.each(STEPS)("the hour of the budget, a step of $byMs ms", ({ now, byMs }) => {
    const times = [isoOf(NOW)]
    expect(withinTheHour(times, now)).toEqual(Math.abs(byMs) < HOUR_MS ? times : [])
    expect(withinTheHour(times, now + 2 * HOUR_MS)).toEqual([])
  })
})

describe("leases", () => {
  const held = (by: string, now: number, handoff = aHandoff()): Handoff => {
    const change = claimHandoff({ ...anActor(by), leaseMs: LEASE_MS })(handoff, now)
    if (typeof change === "string") throw new Error(change)
    return change
  }
  test.each(STEPS)("a dead holder's ends within twice its length after $byMs ms", ({ now }) => {
    expect(holderOf(held(FIRST, NOW), now + 2 * LEASE_MS)).toBeNull()
  })
  test.each(STEPS)("one that was renewed before $byMs ms ends so too", ({ now }) => {
    const actor = { ...anActor(FIRST), leaseMs: LEASE_MS }
    const renewed = renewHandoff(actor)(held(FIRST, NOW - 20 * MINUTE_MS), NOW)
    if (typeof renewed === "string") throw new Error(renewed)
    expect(holderOf(renewed, now + 2 * LEASE_MS)).toBeNull()
  })
  test.each(STEPS.filter(({ byMs }) => Math.abs(byMs) < LEASE_MS))(
    "a step of $byMs ms takes no task from its holder",
    ({ now }) => {
      expect(holderOf(held(FIRST, NOW), now)).toBe(FIRST)
    },
  )
  test.each(LONG_BACK)("another may take it over after $byMs ms", ({ now }) => {
    expect(held(SECOND, now, held(FIRST, NOW)).claim?.session_id).toBe(SECOND)
  })
  test.each(STEPS)("its holder's word makes it last on after $byMs ms", ({ now, byMs }) => {
    const actor = { ...anActor(FIRST), leaseMs: LEASE_MS }
    const renewed = renewHandoff(actor)(held(FIRST, NOW), now)
    if (Math.abs(byMs) < MINUTE_MS) expect(renewed).toBe("still-fresh")
    else if (typeof renewed === "string") throw new Error(renewed)
    else {
      expect(holderOf(renewed, now + LEASE_MS - 1)).toBe(FIRST)
      expect(holderOf(renewed, now + LEASE_MS)).toBeNull()
    }
  })
})

describe("ages", () => {
  test.each(STEPS)("no age is negative after $byMs ms", ({ now }) => {
    expect(ageText(isoOf(NOW), now)).not.toContain("-")
    if (now < NOW) expect(ageText(isoOf(NOW), now)).toBe("just now")
  })
  test.each(LONG_BACK)("finished works leave after a step of $byMs ms", ({ now }) => {
    const finished = (id: string) =>
      aWork({ work_id: id, status: "completed", updated_at: isoOf(NOW), lead_session_id: LEAD })
    const works = { a: finished("a"), b: finished("b") }
    const rules = {
      ...{ keepCompleted: 1, keepCompletedMs: MINUTE_MS, keepSessions: 6, now },
      unneeded: null,
    }
    const { works: left = [] } = whatLeaves({ ...emptyBoulder(), works }, rules) ?? {}
    expect(left).toHaveLength(1)
  })
})

test("a day forward opens what waits, and nothing else", () => {
  const work = aWork({
    ...counted({ count: 30, recent: Array.from({ length: 30 }, () => isoOf(NOW)) }),
    task_sessions: { "todo:2": aTaskSession(aTask({ label: "2" })) },
  })
  expect(decided({ now: NOW, work })).toBe("pause budget-spent")
  expect(decided({ now: NOW + DAY_MS, work })).toBe("continue continue")
})

describe("a limit that a person's word has lifted holds nothing up, whatever the clock does", () => {
  const told = NOW - SECOND_MS
  const limit = {
    since: isoOf(told),
    until: isoOf(NOW + HOUR_MS),
    goes_on_at: isoOf(NOW + HOUR_MS),
  }
  const waiting = aWork({
    ...{ status: "paused", pause_reason: "usage-limited", limited: { ...limit, attempts: 0 } },
  })
  const failure = { kind: "limited", until: NOW + HOUR_MS, words: "", at: told } as const
  test.each([
    { way: "resume", by: (work: Work) => work },
    { way: "/stop-work, then resume", by: stop },
    { way: "ESC, then resume", by: pause("aborted") },
  ])("by $way", ({ by }) => {
    for (const { now } of STEPS)
      expect(decided({ now, failure, work: resumed(by(waiting), isoOf(now)) })).toBe(
        "continue continue",
      )
  })
  test("but a pause that is no person's leaves it as it is", () => {
    const { lifted_limit } = pause("plan-invalid")(waiting)
    expect(lifted_limit).toBeUndefined()
  })
})
