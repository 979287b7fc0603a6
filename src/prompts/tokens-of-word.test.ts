import { expect, test } from "bun:test"
import { encode } from "gpt-tokenizer/encoding/o200k_base"
import { COMMON_WORDS, ENDINGS } from "./common-words.ts"
import { tokensOfWord } from "./tokens-of-word.ts"

test("a known word costs what is said of it, with a blank before it and with a capital too", () => {
  const known = [...COMMON_WORDS].flatMap((word) => [word, ...ENDINGS.map((end) => word + end)])
  const dearer = known.filter((word) => {
    const said = tokensOfWord(word) ?? 0
    const capital = word.charAt(0).toUpperCase() + word.slice(1)
    const forms = [word, ` ${word}`, capital, ` ${capital}`]
    return forms.some((form) => encode(form).length > said)
  })
  expect(dearer).toEqual([])
})

test.each([
  { word: "the", tokens: 1 },
  { word: "Tests", tokens: 1 },
  { word: "toString", tokens: null },
  { word: "xqzj", tokens: null },
  { word: "constructor", tokens: 1 },
  { word: "", tokens: null },
])("$word: $tokens", ({ word, tokens }) => {
  expect(tokensOfWord(word)).toBe(tokens)
})
