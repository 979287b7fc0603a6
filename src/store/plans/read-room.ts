// The memory that a large plan is read into, used again: to come by new memory takes the system longer than the reading.
import { Buffer } from "node:buffer"

/** Memory for one reading at a time. */
export interface ReadRoom {
  /** What is free and fits so many bytes, for who asks first: of what is kept no more than half is left empty. */
  take(bytes: number): Buffer | undefined
  /** Takes back the memory of bytes that nobody looks at any more. */
  giveBack(bytes: Buffer): void
}

/** Smaller pieces are come by quickly, and may be parts of a larger one. */
const LEAST_BYTES = 65_536

export function openReadRoom(): ReadRoom {
  let free: Buffer | undefined
  return {
    take(bytes) {
      const taken = free
      if (taken === undefined || taken.length <= bytes || taken.length > 2 * bytes) return undefined
      free = undefined
      return taken
    },
    giveBack(bytes) {
      if (bytes.length >= LEAST_BYTES) free = Buffer.from(bytes.buffer)
    },
  }
}
