import { describe, expect, test } from "bun:test"
import { openRequestIn } from "./open-request-in.ts"

describe("what waits for a person", () => {
  test("a question with its choices", () => {
    const asked = {
      id: "que_1",
      sessionID: "ses_1",
      questions: [
        {
          question: "Which?",
          header: "W",
          options: [{ label: "a" }, { label: 7 }],
          multiple: true,
        },
      ],
    }
    expect(openRequestIn(asked)).toEqual({
      kind: "question",
      id: "que_1",
      sessionId: "ses_1",
      questions: [{ text: "Which?", choices: ["a", ""], isMultiple: true }],
    })
  })
  test("a permission with its patterns; an older host has a title", () => {
    const ids = { id: "per_1", sessionID: "ses_1" }
    expect(openRequestIn({ ...ids, permission: "bash", patterns: ["rm *"] })).toMatchObject({
      kind: "permission",
      permission: "bash",
      patterns: ["rm *"],
    })
    expect(openRequestIn({ ...ids, title: "run rm" })).toMatchObject({ permission: "run rm" })
  })
  test.each([null, 7, "x", [], {}, { id: 1, sessionID: "ses_1" }].map((given) => ({ given })))(
    "$given is none",
    ({ given }) => expect(openRequestIn(given)).toBeNull(),
  )
  test("much is cut", () => {
    const long = "x".repeat(100_000)
    const options = Array.from({ length: 1_000 }, () => ({ label: long }))
    const questions = Array.from({ length: 1_000 }, () => ({ question: long, options }))
    const found = openRequestIn({ id: long, sessionID: long, questions })
    expect(JSON.stringify(found).length).toBeLessThan(200_000)
  })
})
