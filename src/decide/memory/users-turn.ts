// Tells whose turn it is: rounds, limits and guards apply to a work's turns, not to the user's.
import type { Work } from "../../boulder/boulder.ts"
import type { SessionMemory } from "./session-memory.ts"

/** The turn of another agent than the work's: the user is using the session for something else. */
export function isOtherAgents({ agent }: SessionMemory, work: Pick<Work, "agent">): boolean {
  return agent !== null && work.agent !== null && agent !== work.agent
}

/** A turn that the user started, or another agent's. */
export function isUsersOwn(memory: SessionMemory, work: Pick<Work, "agent">): boolean {
  return memory.isUsersTurn || isOtherAgents(memory, work)
}
