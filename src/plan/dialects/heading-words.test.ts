// What a heading says, without the signs around it.
import { expect, test } from "bun:test"
import { headingWords, numberedWords } from "./heading-words.ts"

test.each([
  { text: "Core:", words: "Core" },
  { text: "2. **Core** 🎉", words: "Core" },
  { text: "Core (old) …", words: "Core (old)" },
  { text: "x:", words: "x" },
  { text: "Write `a.js`", words: "Write `a.js`" },
  { text: "Read *b*:", words: "Read *b*" },
  { text: "`Core`", words: "Core" },
  { text: "🎉", words: "" },
])("$text", ({ text, words }) => {
  expect(headingWords(text)).toBe(words)
})

test("its number may stay", () => {
  expect(numberedWords("✅ 2. Core!")).toBe("2. Core")
})
