// No wait without a limit.

/** A look at a session takes no longer, in ms: less than a hook may, and one behind a timer has no other limit. */
export const LOOK_LIMIT_MS = 7_000

/** A wait that ended before its answer came. */
export class TimeLimitError extends Error {
  override readonly name = "TimeLimitError"
}

/** The answer of `promise`, or a `TimeLimitError` after `limitMs`; the promise itself is not cancelled. */
export async function withinLimit<Answer>(
  promise: Promise<Answer>,
  limitMs: number,
  what: string,
): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeLimitError(`${what} took over ${limitMs} ms`)), limitMs)
  })
  try {
    return await Promise.race([promise, limit])
  } finally {
    clearTimeout(timer)
  }
}
