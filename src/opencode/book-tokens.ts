import type { Boulder, Work } from "../boulder/boulder.ts"
import { addSpent } from "../boulder/change-work.ts"
import { placeIn, workLed } from "../decide/place.ts"
import { lineageOf } from "./lineage.ts"
import type { Shell } from "./shell.ts"

type Taken = readonly { readonly sessionId: string; readonly tokens: number }[]

/**
 * Writes down on a work what its lead session and the subagents below it have spent since the last time, each
 * answer once. Gives the work as it is then; the same one where nothing was spent, or it is completed.
 */
export async function bookTokens(shell: Shell, work: Work): Promise<Work> {
  const taken = await takeTokens(shell, work.lead_session_id)
  const sum = taken.reduce((all, { tokens }) => all + tokens, 0)
  if (sum === 0 || work.status === "completed") return work
  try {
    const { boulder } = await shell.store.update(addSpent(work.work_id, sum))
    return boulder.works[work.work_id] ?? work
  } catch (error) {
    for (const { sessionId, tokens } of taken)
      shell.sessions.note({ kind: "tokens-returned", sessionId, tokens })
    throw error
  }
}

/** Before a session leads another work: what it has spent so far belongs to the one that it led, or to none. */
export async function closeTokens(
  shell: Shell,
  boulder: Boulder | null,
  sessionId: string,
): Promise<void> {
  const work = workLed(placeIn(boulder, [sessionId]))
  if (work === null) await takeTokens(shell, sessionId)
  else await bookTokens(shell, work)
}

/** Takes the tokens of a session and of those below it out of memory, each at once: no other booking sees them. */
async function takeTokens(shell: Shell, leadId: string): Promise<Taken> {
  const { sessions } = shell
  const spenders = [...sessions.ids()].filter((id) => sessions.of(id).spentTokens > 0)
  const chains = await Promise.all(spenders.map((id) => lineageOf(shell, id)))
  const family = spenders.filter((_, index) => chains[index]?.includes(leadId) ?? false)
  return family.map((sessionId) => {
    const { spentTokens: tokens } = sessions.of(sessionId)
    sessions.note({ kind: "tokens-booked", sessionId })
    return { sessionId, tokens }
  })
}
