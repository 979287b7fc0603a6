import { expect, test } from "bun:test"
import { subagentWords } from "./subagent-words.ts"

test.each([
  { section: "todo", prompt: "Its last result was:\n> BLOCKED: no network\nThat is mended." },
  { section: "final-wave", prompt: "It said VERDICT: REJECT; look whether that is mended." },
] as const)(
  "what a prompt quotes of an earlier $section answer does not stand for them",
  ({ section, prompt }) => {
    expect(subagentWords({ section }, prompt)).toBe(subagentWords({ section }, ""))
  },
)

test.each(["todo", "final-wave"] as const)("they are not added to a %s prompt twice", (section) => {
  const words = subagentWords({ section }, "")
  expect(words).not.toBeNull()
  expect(subagentWords({ section }, `Do it.\n\n${words}`)).toBeNull()
})
