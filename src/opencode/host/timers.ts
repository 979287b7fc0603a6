// Timers that end with the process.
const LONGEST_MS = 600_000
const SHORTEST_MS = 20
const MAX_TIMERS = 1_000

/** At most one timer a session and 1,000 in all: a new one replaces an older one. None keeps the process alive. */
export type Timers = ReturnType<typeof openTimers>

/** Opens the timers. `report` gets what a timer's work throws, and the session that the timer was set for. */
export function openTimers(report: (error: unknown, sessionId: string) => Promise<void>) {
  /** What the runtime gives for cancelling a timer. */
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  /** After `cancelAll` nothing is timed any more: what still runs in a host that is closing begins nothing new. */
  const over = new AbortController()
  const cancel = (sessionId: string): void => {
    clearTimeout(timers.get(sessionId))
    timers.delete(sessionId)
  }
  return {
    set(sessionId: string, waitMs: number, run: () => Promise<void>) {
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
    /** Whether something is timed for a session. */
    has: (sessionId: string) => timers.has(sessionId),
    /** Cancels all timers, for good. */
    cancelAll() {
      over.abort()
      for (const sessionId of [...timers.keys()]) cancel(sessionId)
    },
  }
}
