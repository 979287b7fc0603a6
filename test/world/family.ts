// Finds who runs for whom in a world, by what its hosts have really done.
import type { World } from "./world.ts"

/** The session that called this one last, else the one that created it; null if there is none. */
export function callerOf(world: World, sessionId: string): string | null {
  const call = world.ledger.calls.findLast(({ child }) => child === sessionId)
  return call?.sessionId ?? world.db.sessions.get(sessionId)?.parentID ?? null
}

/** A session and all that run below it. */
export function familyOf(world: World, leadId: string): readonly string[] {
  const below = [...world.db.sessions.keys()].filter((id) => {
    let at: string | null = id
    for (let steps = 0; at !== null && steps < 8; steps++) {
      if (at === leadId) return true
      at = callerOf(world, at)
    }
    return false
  })
  return [...new Set([leadId, ...below])]
}
