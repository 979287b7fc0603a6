// Runs one thing after another, separately for each session.
import { withinLimit } from "./time-limit.ts"

/** Runs what belongs to a session after everything that was begun for it before. Gives its answer. */
export type InTurn = <Answer>(sessionId: string, run: () => Promise<Answer>) => Promise<Answer>

/**
 * Opens a queue for each session. It holds only an order and says nothing about a work. What takes over `limitMs` rejects with a
 * `TimeLimitError` and no longer holds up what comes after it. Sessions do not wait for each other.
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
