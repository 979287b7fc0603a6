// Tracks what events are still writing, and how long a look waits for it.
import { withinLimit } from "../host/time-limit.ts"

/** Nothing is waited for longer than `limitMs` after it began. */
export function openUnderWay(limitMs: number) {
  const begun = new Set<Promise<unknown>>()
  return {
    /** Something has begun; undefined if nothing has. */
    add(work: Promise<unknown> | undefined) {
      if (work === undefined) return
      // Whoever began it reports how it fails.
      const over = withinLimit(work, limitMs, "an event").catch(() => undefined)
      begun.add(over)
      void over.then(() => begun.delete(over))
    },
    /** Resolves once everything begun so far has ended or has exceeded its limit; never rejects. */
    over: async () => {
      await Promise.all(begun)
    },
  }
}
