// Where a file's bytes differ from those of before by ticks alone.
import type { Buffer } from "node:buffer"
import { MAX_TICKS } from "../../plan/with-ticks.ts"

const CHUNK = 16 * 1_024
const BLANK = 0x20
const TICK = 0x78

/**
 * The indexes, in the text that the bytes are, at which a blank became an `x`; null where anything else is another. Which of them
 * stand in a box is the plan's to say.
 */
export function ticksBetween(before: Buffer, after: Buffer): readonly number[] | null {
  if (before.length !== after.length) return null
  const found: number[] = []
  for (let from = 0; from < after.length; from += CHUNK) {
    const to = Math.min(from + CHUNK, after.length)
    if (before.compare(after, from, to, from, to) === 0) continue
    for (let at = from; at < to; at++) if (before[at] !== after[at]) found.push(at)
    const areTicks = found.every((at) => before[at] === BLANK && after[at] === TICK)
    if (!areTicks || found.length > MAX_TICKS) return null
  }
  return inText(before, found)
}

/** A sign of more than one byte is one or two in the text; a blank is never part of one. */
function inText(bytes: Buffer, ticks: readonly number[]): readonly number[] {
  let from = 0
  let length = 0
  return ticks.map((tick) => {
    length += bytes.toString("utf8", from, tick).length
    from = tick
    return length
  })
}
