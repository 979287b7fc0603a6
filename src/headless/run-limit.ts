// What ends a run from outside: Ctrl-C and `--timeout`.
import type { RunOutcome } from "./run-event.ts"

/** When a run is over whatever it waits for: the user ends it, or its time is up. */
export interface RunLimit {
  /** Aborted then; everything that may wait for long takes it. */
  readonly signal: AbortSignal
  /** What to say of it; null before. */
  outcome(): RunOutcome | null
  /** Ends the watch for the limit, and whatever still waits with the signal. */
  release(): void
}

const LOOK_MS = 200

/** Opens the limits of a run that begins now; without `timeoutMs` only its user ends it. */
export function openRunLimit(options: {
  readonly signal: AbortSignal
  readonly timeoutMs?: number | undefined
}): RunLimit {
  const { signal: user, timeoutMs = Number.POSITIVE_INFINITY } = options
  const over = new AbortController()
  const deadline = performance.now() + timeoutMs
  let isLate = false
  const end = (): void => over.abort()
  // A timer for all the time would overflow behind 24 days.
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
