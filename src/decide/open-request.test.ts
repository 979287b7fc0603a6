import { describe, expect, test } from "bun:test"
import { answerTo, openRequestIn } from "./open-request.ts"

const which = { text: "Which?", choices: ["Keep", "Drop", "2"], isMultiple: false }
const some = { text: "Some?", choices: ["a", "b", "c,d"], isMultiple: true }

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

describe("an answer in words", () => {
  test.each([
    { name: "by number", of: [which], words: "1", is: [["Keep"]] },
    { name: "by label, in any case", of: [which], words: "drop", is: [["Drop"]] },
    { name: "a label before a number", of: [which], words: "2", is: [["2"]] },
    { name: "several", of: [some], words: "2, 1", is: [["b", "a"]] },
    { name: "a label with a comma", of: [some], words: "c,d", is: [["c,d"]] },
    { name: "of two questions", of: [which, some], words: "1; b,b", is: [["Keep"], ["b"]] },
  ])("$name", ({ of, words, is }) => {
    expect(answerTo(of, words)).toEqual({ kind: "answers", answers: is })
  })
  test.each([
    { name: "nothing", of: [which], words: undefined },
    { name: "too much", of: [which], words: "1; 2" },
    { name: "a number that is none", of: [which], words: "4" },
    { name: "0", of: [which], words: "0" },
    { name: "the beginning of a label", of: [which], words: "Ke" },
    { name: "several where one is asked for", of: [which], words: "1,2" },
    { name: "one of several that is none", of: [some], words: "1,9" },
    {
      name: "a label that stands there twice",
      of: [{ ...which, choices: ["a", "A"] }],
      words: "a",
    },
  ])("$name is unclear", ({ of, words }) => {
    expect(answerTo(of, words)).toMatchObject({ kind: "unclear" })
  })
})
