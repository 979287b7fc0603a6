import { describe, expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { byTime, elapsedMs, isBefore, isoOf, isWithin, msUntil, stepBackMs } from "./iso-time.ts"

const NOW = 1_000_000

describe("a time in the future", () => {
  test.each<{ since: number; elapsed: number; until: number; within: boolean }>([
    { since: NOW - 10, elapsed: 10, until: 0, within: false },
    { since: NOW - 9, elapsed: 9, until: 0, within: true },
    { since: NOW, elapsed: 0, until: 0, within: true },
    { since: NOW + 9, elapsed: 0, until: 9, within: true },
    { since: NOW + 10, elapsed: 0, until: 10, within: false },
  ])("$since: $elapsed ms ago, in $until ms, within 10 ms: $within", (row) => {
    for (const since of [row.since, isoOf(row.since)]) {
      expect(elapsedMs(since, NOW)).toBe(row.elapsed)
      expect(msUntil(since, NOW)).toBe(row.until)
      expect(isWithin(since, 10, NOW)).toBe(row.within)
    }
  })
  test.each([
    { one: NOW - 2, other: NOW - 1, is: true },
    { one: NOW - 1, other: NOW - 1, is: false },
    { one: NOW, other: NOW - 1, is: false },
    { one: NOW + 5, other: NOW - 1, is: true },
    { one: NOW - 1, other: NOW + 5, is: false },
    { one: NOW + 4, other: NOW + 5, is: true },
    { one: NOW + 5, other: NOW + 4, is: false },
  ])("$one is before $other: $is", ({ one, other, is }) => {
    expect(isBefore(one, other, NOW)).toBe(is)
    expect(isBefore(isoOf(one), other, NOW)).toBe(is)
  })
  test("what is no time is neither within a span nor before another", () => {
    expect(isWithin("soon", 10, NOW)).toBe(false)
    expect(isBefore("soon", NOW, NOW)).toBe(false)
    expect(elapsedMs("soon", NOW)).toBeNaN()
  })
  test("times with other offsets are put in order", () => {
    const times = ["2026-11-21T12:00:00Z", "2026-11-21T12:30:00+02:00"]
    expect(times.sort(byTime)).toEqual(["2026-11-21T12:30:00+02:00", "2026-11-21T12:00:00Z"])
  })
})

/** How times are subtracted or compared by hand: what a clock shows, a parsed time, a file's, one of ours. */
const BY_HAND = [
  /\b(?:Date\.)?now(?:\(\))?\s*(?:-|[<>]=?)\s/,
  /\s(?:-|[<>]=?)\s(?:[\w.]+\.)?now\b/,
  /msOf\([^)]*\)\s*(?:-|[<>]=?)\s/,
  /\s(?:-|[<>]=?)\smsOf\(/,
  /(?:modifiedMs|mtimeMs|mtime_ms|(?:created|ended|aborted|rejected|renewed|lookAgain)At)\b\s*(?:-|[<>]=?)\s/,
  /\s(?:-|[<>]=?)\s(?:[\w.]+\.)?(?:modifiedMs|mtimeMs|mtime_ms|(?:created|ended|aborted|rejected|renewed|lookAgain)At)\b/,
  /\bDate\.parse\(/,
]

test("no other place subtracts or compares times", () => {
  const root = join(import.meta.dir, "..")
  const files = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
    .filter((path) => path !== join("boulder", "iso-time.ts"))
  const found = files.flatMap((path) =>
    readFileSync(join(root, path), "utf8")
      .split("\n")
      .filter((line) => !/performance\.now/.test(line) && BY_HAND.some((by) => by.test(line)))
      .map((line) => `${path}: ${line.trim()}`),
  )
  expect(files.length).toBeGreaterThan(200)
  expect(found).toEqual([])
})

test.each([
  { name: "two seconds later", now: 12_000, is: 0 },
  { name: "at once", now: 10_000, is: 0 },
  { name: "set forward", now: 99_000, is: 0 },
  { name: "set back by a minute", now: -48_000, is: 60_000 },
  { name: "set back by a minute, the timer half a second late", now: -47_500, is: 59_500 },
])("a step back between two looks, two seconds apart: $name", ({ now, is }) => {
  expect(stepBackMs(10_000, now, 2_000)).toBe(is)
})
