import { describe, expect, test } from "bun:test"
import { LONG_SIZES, tooSlow } from "../../../test/support/hostile-growth.ts"
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
  ])("450 kB of %s are read in linear time", async (_, unit) => {
    const read = (text: string) => verdictIn(`VERDICT:${text}`)
    expect(read(unit.repeat(50_000))).toBeNull()
    const of = (size: number) => unit.repeat(size / unit.length)
    expect(await tooSlow(read, of, { sizes: LONG_SIZES })).toBeNull()
  })
})

describe("a result that does not clearly pass is no pass (13, rule 2)", () => {
  test.each([
    {
      result: "First I thought VERDICT: APPROVE, but the tests fail, so VERDICT: REJECT",
      verdict: "reject" as const,
    },
    {
      result: "VERDICT: APPROVE is withdrawn: two tests fail. VERDICT: REJECT",
      verdict: "reject" as const,
    },
    {
      result: "VERDICT: `APPROVE` -> withdrawn; final verdict: REJECTED",
      verdict: "reject" as const,
    },
    {
      result: "First VERDICT: REJECT, but all is mended, so VERDICT: APPROVE",
      verdict: "pass" as const,
    },
    { result: "End with VERDICT: APPROVE or VERDICT: REJECT. I could not read it.", verdict: null },
    { result: "End with `VERDICT: REJECT` or `VERDICT: APPROVE`.", verdict: null },
    { result: "Say:\nVERDICT: REJECT\nor\nVERDICT: APPROVE\n\nI cannot.", verdict: null },
    { result: "Choose: VERDICT: REJECT, VERDICT: APPROVE", verdict: "reject" as const },
    {
      result: "End with VERDICT: APPROVE or VERDICT: REJECT.\n\nVERDICT: APPROVE",
      verdict: "pass" as const,
    },
    { result: "VERDICT: APPROVE is not possible, the tests fail", verdict: null },
    { result: "VERDICT: APPROVED? No. Tests fail.", verdict: null },
    { result: "Verdict: Passed 3 of 9 checks, rejected", verdict: null },
    { result: "VERDICT: OK to reject", verdict: null },
    { result: "VERDICT: pass rate is too low", verdict: null },
    { result: "VERDICT: ~~APPROVE~~ REJECT", verdict: null },
    { result: "VERDICT: APPROVE, the tests fail", verdict: null },
    { result: "VERDICT: APPROVE\nis not possible, no test runs", verdict: null },
    { result: "I cannot give VERDICT: APPROVE", verdict: null },
    { result: "Earlier verdict: APPROVE", verdict: null },
    { result: "VERDICT: APPROVE\n\nVERDICT: APPROVE is withdrawn", verdict: null },
    { result: "VERDICT: REJECT\n\nVERDICT: APPROVE is not possible", verdict: "reject" as const },
    { result: "VERDICT: APPROVE WITH CHANGES REQUESTED", verdict: "reject" as const },
    { result: "VERDICT: APPROVE\n\n**REJECTED**: no tests", verdict: "reject" as const },
    { result: "VERDICT: APPROVE, but mind x", verdict: "pass" as const },
    ...[
      ", but fix the tests first",
      ", but the tests must pass",
      ", once the tests pass",
      " — after the fix",
      " (assuming that the tests pass)",
      ", provided that the tests pass",
      ", as long as the tests pass",
      ", if the tests pass",
    ].map((condition) => ({ result: `VERDICT: APPROVE${condition}`, verdict: null })),
    ...[
      "Withdrawn.",
      "This is withdrawn.",
      "I retract this.",
      "Premature, I fear.",
      "Rejected.",
      "I reject it.",
      "Needs work.",
      "Changes requested.",
      "Not quite.",
      "Do not merge it.",
      "It must not be merged.",
      "The tests do not pass.",
      "The tests are failing.",
    ].map((end) => ({ result: `VERDICT: APPROVE. ${end}`, verdict: null })),
    { result: "VERDICT: APPROVE with nits to be fixed first", verdict: null },
    {
      result: "VERDICT: REJECT\n\nVERDICT: APPROVE, but fix the tests first",
      verdict: "reject" as const,
    },
    ...[
      "If you want, I can also fix the README.",
      "If you'd like, I can address the nits.",
      "Let me know if you want me to fix it.",
      "Happy to address these in a follow-up.",
      "Shall I fix the two nits?",
    ].map((offer) => ({ result: `VERDICT: APPROVE\n\n${offer}`, verdict: "pass" as const })),
    ...[
      "I want you to fix the tests first.",
      "Please fix these before merging.",
      "You should address the findings first.",
      "Somebody has to fix it.",
      "I will fix the failing tests before merging.",
      "I should address the hole before this ships.",
    ].map((demand) => ({ result: `VERDICT: APPROVE\n\n${demand}`, verdict: null })),
    {
      result: "VERDICT: APPROVE. It was once slow; it is fast after the fix",
      verdict: "pass" as const,
    },
    ...[
      ". After reading the whole diff I found nothing wrong.",
      ". Once again all 42 tests pass",
      " (once more, all green)",
      ", but note that the first test is slow",
    ].map((remark) => ({ result: `VERDICT: APPROVE${remark}`, verdict: "pass" as const })),
    ...[
      ", contingent on a green build",
      ", with the condition that the tests are repaired",
      " — fix the tests first",
      "; please resolve the two findings before merging",
    ].map((condition) => ({ result: `VERDICT: APPROVE${condition}`, verdict: null })),
    ...[
      "Tests:\nPassed: 12\nFailed: 0",
      "- **Failed:** 0 of 12",
      "Failed: 0, skipped: 2",
      "Changes required: none.",
      "Needs work: nothing",
      "REJECTED (none)",
    ].map((count) => ({ result: `VERDICT: APPROVE\n\n${count}`, verdict: "pass" as const })),
    {
      result: "VERDICT: APPROVE\n\n(Previous verdict: REJECT; both findings are fixed.)",
      verdict: "pass" as const,
    },
    { result: "VERDICT: APPROVE\n\n- [ ] Rejected\n- [x] Approved", verdict: "pass" as const },
    { result: "- [ ] REJECT\n- [ ] APPROVE", verdict: null },
    { result: "My earlier **VERDICT: REJECT** stands, nothing is fixed.", verdict: null },
    ...[
      "Failed: 3",
      "FAIL: 0 tests ran",
      "FAIL: 0 passed",
      "FAIL (0/12 pass)",
      "FAIL (0 of 12)",
      "FAIL: 0/12",
      "FAIL: no test",
      "Changes required: nothing works",
    ].map((reason) => ({ result: `VERDICT: APPROVE\n\n${reason}`, verdict: "reject" as const })),
    { result: "VERDICT: APPROVE. 312 pass, 0 fail", verdict: "pass" as const },
    { result: "VERDICT: APPROVE because all is there", verdict: "pass" as const },
    { result: "VERDICT: APPROVE (no findings)", verdict: "pass" as const },
    {
      result: "I ran them:\n```\n--- PASS: TestX (0.00s)\nPASS\nok  \tdemo\n```\nNo.",
      verdict: null,
    },
    { result: "Fixed. All of go test:\n\nPASS", verdict: null },
    { result: "Before my verdict:\n```\nPASS\n```", verdict: null },
    { result: "Its page says:\n```\nAPPROVED\n```", verdict: null },
    { result: "Checks:\n- lint\n  OK\n\nConclusion: this must be rejected.", verdict: null },
    { result: "LGTM\n\nConclusion: this must be rejected.", verdict: null },
    { result: "**REJECTED**\n\nThe page:\n\nAPPROVED", verdict: "reject" as const },
    { result: "Tests:\nPASS\n\n**Verdict** REJECT", verdict: null },
    { result: "PASS", verdict: "pass" as const },
    { result: "## Verdict\n\nPASS\n\nAll is there.", verdict: "pass" as const },
    { result: "**APPROVED**\n\nAll is there, and nothing fails.", verdict: "pass" as const },
    { result: "VERDICT:\nREJECT because no test is there", verdict: "reject" as const },
  ])("$result: $verdict", ({ result, verdict }) => {
    expect(verdictIn(result)).toBe(verdict)
  })
})

describe("a verdict on a line of a plan", () => {
  test.each([
    { line: "VERDICT: FAIL", verdict: "reject" as const },
    { line: "VERDICT: CHANGES REQUESTED, no tests", verdict: "reject" as const },
    { line: "VERDICT: FAIL if a test is missing", verdict: null },
    { line: "VERDICT: PASS/FAIL", verdict: null },
    { line: "VERDICT: FAIL the plan", verdict: null },
    { line: "VERDICT: APPROVE is not possible", verdict: null },
    { line: "VERDICT: APPROVED? No.", verdict: null },
  ])("$line: $verdict", ({ line, verdict }) => {
    expect(verdictOn(line)).toBe(verdict)
  })
})
