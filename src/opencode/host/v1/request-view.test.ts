import { expect, test } from "bun:test"
import { viewOf } from "./request-view.ts"

const message = (id: string, info: object, texts: readonly string[]) => ({
  info: { id, sessionID: "ses_a", role: "assistant", ...info },
  parts: texts.map((text, at) => ({ id: `prt_${id}_${at}`, type: "text", text })),
})

test("a summary without a word gets one, and no other message does", () => {
  const messages = [
    message("msg_1", { summary: true, finish: "stop" }, ["", ""]),
    message("msg_2", { summary: true, finish: "stop" }, ["", "What was done."]),
    message("msg_3", {}, [""]),
  ]
  const view = viewOf(messages as never)
  expect(view.hasEmptySummary()).toBe(true)
  view.fillEmptySummaries("The summary failed.")
  expect(view.hasEmptySummary()).toBe(false)
  const words = messages.map(({ parts }) => parts.map(({ text }) => text).join(""))
  expect(words).toEqual(["The summary failed.", "What was done.", ""])
})
