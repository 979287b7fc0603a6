// Handles a `task` call whose subagent runs in the background: its result came at once, and says nothing.
import type { Work } from "../../boulder/boulder.ts"
import { leaveDispatch } from "../../boulder/record-dispatch.ts"
import type { TaskCall } from "../../decide/memory/host-event.ts"
import type { SessionMemory } from "../../decide/memory/session-memory.ts"
import type { ToolResult } from "../host/reactions.ts"
import type { Remembering, Shell } from "../host/shell.ts"
import { storeSoon } from "../work/comes-once.ts"
import { changeOnWork } from "../work/decide-on-work.ts"
import { howEnded } from "./call-back.ts"
import { callLost } from "./call-lost.ts"

/** A background call, and the session that made it. */
interface LeftCall {
  readonly call: TaskCall
  readonly sessionId: string
}

/** Whether a call has returned while its subagent still runs in the background. This is remembered until the subagent stops running. */
export function isLeft(
  { sessions }: Remembering,
  { call, sessionId, result }: LeftCall & { readonly result: ToolResult },
): boolean {
  const child = result.isBackground ? result.childOf(call.childId) : null
  if (child?.from !== "host" || hasEnded(sessions.of(child.sessionId))) return false
  const { callId } = call
  const told = { kind: "task-part", status: "running", childId: child.sessionId } as const
  sessions.note({ ...told, sessionId, callId })
  sessions.note({ kind: "call-left", sessionId, callId })
  return true
}

/** Whether the subagent ended before the result of its call came. */
function hasEnded({ lastMessage, awaitsTurnSince, running }: SessionMemory): boolean {
  return lastMessage !== null && awaitsTurnSince === null && running === null
}

/** The background calls that a session runs in. There may be several, since it may have been resumed while it ran. */
export function callsLeftTo({ sessions }: Remembering, childId: string): readonly LeftCall[] {
  const sessionId = sessions.of(childId).parentId ?? ""
  return sessions
    .of(sessionId)
    .calls.filter((one) => one.inBackground && !one.isBack && one.childId === childId)
    .map((call) => ({ call, sessionId }))
}

/**
 * Records that the subagent of a background call no longer runs. Its result comes as a message of the host and leaves no entry; a failure
 * or a limit of its own does, as after any other call.
 */
export async function recordLeft(shell: Shell, { call, sessionId }: LeftCall): Promise<void> {
  const { callId, childId, workId } = call
  if (childId === null) return
  const led = { work_id: workId, lead_session_id: sessionId }
  const change = (by: (work: Work) => Work) => storeSoon(() => changeOnWork(shell, led, by))
  const { hasError, failure } = await howEnded(shell, childId)
  if (!hasError) {
    await change(leaveDispatch({ sessionId, callId }, childId))
    return
  }
  const lost = callLost(shell, { call, sessionId, childId, failure })
  await lost.told(await change(lost.change))
}
