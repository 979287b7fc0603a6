// Who calls a tool: the session and its place in a work.
import type { Work } from "../../boulder/boulder.ts"
import type { PlaceInWork } from "../../boulder/handoff-target.ts"
import { dispatchOf } from "../../boulder/record-dispatch.ts"
import type { HandoffCaller } from "../../store/handoffs/handoff-desk.ts"
import { descendantsOf } from "../host/lineage.ts"
import type { Shell } from "../host/shell.ts"
import { placeOf } from "../work/place-of.ts"

/** A session of the host as the handoffs know it. */
export async function callerOf(
  shell: Pick<Shell, "store" | "api" | "sessions">,
  sessionId: string,
  agent: string | null,
): Promise<HandoffCaller> {
  const nobody = { sessionId, agent, place: null, family: [] }
  const { role, work } = await placeOf(shell, sessionId, "far")
  if (work === null || work.status === "completed") return nobody
  const { work_id: workId, lead_session_id: lead } = work
  const family = [lead, ...descendantsOf(shell, lead)]
  if (role === "lead") return { ...nobody, place: { workId, role, taskKey: null }, family }
  return role === "child"
    ? { ...nobody, place: childPlace(shell, work, sessionId), family }
    : nobody
}

/** The task of a subagent is that of the call that runs it; of its recorded sessions where no call is open. */
function childPlace(
  { sessions }: Pick<Shell, "sessions">,
  work: Work,
  sessionId: string,
): PlaceInWork {
  const parentId = sessions.of(sessionId).parentId ?? ""
  const call = sessions.of(parentId).calls.find(({ childId }) => childId === sessionId)
  const place = { workId: work.work_id, role: "child" } as const
  const known = call === undefined ? undefined : dispatchOf(work, call.callId)
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
