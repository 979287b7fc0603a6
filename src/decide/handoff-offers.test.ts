import { describe, expect, test } from "bun:test"
import { NOW } from "../../test/support/builders.ts"
import {
  aHandoff,
  anActor,
  FIRST,
  idOf,
  SECOND,
  someProgress,
  THIRD,
  timed,
} from "../../test/support/handoff-builders.ts"
import type { Handoff } from "../boulder/handoff.ts"
import {
  claimHandoff,
  type HandoffChange,
  releaseHandoff,
  saveHandoff,
} from "../boulder/handoff-changes.ts"
import { claimable, groupedByReason, handoffProgress, offersOf } from "./handoff-offers.ts"

const at = (minutes: number) => NOW + minutes * 60_000

function after(handoff: Handoff, ...changes: readonly HandoffChange[]): Handoff {
  return changes.reduce((before, change) => {
    const next = change(before, NOW)
    return typeof next === "string" ? before : next
  }, handoff)
}

/** Blocked by `FIRST` so many minutes after `NOW`. */
const blocked = (number: number, minutes = 0, given: Partial<Handoff> = {}): Handoff => ({
  ...after(
    aHandoff({ id: idOf(number) }),
    timed(minutes, saveHandoff(anActor(FIRST), someProgress())),
  ),
  ...given,
})
const shown = (handoffs: readonly Handoff[], sessionId: string | null, minutes: number) =>
  offersOf(handoffs, { sessionId, now: at(minutes) }).offers.map(
    ({ handoff, kind }) => `${Number(handoff.id.slice(4))} ${kind}`,
  )

describe("what is offered", () => {
  test("the newest block first, by when it was blocked, not by when its record began", () => {
    const old = blocked(1, 9)
    expect(shown([blocked(2, 3), blocked(3, 7), old, blocked(4, 1)], SECOND, 10)).toEqual([
      "1 blocked",
      "3 blocked",
      "2 blocked",
      "4 blocked",
    ])
  })
  test("at most ten, and how many there are", () => {
    const many = Array.from({ length: 13 }, (_, index) => blocked(index + 1, index))
    const { offers, total } = offersOf(many, { sessionId: SECOND, now: at(20) })
    expect(offers.map(({ handoff }) => handoff.id)).toEqual(
      Array.from({ length: 10 }, (_, index) => idOf(13 - index)),
    )
    expect(total).toBe(13)
  })
  test("a claimed one is not shown to others while its lease lasts, and is again afterwards", () => {
    const claimed = after(blocked(1), timed(5, claimHandoff(anActor(SECOND))))
    expect(shown([claimed], THIRD, 34)).toEqual([])
    expect(shown([claimed], null, 34)).toEqual([])
    expect(shown([claimed], SECOND, 34)).toEqual(["1 held"])
    expect(shown([claimed], THIRD, 35)).toEqual(["1 blocked"])
  })
  test("a session that works on something and goes silent past its lease: interrupted, since then", () => {
    const working = after(
      aHandoff(),
      timed(0, saveHandoff(anActor(FIRST), someProgress({ status: "in_progress" }))),
    )
    expect(shown([working], SECOND, 29)).toEqual([])
    expect(shown([working], SECOND, 30)).toEqual(["1 interrupted"])
    const { offers } = offersOf([working], { sessionId: SECOND, now: at(40) })
    expect(offers[0]?.since).toBe(at(30))
    expect(shown([working, blocked(2, 29), blocked(3, 31)], SECOND, 40)).toEqual([
      "3 blocked",
      "1 interrupted",
      "2 blocked",
    ])
  })
  test("a released one at once; a settled one never", () => {
    const claimed = after(blocked(1), timed(5, claimHandoff(anActor(SECOND))))
    expect(shown([after(claimed, timed(6, releaseHandoff()))], THIRD, 7)).toEqual(["1 blocked"])
    const complete = timed(6, saveHandoff(anActor(SECOND), someProgress({ status: "complete" })))
    expect(shown([after(claimed, complete)], THIRD, 60)).toEqual([])
  })
  test("13v: what is one's own comes last, held or only saved, and is marked", () => {
    const claimed = after(blocked(1, 9), timed(9, claimHandoff(anActor(SECOND))))
    const mine = after(blocked(2), timed(8, saveHandoff(anActor(SECOND), someProgress())))
    const handoffs = [claimed, mine, blocked(3, 2), blocked(4, 3)]
    const { offers } = offersOf(handoffs, { sessionId: SECOND, now: at(10) })
    expect(offers.map(({ handoff, isYours }) => [Number(handoff.id.slice(4)), isYours])).toEqual([
      [4, false],
      [3, false],
      [1, true],
      [2, true],
    ])
    expect(groupedByReason(offers)).toHaveLength(3)
  })
  test("what one holds oneself is nothing to take up", () => {
    const claimed = after(blocked(1), timed(5, claimHandoff(anActor(SECOND))))
    const waiting = claimable([claimed, blocked(2)], { sessionId: SECOND, now: at(6) })
    expect(waiting.offers.map(({ handoff }) => handoff.id)).toEqual([idOf(2)])
    expect(waiting.total).toBe(1)
  })
})

test("offers that wait for the same reason stand together, where the newest of them stands", () => {
  const reason = (text: string) => ({ blocked_reason: text })
  const working = after(
    aHandoff({ id: idOf(5) }),
    timed(0, saveHandoff(anActor(FIRST), someProgress({ status: "in_progress" }))),
  )
  const handoffs = [
    blocked(1, 9, reason("No network.")),
    blocked(2, 8, reason("no key")),
    blocked(3, 7, reason("no  network")),
    blocked(4, 6, reason("")),
    working,
    blocked(6, 4, reason("")),
  ]
  const { offers } = offersOf(handoffs, { sessionId: SECOND, now: at(60) })
  expect(
    groupedByReason(offers).map((group) => group.map(({ handoff }) => Number(handoff.id.slice(4)))),
  ).toEqual([[5], [1, 3], [2], [4], [6]])
})

describe("progress by handoffs", () => {
  const ofWork = { work_id: "demo" }
  const progress = (...handoffs: readonly Handoff[]) => handoffProgress(handoffs, "demo")
  const start = progress(blocked(1, 0, ofWork))
  test("a new one, another status and other words are progress", () => {
    expect(progress(blocked(1, 0, ofWork), blocked(2, 0, ofWork))).not.toBe(start)
    expect(progress(blocked(1, 0, { ...ofWork, summary: "more" }))).not.toBe(start)
    expect(progress(blocked(1, 0, { ...ofWork, status: "in_progress" }))).not.toBe(start)
    expect(progress()).not.toBe(start)
  })
  test("a claim, a renewed lease, the order and other works' are not", () => {
    const claimed = after(blocked(1, 0, ofWork), timed(5, claimHandoff(anActor(SECOND))))
    expect(progress(claimed)).toBe(start)
    expect(progress(blocked(3, 0, { work_id: "other" }), blocked(1, 0, ofWork))).toBe(start)
  })
})
