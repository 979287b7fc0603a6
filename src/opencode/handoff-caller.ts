import type { Work } from "../boulder/boulder.ts"
import { workOfSession } from "../boulder/find-work.ts"
import type { PlaceInWork } from "../boulder/handoff-target.ts"
import { dispatchOf } from "../boulder/record-dispatch.ts"
import type { HandoffCaller } from "../store/handoff-desk.ts"
import { descendantsOf, lineageOf } from "./lineage.ts"
import type { Shell } from "./shell.ts"

/** A session of the host as the handoffs know it; `callOf` tells the `task` call that runs a child, where it is known. */
export async function callerOf(
  shell: Shell,
  sessionId: string,
  agent: string | null,
  callOf: (childId: string) => string | null,
): Promise<HandoffCaller> {
  const nobody = { sessionId, agent, place: null, family: [] }
  const { boulder } = await shell.store.read()
  const chain = boulder === null ? null : await lineageOf(shell, sessionId)
  const owner = chain?.find((id) => workOfSession(boulder, id) !== null)
  const work = owner === undefined ? null : workOfSession(boulder, owner)
  if (chain === null || owner === undefined || work === null || work.status === "completed")
    return nobody
  const { work_id: workId, lead_session_id: lead } = work
  if (owner !== lead) return nobody
  const family = [lead, ...descendantsOf(shell, lead)]
  if (owner === sessionId)
    return { ...nobody, place: { workId, role: "lead", taskKey: null }, family }
  return { ...nobody, place: childPlace(work, chain, callOf(sessionId)), family }
}

/** The task of a subagent is that of the call that runs it; of its recorded sessions where no call is open. */
function childPlace(work: Work, chain: readonly string[], callId: string | null): PlaceInWork {
  const [sessionId, parentId] = chain
  const place = { workId: work.work_id, role: "child" } as const
  const known = callId === null ? undefined : dispatchOf(work, callId)
  if (known !== undefined) return { ...place, taskKey: known.task_key }
  const open = Object.values(work.dispatches).filter(
    ({ parent_session_id: parent }) => parent === parentId,
  )
  const recorded = Object.values(work.task_sessions).filter(
    ({ session_id: id }) => id === sessionId,
  )
  return { ...place, taskKey: onlyKey(open) ?? (open.length === 0 ? onlyKey(recorded) : null) }
}

function onlyKey(entries: readonly { readonly task_key: string | null }[]): string | null {
  return entries.length === 1 ? (entries[0]?.task_key ?? null) : null
}
