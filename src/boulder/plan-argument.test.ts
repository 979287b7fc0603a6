import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { requestOf } from "../decide/choose-plan.ts"
import { planArgument } from "./plan-argument.ts"

/** What a host does with the arguments of a command: runs !`…`, attaches @…, fills $1; quotes are its command line's. */
const HOST_READS = /[!`@$"'\p{C}\p{Zl}\p{Zp}]/u

describe("a plan as the argument of a host's command", () => {
  test.each([
    { plan: "auth-rewrite", is: "auth-rewrite" },
    { plan: ".boulder/plans/auth_v1.2.md", is: ".boulder/plans/auth_v1.2.md" },
    { plan: "docs/Mein größter Plan.md", is: "docs/Mein größter Plan.md" },
    { plan: "specs/auth!`id`/tasks.md", is: "plan:specs/auth%21%60id%60/tasks.md" },
    { plan: "@etc/passwd", is: "plan:%40etc/passwd" },
    { plan: "a$1", is: "plan:a%241" },
    { plan: " a", is: "plan:%20a" },
    { plan: "plan:a", is: "plan:plan%3Aa" },
    { plan: "", is: "" },
  ])("$plan: $is", ({ plan, is }) => {
    expect<string>(planArgument(plan)).toBe(is)
  })

  test("any name is carried, and nothing of it is for the host to read", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }),
        fc.constantFrom("", "!`id`", "@x", "$1"),
        (name, bad) => {
          const plan = `${name}${bad}`.toWellFormed()
          const argument = planArgument(plan)
          expect(argument).not.toMatch(HOST_READS)
          expect(requestOf(argument)).toBe(plan)
        },
      ),
    )
  })

  test.each(["plan:%", "plan:%zz", "plan:%ff"])("%s was written by somebody else", (text) => {
    expect(requestOf(text)).toBe(text)
  })
})
