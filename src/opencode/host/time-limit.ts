// Waits for nothing without a limit.
import { orLate } from "../../store/disk/answering.ts"

/** A look at a session takes no longer than this, in ms. It is less than a hook's limit; a look that a timer starts has no other limit. */
export const LOOK_LIMIT_MS = 7_000

/** A wait that ended before its answer came. */
export class TimeLimitError extends Error {
  override readonly name = "TimeLimitError"
}

/** The answer of `promise`; throws a `TimeLimitError` after `limitMs`. */
export function withinLimit<Answer>(
  promise: Promise<Answer>,
  limitMs: number,
  what: string,
): Promise<Answer> {
  return orLate(limitMs, promise, () => {
    throw new TimeLimitError(`${what} took over ${limitMs} ms`)
  })
}
