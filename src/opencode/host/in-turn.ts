// One after the other, each session by itself.
import { withinLimit } from "./time-limit.ts"

/** Runs what belongs to a session behind what was begun for it before; gives its answer. */
export type InTurn = <Answer>(sessionId: string, run: () => Promise<Answer>) => Promise<Answer>

/**
 * Turns that say nothing of a work: only an order. One that takes over `limitMs` rejects with a `TimeLimitError` and
 * holds up those behind it no longer; another session's waits for none of them.
 */
export function openTurns(limitMs: number, what: string): InTurn {
  const last = new Map<string, Promise<unknown>>()
  return (sessionId, run) => {
    const before = last.get(sessionId) ?? Promise.resolve()
    const mine = before.then(() => withinLimit(run(), limitMs, what))
    const ended = mine
      .catch(() => null)
      .then(() => {
        if (last.get(sessionId) === ended) last.delete(sessionId)
      })
    last.set(sessionId, ended)
    return mine
  }
}
