import { describe, expect, test } from "bun:test"
import { at, aWork, NOW } from "../../test/support/builders.ts"
import { NOTHING_REMEMBERED } from "../decide/memory/session-memory.ts"
import { viewOfWork } from "../opencode/live/view-of-work.ts"
import { isFresh, joinViews, type LiveView, liveViewOf, type WorkView } from "./live-view.ts"

const lead = {
  waitingFor: null,
  asks: null,
  session: null,
  backsOffUntil: null,
  hostWaitsUntil: null,
}
const shown = (isLed: boolean): WorkView =>
  viewOfWork({
    work: aWork({ completed_count: isLed ? 5 : 4 }),
    plan: null,
    blocked: [],
    lead: isLed ? lead : null,
    memoryOf: () => NOTHING_REMEMBERED,
    windowSize: 3,
    now: NOW,
  })
const view = (seconds: number, isLed: boolean): LiveView => ({
  version: 1,
  writer: "1-1-0000000a-00000000000000aa",
  at: at(seconds),
  problems: [],
  works: [shown(isLed)],
})

describe("a work in several views", () => {
  test("is as the living process that leads it has it, however old that is", () => {
    const [work] = joinViews([
      { view: view(0, false), isAlive: true },
      { view: view(-9, true), isAlive: true },
    ])
    expect(work?.counts.settled).toBe(5)
    expect(work?.state).toEqual({ kind: "working" })
  })
  test("is idle where the process that led it has died", () => {
    const [work, ...others] = joinViews([{ view: view(0, true), isAlive: false }])
    expect([work?.led, work?.state]).toEqual([false, { kind: "idle" }])
    expect(others).toEqual([])
  })
  test("is as the newest has it where nobody leads it", () => {
    const works = joinViews([
      { view: view(-9, true), isAlive: false },
      { view: view(0, false), isAlive: true },
    ])
    expect(works.map(({ counts }) => counts.settled)).toEqual([4])
  })
})

test.each([
  undefined,
  null,
  {},
  { ...view(0, true), version: 2 },
  { ...view(0, true), works: [1] },
])("what is no view of this version is none", (json) => {
  expect(liveViewOf(json)).toBeNull()
})

test("no text of a view can act on a terminal", () => {
  const evil = `\u001b]0;owned\u0007 shop\nsecond line`
  const read = liveViewOf({ ...view(0, true), works: [{ ...shown(true), plan_name: evil }] })
  expect(read?.works[0]?.plan_name).toContain("shop")
  expect(read?.works[0]?.plan_name).not.toMatch(/\p{Cc}/u)
})

test("a view holds while its process is heard of, also where the clock was set back", () => {
  expect([-1, -44, -46, 44, 46].map((seconds) => isFresh({ at: at(seconds) }, NOW))).toEqual([
    true,
    true,
    false,
    true,
    false,
  ])
})
