import { expect, test } from "bun:test"
import { contextTokensOf } from "./context-tokens.ts"

const parts = { input: 12_500, output: 20, reasoning: 3, cache: { read: 7_000, write: 5 } }

test.each([
  { name: "the host's total", tokens: { ...parts, total: 19_520 }, is: 19_520 },
  { name: "the sum of its parts, where there is none", tokens: parts, is: 19_525 },
  { name: "the sum, where the total is 0 yet", tokens: { ...parts, total: 0 }, is: 19_525 },
  { name: "nothing yet", tokens: { input: 0, output: 0, cache: { read: 0, write: 0 } }, is: 0 },
  { name: "no tokens", tokens: undefined, is: 0 },
  { name: "another form", tokens: { input: "1", cache: 4 }, is: 0 },
])("$name", ({ tokens, is }) => {
  expect(contextTokensOf(tokens)).toBe(is)
})
