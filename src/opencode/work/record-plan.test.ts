import { expect, test } from "bun:test"
import { aWork, LEAD } from "../../../test/support/builders.ts"
import { parsePlan } from "../../plan/parse-plan.ts"
import { readOptions } from "../host/options.ts"
import { openSessions } from "../host/sessions.ts"
import { changeReading } from "./record-plan.ts"

const text = "## TODOs\n- [ ] 1. A\n"
const fingerprint = { hash: "0badcafe", size: 1, mtime_ms: 1 }
const plan = parsePlan(text)
const reading = { kind: "read", plan, lines: text.split("\n"), fingerprint } as const

test("how full the lead's context is belongs to rounds: without them there is nothing to say", () => {
  const contextOf = (enabled: boolean) => {
    const { options } = readOptions({ long_run: { enabled } })
    const sessions = openSessions()
    sessions.note({ kind: "context-told", sessionId: LEAD, contextTokens: 700 })
    return changeReading({ options, sessions }, reading, LEAD)(aWork()).context
  }
  expect(contextOf(true)).toEqual({
    tokens: 700,
    soft_limit: 60_000,
    hard_limit: 90_000,
    scaled: false,
  })
  expect(contextOf(false)).toBeNull()
})
