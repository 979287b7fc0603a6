import { expect, test } from "bun:test"
import fc from "fast-check"
import { COMMON_WORDS } from "./common-words.ts"
import { plainTokens } from "./plain-tokens.ts"
import { estimateTokens } from "./quote.ts"

/** By the pattern: a letter of another script behind a line break leaves what stands before it as it is. */
const byPattern = (text: string) => estimateTokens(`${text}\né`) - estimateTokens("\né")

const part = fc.oneof(
  fc.constantFrom(...COMMON_WORDS),
  fc.constantFrom(
    " ",
    "  ",
    "\n",
    "\t",
    "\0",
    "\x7f",
    "A",
    "AB",
    "Ab",
    "aB",
    "…",
    "—",
    "→",
    "✓",
    "☐",
    "│",
  ),
  fc.string({ unit: "grapheme-ascii", maxLength: 8 }),
  fc.string({ unit: fc.constantFrom("a", "b", "e", "t"), minLength: 20, maxLength: 60 }),
  fc.string({ unit: fc.constantFrom("A", "B", "E", "T"), minLength: 20, maxLength: 60 }),
  fc.nat().map(String),
  fc.constantFrom("todo:3", "final-wave:f1", ".boulder/works/a-1f/shards/001.md", "ses_e02a05cf0f"),
)

test("a text in plain letters costs what the pattern makes of it", () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const text = parts.join("")
      expect({ text, tokens: plainTokens(text) }).toEqual({ text, tokens: byPattern(text) })
    }),
    { numRuns: 3_000 },
  )
})

test("no letter and no mark of another script is plain", () => {
  for (let code = 0x80; code < 0xffff; code++) {
    const sign = String.fromCharCode(code)
    if (/[\p{L}\p{M}]/u.test(sign))
      expect({ sign, is: plainTokens(sign) }).toEqual({ sign, is: null })
  }
  expect(plainTokens("🧿")).toBeNull()
})

test("each plain sign costs what the pattern makes of it", () => {
  for (let code = 0; code < 0x2800; code++) {
    const sign = String.fromCharCode(code)
    for (const text of [sign, ` ${sign}`, `a${sign}a`]) {
      const tokens = plainTokens(text)
      if (tokens !== null) expect({ text, tokens }).toEqual({ text, tokens: byPattern(text) })
    }
  }
})

test("beyond what is asked for nothing is counted", () => {
  expect(plainTokens("q z x j k ".repeat(1_000), 5)).toBe(6)
  expect(plainTokens("q z x j k", 5)).toBe(5)
})
