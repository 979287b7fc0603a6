import { expect, test } from "bun:test"
import { at, aWork } from "../../test/support/builders.ts"
import { countAttempt } from "../boulder/usage-limit.ts"
import { workStateOf } from "../boulder/work-state.ts"
import { pauseWords } from "./pause-words.ts"
import { stateWords } from "./work-state-words.ts"

const limited = { since: at(0), until: at(7_200), goes_on_at: null, attempts: 0 }
const paused = (given: object) =>
  aWork({ status: "paused", pause_reason: "usage-limited", ...given })

test("a pause behind the end of a limit, whose request was made, names no time that is past", () => {
  const tried = countAttempt(aWork({ limited }))
  expect(pauseWords(paused({ limited: tried.limited }))).toBeNull()
})

test("one at a limit names its end, and what comes then", () => {
  expect(pauseWords(paused({ limited }))).toMatch(/^until .* UTC; then it waits for you$/)
  const soon = { ...limited, goes_on_at: at(7_260) }
  expect(pauseWords(paused({ limited: soon }))).toMatch(
    /^until .* UTC; with opencode running, it resumes by itself at /,
  )
  const over = { ...soon, until: at(0) }
  expect(pauseWords(paused({ limited: over }))).toMatch(
    /^with opencode running, it resumes by itself at .* UTC$/,
  )
})

test("one by its user while the host waits for the end of a limit says nothing of that", () => {
  expect(pauseWords(paused({ pause_reason: "aborted", limited }))).toBeNull()
})

test("of a ticked task is only said where one is held", () => {
  const typed = (command: string) => `/${command}`
  const wordsOf = (held: object) => {
    const work = paused({ pause_reason: "only-blocked-left", ...held })
    return stateWords(workStateOf(work, null, { more: null, now: 0 }), { typed })
  }
  const hold = { title_hash: "0a1b2c3d", why: "npm test has not been run", times: 3 }
  expect(wordsOf({ held: { "todo:1": hold } })).toContain("If it is already ticked, see /status")
  for (const held of [{}, { "todo:1": { ...hold, times: 1 } }])
    expect(wordsOf({ held })).not.toContain("ticked")
  expect(wordsOf({ held: { "todo:1": { ...hold, approved: true } } })).not.toContain("ticked")
})
