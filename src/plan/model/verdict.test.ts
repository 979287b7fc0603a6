import { describe, expect, test } from "bun:test"
import { growth, tenfold } from "../../../test/support/growth.ts"
import { verdictIn, verdictOn } from "./verdict.ts"

describe("13c: the last verdict of a result decides", () => {
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
    { result: "Say VERDICT: REJECT if it is bad.", verdict: null },
    {
      result: "VERDICT: APPROVE\n\nSay VERDICT: REJECT when you do not agree",
      verdict: "pass" as const,
    },
    { result: "Nothing to reject here.", verdict: null },
    { result: "VERDICT: nothing to reject", verdict: null },
    { result: "VERDICT: FAIL", verdict: "reject" as const },
    { result: "VERDICT: FAILED, two tests", verdict: "reject" as const },
    { result: "VERDICT: CHANGES REQUESTED", verdict: "reject" as const },
    { result: "VERDICT: CHANGES_REQUESTED", verdict: "reject" as const },
    { result: "Verdict: request changes", verdict: "reject" as const },
    { result: "VERDICT: NOT APPROVED", verdict: "reject" as const },
    { result: "VERDICT: PASS", verdict: "pass" as const },
    { result: "VERDICT: LGTM", verdict: "pass" as const },
    { result: "VERDICT: PASSABLE", verdict: null },
    { result: "**REJECTED**", verdict: "reject" as const },
    { result: "Two bugs.\n\nCHANGES REQUESTED: no tests", verdict: "reject" as const },
    { result: "FAIL\n- no tests", verdict: "reject" as const },
    { result: "All read.\n\n✅ APPROVED", verdict: "pass" as const },
    { result: "FAIL src/a.test.ts\nPASS src/b.test.ts", verdict: null },
    { result: "OK: I will look at the code now", verdict: null },
    { result: "It looks fine.", verdict: null },
    { result: "FAIL: tests\n…mended…\nVERDICT: PASS", verdict: "pass" as const },
    { result: "VERDICT: APPROVE, no reason to reject", verdict: "pass" as const },
    { result: "Answer with VERDICT: REJECT/APPROVE", verdict: null },
    { result: "VERDICT: APPROVE/REJECT", verdict: null },
    { result: "VERDICT: `APPROVE` or `REJECT`", verdict: null },
    { result: "", verdict: null },
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
    expect(read(unit.repeat(50_000))).toBeNull()
    expect(growth(read, tenfold(unit)).ratio).toBeLessThan(30)
  })
})

describe("a verdict on a line of a plan", () => {
  test.each([
    { line: "VERDICT: FAIL", verdict: "reject" as const },
    { line: "VERDICT: CHANGES REQUESTED, no tests", verdict: "reject" as const },
    { line: "VERDICT: FAIL if a test is missing", verdict: null },
    { line: "VERDICT: PASS/FAIL", verdict: null },
    { line: "VERDICT: FAIL the plan", verdict: null },
  ])("$line: $verdict", ({ line, verdict }) => {
    expect(verdictOn(line)).toBe(verdict)
  })
})
