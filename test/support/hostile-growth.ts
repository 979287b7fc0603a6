/** Each is four times the one before. A quadratic reader takes sixteen times as long, even one that cuts what it reads. */
const SIZES = [1_000, 4_000, 16_000] as const
/** The same up to 450 kB, for a reader that must not slow down at a length that it cuts. */
export const LONG_SIZES = [28_000, 112_000, 448_000] as const

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

type Sizes = readonly [number, ...number[]]

/** How many milliseconds a run takes. */
export type Clock = (run: () => unknown) => Promise<number>

/** An input, mostly a text, and the least time that it was seen to take. */
interface Timed<Input> {
  readonly input: Input
  ms: number
}

type Read<Input> = (input: Input) => unknown

/**
 * How a reader takes more than linear time for a shape, in words; null if it does not. If a step seems too long, both halves of it have to
 * be: a quadratic reader takes four times as long in each, while a busy machine or a full heap is slow at one size.
 */
export async function tooSlow<Input>(
  read: Read<Input>,
  of: (size: number) => Input,
  { clock = cpuMs, sizes = SIZES }: { readonly clock?: Clock; readonly sizes?: Sizes } = {},
): Promise<string | null> {
  const timed = async (input: Input): Promise<Timed<Input>> => ({
    input,
    ms: await clock(() => read(input)),
  })
  const grows = (step: Step, before: Timed<Input>, now: Timed<Input>) =>
    isTooLong(read, clock, step, before, now)
  const growsAt = async (size: number, before: Timed<Input>, now: Timed<Input>) => {
    if (!(await grows(WHOLE, before, now))) return false
    const half = await timed(of(size / HALF.times))
    return (await grows(HALF, before, half)) && (await grows(HALF, half, now))
  }
  const [first, ...others] = sizes
  let before = await timed(of(first))
  for (const size of others) {
    let now = await timed(of(size))
    for (let look = 1; await growsAt(size, before, now); look++) {
      if (look === LOOKS)
        return `${size / WHOLE.times}: ${before.ms.toFixed(1)} ms, ${size}: ${now.ms.toFixed(1)} ms`
      before = await timed(before.input)
      now = await timed(now.input)
    }
    before = now
  }
  return null
}

/** Whether a step takes more than linear time, by the best of several runs. The shorter text is read until as much was read as of the longer one. */
async function isTooLong<Input>(
  read: Read<Input>,
  clock: Clock,
  { times, enough, noiseMs }: Step,
  before: Timed<Input>,
  now: Timed<Input>,
): Promise<boolean> {
  if (now.ms < enough * noiseMs) return false
  const runs = now.ms > LONG_MS ? FINE : TRIES
  let fine = 0
  for (let run = 0; run < runs && fine < FINE; run++) {
    const all = await clock(async () => {
      for (let time = 0; time < times; time++) await read(before.input)
    })
    before.ms = Math.min(before.ms, all / times)
    now.ms = Math.min(now.ms, await clock(() => read(now.input)))
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
