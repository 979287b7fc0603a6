import { describe, expect, test } from "bun:test"
import { answerTo } from "./open-request.ts"

const which = { text: "Which?", choices: ["Keep", "Drop", "2"], isMultiple: false }
const some = { text: "Some?", choices: ["a", "b", "c,d"], isMultiple: true }

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
  test("what is unclear is said with what was expected", () => {
    const kind = "unclear"
    expect(answerTo([which], undefined)).toEqual({ kind, expected: "one choice", found: "none" })
    const both = "2 choices with ; between"
    expect(answerTo([which, some], "1;2;3")).toEqual({ kind, expected: both, found: "3" })
    expect(answerTo([some], "9")).toEqual({
      ...{ kind, found: "9" },
      expected: "some of 1 a, 2 b, 3 c,d (such as 1,2)",
    })
    expect(answerTo([which], "9")).toMatchObject({ expected: "one of 1 Keep, 2 Drop, 3 2" })
  })
})
