// Takes what a work's sessions have spent out of memory, all at once.
import type { Spent } from "../../boulder/spent.ts"
import { isSpent } from "../../decide/memory/count-answers.ts"
import { ancestorsOf, descendantsOf } from "../host/lineage.ts"
import type { Remembering } from "../host/shell.ts"

/** Takes what a session and those below it have spent out of memory, all at once, so that no other booking sees it. */
export function takeSpent(shell: Remembering, leadId: string) {
  const { sessions } = shell
  const taken = spenders(shell, leadId)
  for (const { sessionId } of taken) sessions.note({ kind: "spent-booked", sessionId })
  return {
    spent: taken.map(({ spent }) => spent),
    /** Puts it back into memory, because it could not be written. */
    giveBack() {
      for (const { sessionId, spent } of taken)
        sessions.note({ kind: "spent-returned", sessionId, spent })
    },
  }
}

/** What a session and those below it have spent and no work has written down yet. */
export function spentSoFar(shell: Remembering, leadId: string): readonly Spent[] {
  return spenders(shell, leadId).map(({ spent }) => spent)
}

function spenders(shell: Remembering, leadId: string) {
  const { sessions } = shell
  return [leadId, ...descendantsOf(shell, leadId)].flatMap((sessionId) => {
    const { spent } = sessions.of(sessionId)
    if (!isSpent(spent)) return []
    const path = pathBelow(shell, sessionId, leadId)
    return [{ sessionId, spent: { ...spent, path, callId: callOf(shell, path, leadId) } }]
  })
}

/** A session and those above it, up to but without the lead. */
function pathBelow(shell: Remembering, sessionId: string, leadId: string): readonly string[] {
  if (sessionId === leadId) return []
  const above = ancestorsOf(shell, sessionId)
  return [sessionId, ...above.slice(0, above.indexOf(leadId))]
}

/** The lead's call in flight that one of these sessions runs for; null if none. */
function callOf({ sessions }: Remembering, path: readonly string[], leadId: string): string | null {
  const call = sessions
    .of(leadId)
    .calls.find(({ childId }) => childId !== null && path.includes(childId))
  return call?.callId ?? null
}
