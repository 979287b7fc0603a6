import { expect, test } from "bun:test"
import { encode } from "gpt-tokenizer/encoding/o200k_base"
import { roundNotice } from "./round-text.ts"

const facts = { seq: 7, settled: 21, total: 48 }

test.each([
  {
    reason: "checkpoint-due" as const,
    is: "End this turn. The round is over; checkpoint 7 is written (21/48 settled). The next round starts by itself.",
  },
  {
    reason: "soft-limit" as const,
    is: "End this turn. Your context has reached its soft limit; checkpoint 7 is written (21/48 settled). The next round starts by itself.",
  },
  {
    reason: "hard-limit" as const,
    is: "End this turn. Your context has reached its hard limit: tools are refused until the next round; checkpoint 7 is written (21/48 settled). The next round starts by itself.",
  },
])("$reason", ({ reason, is }) => {
  expect(roundNotice(reason, facts)).toBe(`<boulder>\n${is}\n</boulder>`)
  expect(
    encode(roundNotice(reason, { seq: 999_999, settled: 10_000, total: 10_000 })).length,
  ).toBeLessThanOrEqual(60)
})
