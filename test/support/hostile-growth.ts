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
/** A step is short enough once it was so in this many runs: the shorter text may have been read while the processor was slow, which is by half where two share a core. */
const FINE = 4
/** So much shorter than enough, and one run tells: no core is slow by so much. */
const CLEAR = 1.5
/** What takes this long is little noise: fewer runs are enough. */
const LONG_MS = 100
/** How often a step has to be too long, each time measured anew: a reader's growth is there each time, and noise is not. */
const LOOKS = 3

/** How many milliseconds a run takes. */
export type Clock = (run: () => unknown) => Promise<number>

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
  clock: Clock = cpuMs,
): Promise<string | null> {
  const timed = async (text: string): Promise<Timed> => ({
    text,
    ms: await clock(() => read(text)),
  })
  const grows = (step: Step, before: Timed, now: Timed) => isTooLong(read, clock, step, before, now)
  const growsAt = async (size: number, before: Timed, now: Timed): Promise<boolean> => {
    if (!(await grows(WHOLE, before, now))) return false
    const half = await timed(of(size / HALF.times))
    return (await grows(HALF, before, half)) && (await grows(HALF, half, now))
  }
  const [first, ...others] = SIZES
  let before = await timed(of(first))
  for (const size of others) {
    let now = await timed(of(size))
    for (let look = 1; await growsAt(size, before, now); look++) {
      if (look === LOOKS)
        return `${size / WHOLE.times}: ${before.ms.toFixed(1)} ms, ${size}: ${now.ms.toFixed(1)} ms`
      before = await timed(before.text)
      now = await timed(now.text)
    }
    before = now
  }
  return null
}

/** Whether a step takes more than linear time, by the best of several runs. The shorter text is read until as much was read as of the longer one. */
async function isTooLong(
  read: HostileReader["read"],
  clock: Clock,
  { times, enough, noiseMs }: Step,
  before: Timed,
  now: Timed,
): Promise<boolean> {
  if (now.ms < enough * noiseMs) return false
  const runs = now.ms > LONG_MS ? FINE : TRIES
  let fine = 0
  for (let run = 0; run < runs && fine < FINE; run++) {
    const all = await clock(async () => {
      for (let time = 0; time < times; time++) await read(before.text)
    })
    before.ms = Math.min(before.ms, all / times)
    now.ms = Math.min(now.ms, await clock(() => read(now.text)))
    const ratio = now.ms / Math.max(noiseMs, before.ms)
    if (ratio < enough / CLEAR) return false
    fine = ratio < enough ? fine + 1 : 0
  }
  return fine === 0
}

/** Processor time, not wall time, so that other work on the machine does not count. */
async function cpuMs(run: () => unknown): Promise<number> {
  const start = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1_000
}
