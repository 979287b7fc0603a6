import { expect, test } from "bun:test"
import fc from "fast-check"
import { linesWith, placeFrom, splitLines } from "./lines.ts"

const piece = fc.constantFrom(
  "a",
  "key",
  "KEY",
  "kkey",
  "\u4f9d",
  "\n",
  "\n",
  "\r\n",
  "\r",
  "\u2028",
  "\ufeff",
)
const text = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(""))

test("the lines that hold a pattern are those that hold it by themselves", () => {
  fc.assert(
    fc.property(text, (whole) => {
      const lines = splitLines(whole)
      const alone = lines.flatMap((line, index) => (/key|\u4f9d/i.test(line) ? [index] : []))
      expect(linesWith(/key|\u4f9d/gi, { text: whole, lines })).toEqual(alone)
    }),
    { numRuns: 2_000 },
  )
})

test("the place of the first number that is not below another", () => {
  const found = [1, 3, 5]
  expect([0, 1, 2, 5, 6].map((from) => placeFrom(found, from))).toEqual([0, 0, 1, 2, 3])
  expect(placeFrom([], 1)).toBe(0)
})
