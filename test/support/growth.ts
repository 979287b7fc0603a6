const TRIES = 9

/**
 * How many times as long it takes to read `large` as `small`, and the ms for `large`. Compares the best of several runs, after one that
 * only warms up, and stops once the ratio is below `enough`: a busy machine does not make a linear reader quadratic, and nothing makes a
 * quadratic reader linear.
 */
export function growth<Input>(
  read: (input: Input) => unknown,
  { small, large, enough, noiseMs }: Sizes<Input>,
): { readonly ratio: number; readonly ms: number } {
  read(small)
  const best = { small: Number.POSITIVE_INFINITY, large: Number.POSITIVE_INFINITY }
  for (let run = 0; run < TRIES; run++) {
    best.small = Math.min(
      best.small,
      msOf(() => read(small)),
    )
    best.large = Math.min(
      best.large,
      msOf(() => read(large)),
    )
    if (best.large / Math.max(best.small, noiseMs) < enough) break
  }
  return { ratio: best.large / Math.max(best.small, noiseMs), ms: best.large }
}

interface Sizes<Input> {
  readonly small: Input
  readonly large: Input
  /** A ratio that is good enough. */
  readonly enough: number
  /** Below this, noise is larger than growth. */
  readonly noiseMs: number
}

/** 45 and 450 kB of a text: about 10 for a linear reader, 100 for a quadratic one. */
export function tenfold(unit: string): Sizes<string> {
  const whole = (length: number) => unit.repeat(Math.ceil(length / unit.length))
  return { small: whole(45_000), large: whole(450_000), enough: 30, noiseMs: 0.5 }
}

/** Processor time, not wall time, so that other work on the machine does not count. */
function msOf(run: () => unknown): number {
  const start = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1_000
}
