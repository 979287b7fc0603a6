import { expect, test } from "bun:test"
import { tooSlow } from "../support/hostile-growth.ts"

const SHAPE = { shape: "letters", of: (size: number) => "a".repeat(size) }
const told = (read: (text: string) => unknown) => tooSlow({ reader: "a reader", read }, SHAPE)

/** Looks at each sign so many times. */
const looks = (text: string, times: number): number => {
  let found = 0
  for (let time = 0; time < times; time++)
    for (let at = 0; at < text.length; at++) found += text.charCodeAt(at) ^ time
  return found
}

test("a quadratic reader is found, also one that reads no more than a part", async () => {
  expect(await told((text) => looks(text, text.length / 8))).toMatch(/^4000: .* ms, 16000: .* ms$/)
  expect(await told((text) => looks(text.slice(0, 15_000), text.length / 8))).not.toBeNull()
})

test("a linear one is not, though it fills the heap, and is slow at one size or now and then", async () => {
  let runs = 0
  const read = (text: string) => {
    runs += 1
    looks(text, (runs % 3 === 0 ? 3_000 : 1_000) * (text.length === 16_000 ? 3 : 1))
    return Array.from(text, (sign) => ({ sign, copy: sign.repeat(100).split("") }))
  }
  expect(await told(read)).toBeNull()
})
