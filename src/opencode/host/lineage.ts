// Finds a session's ancestors and descendants, and whether it belongs to this project.
import { SESSION_ID } from "../../boulder/boulder.ts"
import { realPathOrSelf } from "../../store/disk/real-path.ts"
import { pathBelow } from "../../store/plans/plan-path.ts"
import type { Remembering, Shell } from "./shell.ts"

const MAX_STEPS = 8

/** A session and its ancestors, itself first, at most 8 steps up. Null if an id has the wrong form or the host does not know a session. */
export async function lineageOf(
  { api, sessions }: Pick<Shell, "api" | "sessions">,
  sessionId: string,
): Promise<readonly string[] | null> {
  const chain: string[] = []
  let current: string | null = sessionId
  while (current !== null && chain.length <= MAX_STEPS) {
    if (!SESSION_ID.test(current) || chain.includes(current)) return null
    chain.push(current)
    const known: string | null | undefined = sessions.of(current).parentId
    if (known !== undefined) {
      current = known
      continue
    }
    const session = await api.session(current)
    if (session === null) return null
    sessions.note({ kind: "session-created", sessionId: current, parentId: session.parentId })
    current = session.parentId
  }
  return chain
}

/**
 * Whether the host has a session and works for it inside this project. A copy of a project holds a copy of the original's state: what is
 * prompted into a session named there is done in the original.
 */
export async function isSessionHere(
  { api, root }: Pick<Shell, "api" | "root">,
  sessionId: string,
): Promise<boolean> {
  const session = await api.session(sessionId)
  if (session?.directory === undefined) return session !== null
  const folder = await realPathOrSelf(session.directory)
  return folder === root || pathBelow(root, folder) !== null
}

/** The remembered sessions above one, nearest first. */
export function ancestorsOf({ sessions }: Remembering, sessionId: string): readonly string[] {
  const above: string[] = []
  let current = sessions.of(sessionId).parentId
  while (current && above.length < MAX_STEPS) {
    above.push(current)
    current = sessions.of(current).parentId
  }
  return above
}

/** The remembered sessions below `leadId`. */
export function descendantsOf({ sessions }: Remembering, leadId: string): readonly string[] {
  return [...sessions.ids()].filter((id) => ancestorsOf({ sessions }, id).includes(leadId))
}
