// Finds who calls a tool: the session and its place in a work.
import type { Work } from "../../boulder/boulder.ts"
import { dispatchOf, taskOfDispatch } from "../../boulder/find-dispatch.ts"
import { keysTold } from "../../decide/memory/told-keys.ts"
import { placeInWork, recordedFor } from "../../decide/place.ts"
import type { KnownTask, ToldTask } from "../../plan/match-tasks.ts"
import type { HandoffCaller } from "../../store/handoffs/handoff-desk.ts"
import type { Remembering, Shell } from "../host/shell.ts"
import { callOf, placeOf } from "../work/place-of.ts"
import { familyOf } from "./family-of.ts"

/** A session of the host, as the handoffs know it. */
export async function callerOf(
  shell: Pick<Shell, "store" | "handoffs" | "api" | "sessions">,
  sessionId: string,
  agent: string | null,
): Promise<HandoffCaller> {
  const found = await placeOf(shell, sessionId, "far")
  const place = placeInWork(found, (work) => tasksOf(shell, work, sessionId))
  const family = place === null || found.work === null ? [] : await familyOf(shell, found.work)
  const call = callOf(shell, sessionId)
  const isLost = call?.task != null && found.boulder?.works[call.workId] === undefined
  return { sessionId, agent, place, family, told: toldTo(shell, found.work, sessionId), isLost }
}

/** The keys that a session was told: for a lead those of its plan, for a subagent that of its task. */
function toldTo(
  { sessions }: Remembering,
  work: Work | null,
  sessionId: string,
): readonly ToldTask[] | null {
  const { told } = sessions.of(sessionId)
  const own = callOf({ sessions }, sessionId)?.task ?? null
  if (own !== null && told === null) return [own]
  return work === null ? [] : keysTold(told, work)
}

/** The task of the call that runs the subagent; else those of all open calls, or those that the subagent is recorded for. */
function tasksOf(
  { sessions }: Remembering,
  work: Work,
  sessionId: string,
): readonly (KnownTask | null)[] {
  const parentId = sessions.of(sessionId).parentId ?? ""
  const call = callOf({ sessions }, sessionId)
  const known = call === undefined ? undefined : dispatchOf(work, call.callId)
  if (known !== undefined) return [taskOfDispatch(known)]
  const open = Object.values(work.dispatches).filter(
    ({ parent_session_id: parent }) => parent === parentId,
  )
  return open.length === 0 ? recordedFor(work, sessionId) : open.map(taskOfDispatch)
}
