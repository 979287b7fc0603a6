// Ends a run from outside: Ctrl-C and `--timeout`.
import type { RunOutcome } from "./run-event.ts"

/** Ends a run, whatever it is waiting for, when the user ends it or its time is up. */
export interface RunLimit {
  /** Aborted at that moment; everything that may wait long uses it. */
  readonly signal: AbortSignal
  /** What to say about it; null before that. */
  outcome(): RunOutcome | null
  /** Ends the watch for the limit, and everything that still waits with the signal. */
  release(): void
}

const LOOK_MS = 200

/** Sets the limits of a run that begins now; without `timeoutMs` only its user ends it. */
export function openRunLimit(options: {
  readonly signal: AbortSignal
  readonly timeoutMs?: number | undefined
}): RunLimit {
  const { signal: user, timeoutMs = Number.POSITIVE_INFINITY } = options
  const over = new AbortController()
  const deadline = performance.now() + timeoutMs
  let isLate = false
  const end = (): void => over.abort()
  // A single timer would overflow after 24 days.
  const watch = setInterval(() => {
    isLate = performance.now() > deadline
    if (isLate) end()
  }, LOOK_MS)
  user.addEventListener("abort", end, { once: true })
  if (user.aborted) end()
  return {
    signal: over.signal,
    outcome() {
      if (user.aborted) return { kind: "interrupted" }
      return isLate ? { kind: "out-of-time", seconds: Math.round(timeoutMs / 1_000) } : null
    },
    release() {
      clearInterval(watch)
      user.removeEventListener("abort", end)
      end()
    },
  }
}
