import { expect, test } from "bun:test"
import { POINTS, wordsOf } from "../replays/points.ts"
import { messagesOf } from "../replays/request.ts"

test("there are at least 24 points, each about words that the plugin says today", () => {
  expect(POINTS.length).toBeGreaterThanOrEqual(24)
  expect(new Set(POINTS.map(({ name }) => name)).size).toBe(POINTS.length)
  for (const point of POINTS)
    expect(messagesOf(point, "")?.at(-1)?.content).toContain(wordsOf(point))
})

test.each([...POINTS])("what a real model did is right: $name", ({ isRight, recorded }) => {
  expect(isRight(recorded.act)).toBe(true)
})

test("doing nothing, or the wrong thing, is not right at every point", () => {
  const lazy = POINTS.filter(({ isRight }) => isRight({ text: "ok" })).length
  const eager = POINTS.filter(({ isRight }) =>
    isRight({ tool: "edit", args: { filePath: "src/a.ts" } }),
  ).length
  expect(lazy).toBeLessThan(POINTS.length / 2)
  expect(eager).toBeLessThan(POINTS.length / 2)
})
