// Reuses the memory that a large plan is read into: getting new memory takes longer than the reading.
import { Buffer } from "node:buffer"

/** Memory for one reading at a time. */
export interface ReadRoom {
  /** Free memory for this many bytes, for whoever asks first; at most half of it stays empty. */
  take(bytes: number): Buffer | undefined
  /** Takes back the memory of bytes that nobody uses any more. */
  giveBack(bytes: Buffer): void
}

/** Smaller pieces are quick to get, and may be parts of a larger one. */
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
