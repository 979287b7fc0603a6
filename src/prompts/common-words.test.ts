import { expect, test } from "bun:test"
import { encode } from "gpt-tokenizer/encoding/o200k_base"
import { COMMON_WORDS } from "./common-words.ts"

test("a common word is one token, with a blank before it and with a capital too", () => {
  const dearer = [...COMMON_WORDS].filter((word) => {
    const capital = word.charAt(0).toUpperCase() + word.slice(1)
    const forms = [word, ` ${word}`, capital, ` ${capital}`]
    return forms.some((form) => encode(form).length > 1)
  })
  expect(dearer).toEqual([])
})
