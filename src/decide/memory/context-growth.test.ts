import { expect, test } from "bun:test"
import { answerTold, grownBy, NO_GROWTH, toolReturned } from "./context-growth.ts"

test("nothing is known before the host has told a first answer", () => {
  expect(grownBy(NO_GROWTH)).toBe(0)
  expect(grownBy(toolReturned(NO_GROWTH, 40_000))).toBe(0)
})

test("what tools returned counts until the host counts it: behind the answer after theirs", () => {
  const begun = answerTold(toolReturned(NO_GROWTH, 4_000), { tokens: 9_000, createdAt: 1 })
  expect(grownBy(begun)).toBe(1_000)
  const ticked = toolReturned(begun, 400)
  expect(grownBy(ticked)).toBe(1_100)
  const next = answerTold(ticked, { tokens: 10_050, createdAt: 2 })
  expect(grownBy(next)).toBe(1_150)
  expect(grownBy(answerTold(next, { tokens: 10_200, createdAt: 3 }))).toBe(1_200)
})

test("an answer that is told twice counts once", () => {
  const one = answerTold(toolReturned(NO_GROWTH, 4_000), { tokens: 9_000, createdAt: 1 })
  expect(answerTold(one, { tokens: 9_000, createdAt: 1 })).toBe(one)
  expect(grownBy(answerTold(one, { tokens: 9_040, createdAt: 1 }))).toBe(1_040)
})
