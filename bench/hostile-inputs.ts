import { PLAN_READERS } from "../test/support/hostile-plan-readers.ts"
import { type HostileReader, READERS } from "../test/support/hostile-readers.ts"
import { HOSTILE_SHAPES, type HostileShape } from "../test/support/hostile-shapes.ts"

/** Doubled from the one to the other, and not beyond what takes too long. */
const SMALLEST = 4_000
const LARGEST = 256_000
const TOO_LONG_MS = 1_500
/** What is read faster is not looked at: noise is larger than growth. */
const NOISE_MS = 6
const TELLING_EXPONENT = 1.3

/**
 * Hunts for readers that take more than linear time: every reader of the hostile-input table with every shape, at
 * doubling sizes; shows those whose time grows with an exponent of over 1.3. An argument chooses readers by name.
 */
async function hunt(part: string): Promise<void> {
  for (const reader of [...PLAN_READERS, ...READERS]) {
    if (!reader.reader.includes(part)) continue
    for (const shape of HOSTILE_SHAPES) await measure(reader, shape)
  }
}

async function measure(reader: HostileReader, { shape, of }: HostileShape): Promise<void> {
  const times: { readonly size: number; readonly ms: number }[] = []
  for (let size = SMALLEST; size <= LARGEST; size *= 2) {
    const text = of(size)
    const ms = Math.min(await msOf(reader, text), await msOf(reader, text))
    times.push({ size, ms })
    if (ms > TOO_LONG_MS) break
  }
  const telling = times.filter(({ ms }) => ms > NOISE_MS / 3)
  const [first, last] = [telling[0], telling.at(-1)]
  if (first === undefined || last === undefined || first === last || last.ms < NOISE_MS) return
  const exponent = Math.log(last.ms / first.ms) / Math.log(last.size / first.size)
  if (exponent < TELLING_EXPONENT) return
  const name = `${reader.reader}${reader.as === undefined ? "" : ` (${reader.as})`}`
  console.log(`${exponent.toFixed(2)} ${last.ms.toFixed(0)} ms at ${last.size}: ${name}: ${shape}`)
}

async function msOf({ reader, read }: HostileReader, text: string): Promise<number> {
  const start = process.cpuUsage()
  try {
    await read(text)
  } catch (error) {
    console.log(`threw: ${reader}: ${String(error).slice(0, 200)}`)
  }
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1_000
}

await hunt(process.argv[2] ?? "")
