// Finds the sessions that may save each other's records.
import type { Work } from "../../boulder/boulder.ts"
import { ancestorsOf, lineageOf } from "../host/lineage.ts"
import type { Shell } from "../host/shell.ts"

/**
 * The sessions that lead or have led a work, and those below them as far as they are known: the host is asked for those above each that
 * holds a record of the work, so that a claim outlives neither a new lead nor the process.
 */
export async function familyOf(
  shell: Pick<Shell, "handoffs" | "api" | "sessions">,
  { work_id: workId, session_ids: leads }: Work,
): Promise<readonly string[]> {
  const { handoffs } = await shell.handoffs.open()
  const claims = handoffs.map((one) => (one.work_id === workId ? one.claim : null))
  for (const claim of claims) if (claim !== null) await lineageOf(shell, claim.session_id)
  const isBelow = (id: string) => ancestorsOf(shell, id).some((above) => leads.includes(above))
  return [...leads, ...[...shell.sessions.ids()].filter(isBelow)]
}
