// What events still write, and how long a look waits for it.
import { withinLimit } from "../host/time-limit.ts"

/** The order between events and looks: it says nothing of a work, and is empty when nothing runs. */
export interface UnderWay {
  /** Something has begun; undefined where nothing has. */
  add(work: Promise<unknown> | undefined): void
  /** Resolves once all that has begun so far is over, or has taken over its limit; never rejects. */
  readonly over: () => Promise<void>
}

/** Nothing that takes over `limitMs` since it began is waited for any longer. */
export function openUnderWay(limitMs: number): UnderWay {
  const begun = new Set<Promise<unknown>>()
  return {
    add(work) {
      if (work === undefined) return
      // How it fails is told by whoever has begun it.
      const over = withinLimit(work, limitMs, "an event").catch(() => undefined)
      begun.add(over)
      void over.then(() => begun.delete(over))
    },
    over: async () => {
      await Promise.all(begun)
    },
  }
}
