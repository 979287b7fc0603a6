// Timers that end with the process.
const LONGEST_MS = 600_000
const SHORTEST_MS = 20
const MAX_TIMERS = 1_000

/** One timer a session at most, 1,000 in all: a later one takes the place of an earlier. None keeps the process alive. */
export interface Timers {
  set(sessionId: string, waitMs: number, run: () => Promise<void>): void
  cancel(sessionId: string): void
  /** Whether something is timed for a session. */
  has(sessionId: string): boolean
  /** Takes all timers away, for good. */
  cancelAll(): void
}

/** `report` gets what a timer's work throws, and what the timer was set for. */
export function openTimers(report: (error: unknown, sessionId: string) => Promise<void>): Timers {
  /** What the runtime gives to cancel a timer by. */
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  /** Behind the last cancel nothing is timed: what still runs in a host that goes away begins nothing new. */
  const over = new AbortController()
  const cancel = (sessionId: string): void => {
    clearTimeout(timers.get(sessionId))
    timers.delete(sessionId)
  }
  return {
    set(sessionId, waitMs, run) {
      if (over.signal.aborted) return
      cancel(sessionId)
      const wait = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, waitMs))
      const timer = setTimeout(() => {
        timers.delete(sessionId)
        run().catch((error: unknown) => report(error, sessionId))
      }, wait)
      timer.unref()
      timers.set(sessionId, timer)
      for (const oldest of timers.keys()) {
        if (timers.size <= MAX_TIMERS) break
        cancel(oldest)
      }
    },
    cancel,
    has: (sessionId) => timers.has(sessionId),
    cancelAll() {
      over.abort()
      for (const sessionId of [...timers.keys()]) cancel(sessionId)
    },
  }
}
