import { expect, test } from "bun:test"
import { at, aWork } from "../../test/support/builders.ts"
import { countAttempt } from "../boulder/usage-limit.ts"
import { pauseWords } from "./pause-words.ts"

const limited = { since: at(0), until: at(7_200), goes_on_at: null, attempts: 0 }
const paused = (given: object) => aWork({ status: "paused", pause_reason: "backing-off", ...given })

test("a pause behind the end of a limit, whose request was made, names no time that is past", () => {
  const tried = countAttempt(aWork({ limited }))
  expect(pauseWords(paused({ limited: tried.limited }))).toBeNull()
})

test("one at a limit names its end, and what comes then", () => {
  expect(pauseWords(paused({ limited }))).toMatch(/^until .* UTC; then it waits for you$/)
  const soon = { ...limited, goes_on_at: at(7_260) }
  expect(pauseWords(paused({ limited: soon }))).toMatch(/^until .* UTC; it resumes by itself at /)
  const over = { ...soon, until: at(0) }
  expect(pauseWords(paused({ limited: over }))).toMatch(/^it resumes by itself at .* UTC$/)
})
