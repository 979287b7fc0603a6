import { describe, expect, test } from "bun:test"
import { aTask, aTaskSession, aWork, NOW } from "../../test/support/builders.ts"
import type { Work } from "./boulder.ts"
import { isoOf, msOf } from "./iso-time.ts"
import {
  begunByNow,
  clockSetBack,
  countAttempt,
  isDue,
  type LimitWait,
  lasts,
  recordHostWait,
  recordLimit,
  wakeIfDue,
} from "./usage-limit.ts"

const HOUR = 3_600_000
const DAY = 24 * HOUR
const YEARS = 3_650 * DAY

/** A work that is paused for a limit which began now and ends then. */
const paused = (until: number | null, wait: LimitWait = "day", given: Partial<Work> = {}): Work =>
  recordLimit(
    {
      at: NOW,
      until: until === null ? null : NOW + until,
      toldAt: NOW,
      attempts: given.limited?.attempts ?? 0,
    },
    wait,
    NOW,
  )(aWork({ status: "paused", pause_reason: "usage-limited", ...given }))
/** How long behind the limit's end the work goes on; null where it waits for a person. In ms. */
const goesOnBehind = ({ limited }: Work): number | null =>
  limited?.goes_on_at == null ? null : msOf(limited.goes_on_at) - msOf(limited.until)
const attempted = (attempts: number): Partial<Work> => ({
  limited: { since: isoOf(NOW), until: isoOf(NOW), goes_on_at: null, attempts },
})

describe("which limits are waited for", () => {
  test.each<{ name: string; until: number | null; wait: LimitWait; waits: boolean }>([
    { name: "an hour", until: HOUR, wait: "day", waits: true },
    { name: "26 hours", until: 26 * HOUR, wait: "day", waits: true },
    { name: "more than 26 hours", until: 26 * HOUR + 1, wait: "day", waits: false },
    { name: "a week, where any is", until: 7 * DAY, wait: "any", waits: true },
    { name: "10 years", until: YEARS, wait: "day", waits: false },
    { name: "10 years, where any is", until: YEARS, wait: "any", waits: true },
    { name: "an hour, where none is", until: HOUR, wait: "off", waits: false },
    { name: "one that nobody names an end of", until: null, wait: "day", waits: true },
  ])("$name: $waits", ({ until, wait, waits }) => {
    const work = paused(until, wait)
    const behind = goesOnBehind(work)
    expect(behind !== null).toBe(waits)
    if (behind === null) return
    expect(behind).toBeGreaterThanOrEqual(45_000)
    expect(behind).toBeLessThan(75_000)
    expect(msOf(work.limited?.until ?? "") - NOW).toBe(until ?? HOUR)
  })
  test.each([
    { attempts: 1, waits: true },
    { attempts: 2, waits: false },
    { attempts: 3, waits: false },
  ])("behind $attempts requests: $waits", ({ attempts, waits }) => {
    expect(goesOnBehind(paused(HOUR, "any", attempted(attempts))) !== null).toBe(waits)
  })
  test("works that wait for the same end do not all begin at once", () => {
    const all = Array.from({ length: 500 }, (_, at) =>
      Number(goesOnBehind(paused(HOUR, "day", { work_id: `work-${at}` }))),
    )
    expect(new Set(all).size).toBeGreaterThan(400)
    expect(Math.min(...all)).toBeGreaterThanOrEqual(45_000)
    expect(Math.max(...all)).toBeLessThan(75_000)
  })
})

describe("when it is due, whatever the clock does", () => {
  const hour = paused(HOUR)
  const week = paused(7 * DAY, "any")
  test.each([
    { name: "before the end", work: hour, at: HOUR - 1, due: false },
    { name: "at the end, before the margin", work: hour, at: HOUR + 44_000, due: false },
    { name: "behind margin and jitter", work: hour, at: HOUR + 75_000, due: true },
    { name: "days later, slept over", work: hour, at: 3 * DAY, due: true },
    { name: "the clock set back a minute", work: hour, at: -60_000, due: false },
    { name: "the clock set back a day", work: hour, at: -DAY, due: false },
    { name: "the clock set back ten years", work: week, at: -YEARS, due: false },
  ])("$name: $due", ({ work, at, due }) => {
    expect(isDue(work, NOW + at)).toBe(due)
    const woken = wakeIfDue(work, NOW + at)
    expect(woken).toMatchObject(
      due
        ? { status: "active", pause_reason: null, limited: work.limited }
        : { status: "paused", pause_reason: "usage-limited" },
    )
  })
  const steps = [1_000, 30 * 60_000, HOUR, DAY, YEARS].map((stepMs) => ({ stepMs }))
  test.each(steps)(
    "the clock set back by $stepMs ms: it ends as much earlier by it",
    ({ stepMs }) => {
      for (const seen of [0, HOUR / 2, HOUR]) {
        const work = clockSetBack(hour, stepMs)
        const then = NOW - stepMs
        expect(work.limited).toEqual({
          ...{ since: isoOf(then), until: isoOf(then + HOUR), told_at: isoOf(NOW), attempts: 0 },
          goes_on_at: isoOf(msOf(hour.limited?.goes_on_at ?? "") - stepMs),
        })
        expect(isDue(work, then + seen)).toBe(false)
        expect(isDue(work, then + HOUR + 75_000)).toBe(true)
        expect(begunByNow(work, then + seen)).toBe(work)
      }
    },
  )
  test.each(steps)(
    "the same where nobody has seen how far ($stepMs ms): never sooner, never twice as late",
    ({ stepMs }) => {
      const elapsed = HOUR / 2
      const now = NOW + elapsed - stepMs
      const work = begunByNow(hour, now)
      const left = msOf(work.limited?.until ?? "") - now
      expect(left).toBeGreaterThanOrEqual(HOUR - elapsed)
      expect(left).toBeLessThanOrEqual(HOUR)
      expect(lasts(work.limited ?? { until: "" }, now)).toBe(true)
      expect(begunByNow(work, now)).toBe(work)
    },
  )
  test("a step moves the limits of tasks alike, and each once", () => {
    const task = aTask({ label: "1" })
    const interrupted = { since: isoOf(NOW), until: isoOf(NOW + HOUR) }
    const session = { ...aTaskSession(task), interrupted }
    const free = aTaskSession(aTask({ label: "2" }))
    const work = aWork({ task_sessions: { "todo:1": session, "todo:2": free } })
    for (const moved of [clockSetBack(work, DAY), begunByNow(work, NOW - DAY)]) {
      expect(moved.task_sessions["todo:1"]?.interrupted).toEqual({
        since: isoOf(NOW - DAY),
        until: isoOf(NOW - DAY + HOUR),
      })
      expect(moved.task_sessions["todo:2"]).toBe(free)
    }
    expect(begunByNow(work, NOW)).toBe(work)
  })
  test.each([
    { name: "one that was stopped meanwhile", given: { pause_reason: "stopped-by-user" } },
    { name: "one that was resumed", given: { status: "active", pause_reason: null } },
    { name: "one that waits for a person", given: { ...attempted(2) } },
  ] as const)("never $name", ({ given }) => {
    expect(isDue({ ...hour, ...given }, NOW + DAY)).toBe(false)
  })
})

test("a request behind a limit is counted before it is made, and waits for nothing any more", () => {
  const once = countAttempt(paused(HOUR))
  expect(once.limited).toMatchObject({ attempts: 1, goes_on_at: null })
  // Nor behind a step back.
  for (const back of [0, HOUR, DAY])
    expect(lasts(begunByNow(once, NOW - back).limited ?? { until: "" }, NOW - back)).toBe(false)
  expect(countAttempt(once).limited?.attempts).toBe(2)
  expect(countAttempt(aWork())).toEqual(aWork())
})

test("what the host waits for is written down of an active work alone, and keeps the requests made", () => {
  const wait = recordHostWait(NOW, NOW + HOUR)
  const active = wait(aWork(attempted(1)))
  expect(active.limited).toEqual({
    ...{ since: isoOf(NOW), until: isoOf(NOW + HOUR) },
    ...{ goes_on_at: null, attempts: 1 },
  })
  expect(lasts(active.limited ?? { until: "" }, NOW + HOUR - 1)).toBe(true)
  expect(lasts(active.limited ?? { until: "" }, NOW + HOUR)).toBe(false)
  const stopped = aWork({ status: "paused", pause_reason: "stopped-by-user" })
  expect(wait(stopped)).toBe(stopped)
})
