import { expect, test } from "bun:test"
import { contextTokensOf, tokenCountOf } from "./context-tokens.ts"

const parts = { input: 12_500, output: 20, reasoning: 3, cache: { read: 7_000, write: 5 } }

test.each([
  { name: "the host's total", tokens: { ...parts, total: 19_520 }, is: 19_520 },
  { name: "the sum of its parts, where there is none", tokens: parts, is: 19_525 },
  { name: "the sum, where the total is 0 yet", tokens: { ...parts, total: 0 }, is: 19_525 },
  { name: "nothing yet", tokens: { input: 0, output: 0, cache: { read: 0, write: 0 } }, is: 0 },
  { name: "no tokens", tokens: undefined, is: 0 },
  {
    name: "the sum, where the total is no number",
    tokens: { ...parts, total: Number.NaN },
    is: 19_525,
  },
  { name: "an endless total", tokens: { total: Number.POSITIVE_INFINITY }, is: 0 },
  { name: "a part below 0", tokens: { ...parts, input: -500 }, is: 0 },
  { name: "a part that is no number", tokens: { ...parts, input: Number.NaN }, is: 0 },
  { name: "fractions", tokens: { total: 10.5, input: 10.5 }, is: 0 },
  { name: "more than any model has", tokens: { total: 2 ** 52, input: 2 ** 52 }, is: 0 },
  { name: "another form", tokens: { input: "1", cache: 4 }, is: 0 },
])("$name", ({ tokens, is }) => {
  expect(contextTokensOf(tokens)).toBe(is)
})

test.each([
  { given: 0, is: 0 },
  { given: 20, is: 20 },
  { given: 2.5, is: 0 },
  { given: -1, is: 0 },
  { given: Number.NaN, is: 0 },
  { given: Number.POSITIVE_INFINITY, is: 0 },
  { given: "20", is: 0 },
])("$given is a count of $is", ({ given, is }) => {
  expect(tokenCountOf(given)).toBe(is)
})
