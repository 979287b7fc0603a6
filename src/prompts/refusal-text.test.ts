import { expect, test } from "bun:test"
import { encode } from "gpt-tokenizer/encoding/o200k_base"
import { scaledNotice } from "./notice-text.ts"
import { hardLimitRefusal } from "./refusal-text.ts"

test("a refusal is one line that says what to do", () => {
  const refusal = hardLimitRefusal(91_200, 90_000)
  expect(refusal).toBe(
    "boulder: refused, your context is at its hard limit (91200 of 90000 tokens). Settle what you have verified, leave the rest, and end this turn; the next round starts automatically.",
  )
  expect(encode(hardLimitRefusal(2_000_000, 2_000_000)).length).toBeLessThanOrEqual(60)
})
test("limits that do not fit are said with the ones in force", () => {
  expect(scaledNotice({ soft: 19_200, hard: 28_800, scaled: true }, 32_000, null)).toBe(
    "The token limits do not fit this model's context of 32000 tokens: 19200 (soft) and 28800 (hard) are in force.",
  )
  expect(scaledNotice({ soft: 20_250, hard: 27_000, scaled: true }, 32_000, 30_000)).toBe(
    "The token limits do not fit this model's context of 32000 tokens, which opencode compacts at 30000: 20250 (soft) and 27000 (hard) are in force.",
  )
  const raised = { soft: 115_000, hard: 145_000, scaled: false, base: 100_000 }
  expect(scaledNotice(raised, 200_000, null)).toBe(
    "This session's context begins at 100000 tokens (instructions, tools and summary), where the token limits would act at once: 115000 (soft) and 145000 (hard) are in force.",
  )
})
