// Finds where a file's bytes differ from earlier ones by ticks alone.
import type { Buffer } from "node:buffer"
import { MAX_TICKS, type Tick } from "../../plan/with-ticks.ts"

const CHUNK = 16 * 1_024
const BLANK = 0x20
const TICK = 0x78
const [LINE_FEED, RETURN] = [0x0a, 0x0d]
const BYTE_ORDER_MARK = "\ufeff"

/** Where each line of a text begins, from 0. */
export type LineStarts = readonly number[]

/**
 * Where a blank became an `x`; none if the bytes are the same, null if anything else differs. The plan decides which of them are in a box.
 * `startsOf` is called only if there are ticks, since they move no line.
 */
export function ticksBetween(
  before: Buffer,
  after: Buffer,
  startsOf: () => LineStarts,
): readonly Tick[] | null {
  const found = before.length === after.length ? ticksIn(before, after) : null
  if (found === null) return null
  const starts = found.length === 0 ? [] : startsOf()
  return found.map((at) => {
    const index = lineAt(starts, at)
    const text = before.toString("utf8", starts[index], at)
    // It belongs to no line.
    const column = index === 0 && text.startsWith(BYTE_ORDER_MARK) ? text.length - 1 : text.length
    return { index, column }
  })
}

/** Compares bytes. */
function ticksIn(before: Buffer, after: Buffer): readonly number[] | null {
  const found: number[] = []
  for (let from = 0; from < after.length; from += CHUNK) {
    const to = Math.min(from + CHUNK, after.length)
    if (before.compare(after, from, to, from, to) === 0) continue
    for (let at = from; at < to; at++) if (before[at] !== after[at]) found.push(at)
    const areTicks = found.every((at) => before[at] === BLANK && after[at] === TICK)
    if (!areTicks || found.length > MAX_TICKS) return null
  }
  return found
}

/** Where the lines begin that `splitLines` would make of these bytes. */
export function lineStartsIn(bytes: Buffer): LineStarts {
  const starts = [0]
  for (let at = 0; at < bytes.length; at++) {
    const sign = bytes[at]
    if (sign === LINE_FEED || (sign === RETURN && bytes[at + 1] !== LINE_FEED)) starts.push(at + 1)
  }
  return starts
}

/** The last line that begins here or before. */
function lineAt(starts: LineStarts, at: number): number {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? 0) <= at) low = middle
    else high = middle - 1
  }
  return low
}
