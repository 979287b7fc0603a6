// Finds where a file's bytes differ from earlier ones by ticks alone.
import type { Buffer } from "node:buffer"
import { MAX_TICKS, type Tick } from "../../plan/with-ticks.ts"
import type { QuickHandle } from "../disk/quick-files.ts"

/** How much is compared at once. */
const CHUNK = 16 * 1_024
const BLANK = 0x20
const TICK = 0x78
const [LINE_FEED, RETURN] = [0x0a, 0x0d]
const BYTE_ORDER_MARK = "\ufeff"

/** Where each line of a text begins, from 0. */
export type LineStarts = readonly number[]

/**
 * Puts the ticks of an open file into the bytes that it had before, and gives their places; none if it has the same bytes. Null if anything
 * else differs: then nothing is put there. It is read in pieces as large as `into` and compared there: that stays near the processor, and
 * memory that was written before is had sooner than new memory.
 */
export async function takeTicks(
  handle: Pick<QuickHandle, "read">,
  before: Buffer,
  into: Buffer,
): Promise<readonly number[] | null> {
  const found: number[] = []
  let [from, read] = [0, into.length]
  // A short read is the end of a regular file.
  for (; read === into.length; from += read) {
    read = (await handle.read(into, 0, into.length, from)).bytesRead
    const isLonger = from + read > before.length
    const ticks = isLonger ? null : ticksIn(before, into.subarray(0, read), from)
    if (ticks === null || found.length + ticks.length > MAX_TICKS) return null
    found.push(...ticks)
  }
  if (from !== before.length) return null
  for (const at of found) before[at] = TICK
  return found
}

/** Where a blank of `before` became an `x` in a piece that begins at `from`; null if anything else differs. */
function ticksIn(before: Buffer, piece: Buffer, from: number): readonly number[] | null {
  const found: number[] = []
  for (let start = 0; start < piece.length; start += CHUNK) {
    const end = Math.min(start + CHUNK, piece.length)
    if (before.compare(piece, start, end, from + start, from + end) === 0) continue
    for (let at = start; at < end; at++) {
      if (before[from + at] === piece[at]) continue
      if (before[from + at] !== BLANK || piece[at] !== TICK) return null
      found.push(from + at)
    }
  }
  return found
}

/** The lines and columns of places in bytes; the plan decides which of them are in a box. */
export function ticksAt(
  bytes: Buffer,
  places: readonly number[],
  starts: LineStarts,
): readonly Tick[] {
  return places.map((at) => {
    const index = lineAt(starts, at)
    const text = bytes.toString("utf8", starts[index], at)
    // It belongs to no line.
    const column = index === 0 && text.startsWith(BYTE_ORDER_MARK) ? text.length - 1 : text.length
    return { index, column }
  })
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
