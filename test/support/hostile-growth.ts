import type { HostileReader } from "./hostile-readers.ts"
import type { HostileShape } from "./hostile-shapes.ts"

/** Each is four times the one before. A quadratic reader takes sixteen times as long, even one that cuts what it reads. */
const SIZES = [1_000, 4_000, 16_000] as const
const TIMES = 4
const ENOUGH = 8
/** Below this, noise is larger than growth. */
const NOISE_MS = 2
const TRIES = 7
/** What takes this long is no noise: two more runs are enough. */
const LONG_MS = 100

/**
 * How a reader takes more than linear time for a shape, in words; null if it does not. If it seems to, the best of several runs is
 * compared: a busy machine does not make a linear reader quadratic.
 */
export async function tooSlow(
  { read }: HostileReader,
  { of }: HostileShape,
): Promise<string | null> {
  let before = { text: "", ms: Number.POSITIVE_INFINITY }
  for (const size of SIZES) {
    const text = of(size)
    const now = { text, ms: await msOf(() => read(text)) }
    const isFine = () => now.ms < ENOUGH * Math.max(NOISE_MS, before.ms)
    for (let run = 0; run < (now.ms > LONG_MS ? 2 : TRIES) && !isFine(); run++) {
      before.ms = Math.min(before.ms, await msOf(() => read(before.text)))
      now.ms = Math.min(now.ms, await msOf(() => read(now.text)))
    }
    if (!isFine()) {
      return `${size / TIMES}: ${before.ms.toFixed(1)} ms, ${size}: ${now.ms.toFixed(1)} ms`
    }
    before = now
  }
  return null
}

/** Processor time, not wall time, so that other work on the machine does not count. */
async function msOf(run: () => unknown): Promise<number> {
  const start = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1_000
}
