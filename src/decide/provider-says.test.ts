import { describe, expect, test } from "bun:test"
import { aSituation, at, aWork, NOW } from "../../test/support/builders.ts"
import type { Work } from "../boulder/boulder.ts"
import { resumed } from "../boulder/change-work.ts"
import { hostWaitEnd, recordHostWait } from "../boulder/usage-limit.ts"
import { decideIdle } from "./decide-idle.ts"
import type { FailedTurn, Situation } from "./situation.ts"

const HOUR = 3_600_000
const MINUTE = 60_000

/** Looks at a work at a time, in ms behind `NOW`, and gives what was decided and the work as it is left. */
function look(work: Work, afterMs: number, given: Partial<Situation> = {}) {
  const situation = { ...aSituation(given), work, now: NOW + afterMs }
  const of = { situation, planHash: "same", heard: "msg_1" }
  const writing = { heard: "msg_1", human: situation, counted: (one: Work) => one, lacks: [] }
  const made = decideIdle(of, work, writing)
  return { said: `${made.decision.kind} ${made.decision.reason}`, work: made.work }
}
/** A turn that has failed so long behind `NOW`. */
const failedAt = (afterMs: number, failure: object): Partial<Situation> => ({
  failure: { kind: "limited", until: null, words: "", at: NOW + afterMs, ...failure } as FailedTurn,
  lastTurn: {
    ...(aSituation().lastTurn as NonNullable<Situation["lastTurn"]>),
    messageId: `msg_at_${afterMs}`,
    createdAt: NOW + afterMs,
    error: "APIError",
  },
})
const limitedFor = (ms: number) => failedAt(-1_000, { until: NOW + ms })
const waits = (days: "off" | "day" | "any") => ({
  limits: { ...aSituation().limits, waitForLimits: days },
})

describe("a limit until a time", () => {
  const { said, work } = look(aWork(), 0, limitedFor(HOUR))
  const goesOn = Date.parse(work.limited?.goes_on_at ?? "") - NOW
  test("pauses the work, with its end on disk", () => {
    expect(said).toBe("pause usage-limited")
    expect(work).toMatchObject({ status: "paused", pause_reason: "usage-limited" })
    expect(work.limited).toMatchObject({ since: at(-1), until: at(3_600), attempts: 0 })
  })
  test("goes on 45 to 75 s behind its end, the same at each look, another time for another work", () => {
    expect(goesOn).toBeGreaterThanOrEqual(HOUR + 45_000)
    expect(goesOn).toBeLessThan(HOUR + 75_000)
    expect(look(aWork(), 0, limitedFor(HOUR)).work.limited).toEqual(work.limited)
    const other = look(aWork({ work_id: "other" }), 0, limitedFor(HOUR)).work
    expect(other.limited?.goes_on_at).not.toBe(work.limited?.goes_on_at)
  })
  test("not a moment before, and by itself then: reserved as a first attempt", () => {
    expect(look(work, goesOn - 1_001, limitedFor(HOUR)).said).toBe("rest usage-limited")
    const woken = look(work, goesOn, limitedFor(HOUR))
    expect(woken.said).toBe("continue continue")
    expect(woken.work).toMatchObject({
      status: "active",
      limited: { attempts: 1, goes_on_at: null },
      continuation: { count: 1 },
    })
  })
  test.each([
    { name: "ESC meanwhile", given: { abortedAt: NOW + 5_000 }, said: "pause aborted" },
    {
      name: "another agent",
      given: { identity: { agent: "plan", model: null, variant: null } },
      said: "rest agent-changed",
    },
    {
      name: "a question",
      given: { waitingFor: "question" as const },
      said: "rest question-pending",
    },
    {
      name: "the plan is gone",
      given: { plan: { kind: "unavailable" as const, message: "" } },
      said: "pause plan-unavailable",
    },
    { name: "the session runs", given: { isBusy: true }, said: "rest session-busy" },
  ])("$name: it does not go on", ({ given, said: expected }) => {
    expect(look(work, goesOn, { ...limitedFor(HOUR), ...given }).said).toBe(expected)
  })
  test("a stop takes its place", () => {
    const stopped = { ...work, pause_reason: "stopped-by-user" as const, limited: null }
    expect(look(stopped, 9 * HOUR, limitedFor(HOUR)).said).toBe("rest stopped-by-user")
  })
})

describe("at most two attempts behind a limit", () => {
  const first = look(aWork(), 0, limitedFor(HOUR)).work
  const second = look(
    look(first, 2 * HOUR, limitedFor(HOUR)).work,
    2 * HOUR + MINUTE,
    failedAt(2 * HOUR, { until: NOW + 3 * HOUR }),
  ).work
  const third = look(
    look(second, 4 * HOUR, failedAt(2 * HOUR, { until: NOW + 3 * HOUR })).work,
    4 * HOUR + MINUTE,
    failedAt(4 * HOUR, { until: NOW + 5 * HOUR }),
  ).work
  test("the second is armed, a third is not", () => {
    expect(second).toMatchObject({ status: "paused", limited: { attempts: 1 } })
    expect(second.limited?.goes_on_at).not.toBeNull()
    expect(third).toMatchObject({ status: "paused", limited: { attempts: 2, goes_on_at: null } })
    expect(look(third, 99 * HOUR, failedAt(4 * HOUR, {})).said).toBe("rest usage-limited")
  })
  test("a turn that went well forgets them", () => {
    const woken = look(first, 2 * HOUR, limitedFor(HOUR)).work
    const well = look(woken, 3 * HOUR)
    expect(well).toMatchObject({ said: "continue continue", work: { limited: null } })
  })
  test("failures of another kind are no way round it", () => {
    const woken = look(first, 2 * HOUR, limitedFor(HOUR)).work
    const transient = failedAt(2 * HOUR, { kind: "transient" })
    const backs = look(woken, 3 * HOUR, transient)
    expect(backs.said).toBe("retry backing-off")
    const again = look(backs.work, 3 * HOUR + MINUTE, transient)
    expect(again).toMatchObject({ said: "continue continue", work: { limited: { attempts: 2 } } })
    expect(look(again.work, 4 * HOUR, failedAt(3 * HOUR, { kind: "transient" })).said).toBe(
      "pause usage-limited",
    )
  })
})

describe("what is waited for", () => {
  test.each([
    { wait: "off", ms: HOUR, arms: false },
    { wait: "day", ms: 26 * HOUR - 1_000, arms: true },
    { wait: "day", ms: 26 * HOUR, arms: false },
    { wait: "day", ms: 24 * 3_650 * HOUR, arms: false },
    { wait: "any", ms: 24 * 3_650 * HOUR, arms: true },
  ] as const)("$wait, $ms ms: $arms", ({ wait, ms, arms }) => {
    const { work } = look(aWork(), 0, { ...limitedFor(ms), ...waits(wait) })
    expect(work.pause_reason).toBe("usage-limited")
    expect(work.limited?.goes_on_at !== null).toBe(arms)
  })
  test("nothing in a work that pauses for another reason: the limit stops nothing there", () => {
    const { said, work } = look(aWork(), 0, {
      ...limitedFor(HOUR),
      plan: { kind: "unavailable", message: "gone" },
    })
    expect({ said, limited: work.limited }).toEqual({
      said: "pause plan-unavailable",
      limited: null,
    })
  })
  test("without an end: an hour", () => {
    const { work } = look(aWork(), 0, failedAt(-1_000, {}))
    expect(work.limited).toMatchObject({ until: at(3_599), attempts: 0 })
  })
})

describe("the clock", () => {
  const paused = look(aWork(), 0, limitedFor(HOUR)).work
  test("set back behind the failure, in front of the last resume too: it still counts", () => {
    expect(look(aWork({ resumed_at: at(-60) }), -30_000, failedAt(0, {})).said).toBe(
      "pause usage-limited",
    )
  })
  test("set forward by a day: it goes on", () => {
    expect(look(paused, 24 * HOUR, limitedFor(HOUR)).said).toBe("continue continue")
  })
  const left = ({ limited }: Work, now: number): number =>
    Date.parse(limited?.until ?? "") - (NOW + now)
  test.each([-HOUR / 2, -24 * HOUR, -9_000 * HOUR].map((ms) => ({ ms })))(
    "set back by $ms ms: it waits on, and no longer than it would have",
    ({ ms }) => {
      const { said, work } = look(paused, ms, limitedFor(HOUR))
      expect(said).toBe("rest usage-limited")
      expect(left(work, ms)).toBe(HOUR + 1_000)
      // The same failure is told by the host's messages as long as nothing else is: it is no new one.
      const woken = look(work, ms + 2 * HOUR, limitedFor(HOUR))
      expect(woken).toMatchObject({ said: "continue continue", work: { limited: { attempts: 1 } } })
      expect(look(woken.work, ms + 3 * HOUR, limitedFor(HOUR)).said).not.toBe("pause usage-limited")
    },
  )
  test("set back between the failure and the look at it: as long as it was to last", () => {
    const { said, work } = look(aWork({ resumed_at: at(-60) }), -24 * HOUR, limitedFor(HOUR))
    expect(said).toBe("pause usage-limited")
    expect(left(work, -24 * HOUR)).toBe(HOUR + 1_000)
    expect(work.limited?.told_at).toBe(at(-1))
    expect(look(work, -23 * HOUR, limitedFor(HOUR)).said).toBe("rest usage-limited")
    expect(look(work, -22 * HOUR, limitedFor(HOUR)).said).toBe("continue continue")
  })
})

describe("the host's own wait", () => {
  const work = aWork({
    limited: { since: at(0), until: at(3_600), goes_on_at: null, attempts: 0 },
  })
  test("is left to it", () => {
    const given = { isBusy: true, hostWaitsUntil: NOW + HOUR }
    expect(look(work, MINUTE, given).said).toBe("rest provider-wait")
  })
  test("is ours where the host has died", () => {
    const lastTurn = {
      ...(aSituation().lastTurn as NonNullable<Situation["lastTurn"]>),
      ended: false,
    }
    const { said, work: paused } = look(work, MINUTE, { lastTurn })
    expect(said).toBe("pause usage-limited")
    expect(paused.limited?.goes_on_at).not.toBeNull()
    expect(look(work, 2 * HOUR, { lastTurn }).said).toBe("continue continue")
  })
  test("is over with a turn that went well", () => {
    const { lastTurn: told } = aSituation()
    const lastTurn = told === null ? null : { ...told, contextTokens: 1_000 }
    const well = look(work, MINUTE, { lastTurn })
    expect(well).toMatchObject({ said: "continue continue", work: { limited: null } })
  })
})

describe("a context above the soft limit is compacted before it is sent again", () => {
  const context = { tokens: 70_000, soft_limit: 60_000, hard_limit: 90_000, scaled: false }
  const paused = look(aWork({ context }), 0, limitedFor(HOUR)).work
  test("the compaction is the attempt", () => {
    const { said, work } = look(paused, 2 * HOUR, limitedFor(HOUR))
    expect(said).toBe("compact round-ended")
    expect(work).toMatchObject({ limited: { attempts: 1 }, round: { compacted: true } })
  })
  test("below it goes on at once", () => {
    const smaller = { ...paused, context: { ...context, tokens: 60_000 } }
    expect(look(smaller, 2 * HOUR, limitedFor(HOUR)).said).toBe("continue continue")
  })
})

describe("a refusal", () => {
  test("pauses with the provider's words", () => {
    const failure = { kind: "refused", words: "no credit", at: NOW - 1_000 } as const
    const { said, work } = look(aWork(), 0, { failure })
    expect([said, work.refusal]).toEqual(["pause provider-refused", "no credit"])
  })
})

describe("a person's word, the option and the clock", () => {
  test("a refusal is lifted by a resume behind a clock that was set back, a later one is not", () => {
    const failed = failedAt(0, { kind: "refused" })
    const paused = look(aWork(), 10, failed).work
    expect(paused.pause_reason).toBe("provider-refused")
    const again = resumed(paused, new Date(NOW - HOUR).toISOString())
    expect(look(again, 5_000 - HOUR, { ...failed, lastTurn: null }).said).toBe("continue continue")
    const later = { ...failedAt(4_000 - HOUR, { kind: "refused" }), lastTurn: null }
    expect(look(again, 5_000 - HOUR, later).said).toBe("pause provider-refused")
  })
  test("and so is a limit; one that is told later is met", () => {
    const failed = limitedFor(HOUR)
    const paused = look(aWork({ resumed_at: at(-3_600) }), 10, failed).work
    expect(paused.pause_reason).toBe("usage-limited")
    const back = -HOUR / 2
    const again = resumed(paused, new Date(NOW + back).toISOString())
    const heard = look(again, back + 5_000, failed)
    expect(heard).toMatchObject({ said: "continue continue", work: { limited: null } })
    expect(look(heard.work, back + MINUTE, failed).said).toBe("continue continue")
    const later = failedAt(back + MINUTE, { until: NOW + HOUR })
    expect(look(heard.work, back + 2 * MINUTE, later).said).toBe("pause usage-limited")
  })
  test("a limit of more than a day that is first looked at behind its end goes on", () => {
    const first = look(aWork(), 50 * HOUR, limitedFor(40 * HOUR))
    expect(look(first.work, 50 * HOUR + MINUTE, limitedFor(40 * HOUR)).said).toBe(
      "continue continue",
    )
  })
  test("a turn that was cut off says nothing of a limit", () => {
    const limited = { since: at(0), until: at(3_600), goes_on_at: null, attempts: 0 }
    const cut = { ...failedAt(0, {}), failure: null }
    const { lastTurn: told } = cut
    const lastTurn = told == null ? null : { ...told, error: null, ended: true, contextTokens: 0 }
    expect(look(aWork({ limited, resumed_at: at(1) }), 5_000, { lastTurn }).said).toBe(
      "pause usage-limited",
    )
  })
  test("what waits does not go on once no limit is to be waited for, also where the option comes back", () => {
    const { work } = look(aWork(), 0, limitedFor(HOUR))
    const off = look(work, 2 * HOUR, { ...limitedFor(HOUR), ...waits("off") })
    expect(off).toMatchObject({
      said: "rest usage-limited",
      work: { limited: { goes_on_at: null } },
    })
    expect(look(off.work, 3 * HOUR, limitedFor(HOUR)).said).toBe("rest usage-limited")
  })
  test("a wait of the host's is not told longer behind a clock that was set back by a day", () => {
    const work = recordHostWait(NOW, NOW + HOUR)(aWork())
    expect(hostWaitEnd(work, NOW - 24 * HOUR)).toBe(new Date(NOW - 23 * HOUR).toISOString())
  })
})
