import { describe, expect, test } from "bun:test"
import { growth, tenfold } from "../../../test/support/growth.ts"
import { verdictIn } from "./verdict.ts"

describe("the last verdict of a result decides", () => {
  test.each([
    { result: "All good. VERDICT: APPROVE", verdict: "pass" as const },
    { result: "VERDICT: REJECT", verdict: "reject" as const },
    { result: "verdict: reject", verdict: "reject" as const },
    { result: "VERDICT: REJECTED (3 findings)", verdict: "reject" as const },
    { result: "**VERDICT: REJECT**", verdict: "reject" as const },
    { result: "**VERDICT:** REJECT", verdict: "reject" as const },
    { result: "**VERDICT**: REJECT", verdict: "reject" as const },
    { result: "VERDICT: **REJECT**", verdict: "reject" as const },
    { result: "VERDICT: `REJECT`", verdict: "reject" as const },
    { result: "VERDICT:\nREJECT", verdict: "reject" as const },
    { result: "VERDICT: ❌ REJECT", verdict: "reject" as const },
    { result: "VERDICT: [REJECT]", verdict: "reject" as const },
    { result: "VERDICT : REJECT", verdict: "reject" as const },
    { result: "VERDICT：REJECT", verdict: "reject" as const },
    { result: "VERDICT: REJECT\n…fixed…\nVERDICT: APPROVE", verdict: "pass" as const },
    { result: "VERDICT: APPROVE\nbut look again\nVERDICT: REJECT", verdict: "reject" as const },
    { result: "Say VERDICT: REJECT if it is bad.\n\nVERDICT: APPROVE", verdict: "pass" as const },
    { result: "Nothing to reject here.", verdict: "pass" as const },
    { result: "VERDICT: nothing to reject", verdict: "pass" as const },
    { result: "VERDICT: APPROVE, no reason to reject", verdict: "pass" as const },
    { result: "Answer with VERDICT: REJECT/APPROVE", verdict: "pass" as const },
    { result: "VERDICT: APPROVE/REJECT", verdict: "pass" as const },
    { result: "", verdict: "pass" as const },
  ])("$result: $verdict", ({ result, verdict }) => {
    expect(verdictIn(result)).toBe(verdict)
  })
  test("a verdict behind 100,000 characters is found", () => {
    expect(verdictIn(`${"x ".repeat(200_000)}VERDICT: REJECT`)).toBe("reject")
  })
  test.each([
    ["signs after the word", "*"],
    ["words", "VERDICT "],
    ["words with a colon", "VERDICT: "],
  ])("450 kB of %s are read in linear time", (_, unit) => {
    const read = (text: string) => verdictIn(`VERDICT:${text}`)
    expect(read(unit.repeat(50_000))).toBe("pass")
    expect(growth(read, tenfold(unit)).ratio).toBeLessThan(30)
  })
})
