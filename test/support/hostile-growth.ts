import type { HostileReader } from "./hostile-readers.ts"
import type { HostileShape } from "./hostile-shapes.ts"

/** Each is four times the one before. A quadratic reader takes sixteen times as long, even one that cuts what it reads. */
const SIZES = [1_000, 4_000, 16_000] as const

/** How many times as long a text is, and what a reader must stay below: halfway between linear and quadratic. */
interface Step {
  readonly times: number
  readonly enough: number
  /** Below this, noise is larger than growth. */
  readonly noiseMs: number
}
const WHOLE: Step = { times: 4, enough: 8, noiseMs: 2 }
const HALF: Step = { times: 2, enough: 2.8, noiseMs: 0.7 }

const TRIES = 7
/** What takes this long is no noise: two more runs are enough. */
const LONG_MS = 100

/** A text, and the least time that it was seen to take. */
interface Timed {
  readonly text: string
  ms: number
}

/**
 * How a reader takes more than linear time for a shape, in words; null if it does not. If a step seems too long, both halves of it have to
 * be: a quadratic reader takes four times as long in each, while a busy machine or a full heap is slow at one size.
 */
export async function tooSlow(
  { read }: HostileReader,
  { of }: HostileShape,
): Promise<string | null> {
  const timed = async (text: string): Promise<Timed> => ({
    text,
    ms: await msOf(() => read(text)),
  })
  const [first, ...others] = SIZES
  let before = await timed(of(first))
  for (const size of others) {
    const now = await timed(of(size))
    if (await grows(read, WHOLE, before, now)) {
      const half = await timed(of(size / HALF.times))
      const isInBoth =
        (await grows(read, HALF, before, half)) && (await grows(read, HALF, half, now))
      const words = `${size / WHOLE.times}: ${before.ms.toFixed(1)} ms, ${size}: ${now.ms.toFixed(1)} ms`
      if (isInBoth) return words
    }
    before = now
  }
  return null
}

/** Whether a step takes more than linear time, by the best of several runs. The shorter text is read until as much was read as of the longer one. */
async function grows(
  read: HostileReader["read"],
  { times, enough, noiseMs }: Step,
  before: Timed,
  now: Timed,
): Promise<boolean> {
  const isFine = () => now.ms < enough * Math.max(noiseMs, before.ms)
  if (now.ms < enough * noiseMs) return false
  for (let run = 0; run < (now.ms > LONG_MS ? 2 : TRIES); run++) {
    // Always once: what was measured first may have been slow because nothing was compiled yet.
    const all = await msOf(async () => {
      for (let time = 0; time < times; time++) await read(before.text)
    })
    before.ms = Math.min(before.ms, all / times)
    if (isFine()) return false
    now.ms = Math.min(now.ms, await msOf(() => read(now.text)))
  }
  return !isFine()
}

/** Processor time, not wall time, so that other work on the machine does not count. */
async function msOf(run: () => unknown): Promise<number> {
  const start = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1_000
}
