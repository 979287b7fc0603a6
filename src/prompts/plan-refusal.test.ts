// A settled plan is refused with what stands outside its tasks.
import { expect, test } from "bun:test"
import { parsePlan } from "../plan/parse-plan.ts"
import { planRefusal } from "./plan-refusal.ts"

test("a settled plan tells what is not run", () => {
  const text = "## Done\n- [x] a\n- [x] b\n\n## Next steps\n\n- one\n- two\n- three\n"
  expect(planRefusal(parsePlan(text), "docs/p.md", true)).toEqual([
    "Nothing to do in docs/p.md: generic format, 2 tasks, 2 settled.",
    'line 7: 3 bullets have no box and are not run ("one", "two", "three"): `opencode-boulder plan docs/p.md` shows what may be tasks, and how boxes are written.',
  ])
  expect(planRefusal(parsePlan(text.split("##")[1] ?? ""), "docs/p.md", true)).toHaveLength(1)
  expect(planRefusal(parsePlan(text), "docs/p.md", false)).toBeNull()
})
