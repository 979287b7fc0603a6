// Tracks what events are still writing, and how long a look waits for it.
import { withinLimit } from "../host/time-limit.ts"

/** The order between events and looks. It says nothing about a work, and is empty when nothing runs. */
export interface UnderWay {
  /** Something has begun; undefined if nothing has. */
  add(work: Promise<unknown> | undefined): void
  /** Resolves once everything begun so far has ended or has exceeded its limit; never rejects. */
  readonly over: () => Promise<void>
}

/** Nothing is waited for longer than `limitMs` after it began. */
export function openUnderWay(limitMs: number): UnderWay {
  const begun = new Set<Promise<unknown>>()
  return {
    add(work) {
      if (work === undefined) return
      // Whoever began it reports how it fails.
      const over = withinLimit(work, limitMs, "an event").catch(() => undefined)
      begun.add(over)
      void over.then(() => begun.delete(over))
    },
    over: async () => {
      await Promise.all(begun)
    },
  }
}
