import { expect, test } from "bun:test"
import { ticksOf } from "./report-chart.ts"

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** Half past eight, and 20 s, by the clock of the wall. */
const FROM = new Date(2026, 10, 22, 20, 30, 20).getTime()

const AXES: readonly { readonly span: number; readonly labels: string[] }[] = [
  { span: 20_000, labels: ["20:30"] },
  { span: 2 * MINUTE, labels: ["20:31", "20:32"] },
  { span: 5 * MINUTE, labels: ["20:31", "20:32", "20:33", "20:34", "20:35"] },
  { span: 9 * MINUTE, labels: ["20:32", "20:34", "20:36", "20:38"] },
  { span: 3 * HOUR, labels: ["21:00", "22:00", "23:00"] },
  {
    span: 30 * HOUR,
    labels: ["23 Nov 00:00", "23 Nov 06:00", "23 Nov 12:00", "23 Nov 18:00", "24 Nov 00:00"],
  },
  { span: 4 * 24 * HOUR, labels: ["23 Nov", "24 Nov", "25 Nov", "26 Nov"] },
]

test.each(AXES)("the axis of $span ms: whole times, none twice", ({ span, labels }) => {
  expect(ticksOf(FROM, span).map(({ label }) => label)).toEqual(labels)
})

test("whatever the span: at most six, in it, in order, and no label twice", () => {
  for (let span = 1; span < 400 * 24 * HOUR; span = Math.ceil(span * 1.7)) {
    const ticks = ticksOf(FROM, span)
    expect(ticks.length).toBeGreaterThan(0)
    expect(ticks.length).toBeLessThanOrEqual(6)
    expect(ticks.every(({ at }) => at >= FROM && at <= FROM + span)).toBe(true)
    expect(new Set(ticks.map(({ label }) => label)).size).toBe(ticks.length)
  }
  expect(ticksOf(Number.NaN, 1)).toEqual([])
})
