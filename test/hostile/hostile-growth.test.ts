import { expect, test } from "bun:test"
import { type Clock, tooSlow } from "../support/hostile-growth.ts"

const letters = (size: number) => "a".repeat(size)

/** What is said of a reader that takes `ms` for a length; `noise` is how many times as long its nth run takes. */
const told = (ms: (length: number) => number, noise: (run: number) => number = () => 1) => {
  let now = 0
  let runs = 0
  const clock: Clock = async (run) => {
    const start = now
    await run()
    return now - start
  }
  const read = (text: string) => {
    now += ms(text.length) * noise(runs++)
  }
  return tooSlow(read, letters, { clock })
}
const LINEAR = (length: number) => length / 1_000
const QUADRATIC = (length: number) => length ** 2 / 4_000_000
/** One run in so many is slow, as where garbage is collected or code is compiled. */
const oneIn = (count: number, times: number, first: number) => (run: number) =>
  run % count === first ? times : 1

test("a quadratic reader is found, also one that reads no more than a part", async () => {
  expect(await told(QUADRATIC)).toBe("4000: 4.0 ms, 16000: 64.0 ms")
  expect(await told((length) => QUADRATIC(Math.min(length, 15_000)))).not.toBeNull()
})

test("it is found whichever of its runs are slow", async () => {
  for (let first = 0; first < 6; first++)
    for (const count of [6, 12, 24])
      expect(await told(QUADRATIC, oneIn(count, 5, first))).not.toBeNull()
})

test("a linear one is not, though it is slow at one size, and cold, and now and then", async () => {
  expect(await told(LINEAR)).toBeNull()
  expect(await told((length) => LINEAR(length) * (length === 16_000 ? 3 : 1))).toBeNull()
  expect(await told((length) => LINEAR(length) * (length >= 8_000 ? 3 : 1))).toBeNull()
  expect(await told(LINEAR, (run) => (run < 2 ? 50 : 1))).toBeNull()
  for (let first = 0; first < 6; first++)
    for (const count of [2, 3, 6]) expect(await told(LINEAR, oneIn(count, 20, first))).toBeNull()
})

test("a bad quarter of an hour is no growth: it has to be there each time that it is measured", async () => {
  const isLong = (length: number) => length > 4_000
  let runs = 0
  const ms = (length: number) =>
    (runs++ < 24 && isLong(length) ? QUADRATIC(length) * 4 : 0) + LINEAR(length)
  expect(await told(ms)).toBeNull()
})

test("a reader is measured by the time that the processor spends on it", async () => {
  expect(await tooSlow(cubic, letters)).not.toBeNull()
})

/** Takes eight times as long for twice the text, so that a core that is shared, and slow by half now and then, cannot hide it. */
function cubic(text: string): number {
  let found = 0
  for (let time = 0; time < (text.length / 320) ** 2; time++)
    for (let at = 0; at < text.length; at++) found += text.charCodeAt(at) ^ time
  return found
}
