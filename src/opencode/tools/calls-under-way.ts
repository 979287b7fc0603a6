// Lists the running calls, and the subagents that run, in a call or below a lead without one.
import type { TaskCall } from "../../decide/memory/host-event.ts"
import type { KnownTask } from "../../plan/match-tasks.ts"
import { ancestorsOf, descendantsOf } from "../host/lineage.ts"
import type { Remembering } from "../host/shell.ts"

/** A running call, and the session that made it. */
interface UnderWay {
  readonly call: TaskCall
  readonly parentId: string
}

/** A subagent that runs, and what it runs for; null if that is no longer known, because its call is over. */
export interface Running {
  readonly sessionId: string
  /** The session that made the call it runs in. */
  readonly parentId: string
  readonly workId: string | null
  readonly task: KnownTask | null
  /** Whether it is the call's own subagent, not one below that. */
  readonly isOfCall: boolean
}

/** The running calls, each with the session that made it. */
export function callsUnderWay(shell: Remembering): readonly UnderWay[] {
  return [...shell.sessions.ids()].flatMap((parentId) =>
    callsUnderWayOf(shell, parentId).map((call) => ({ call, parentId })),
  )
}

/** The running calls that a session has made. A background call runs as long as its subagent does. */
export function callsUnderWayOf({ sessions }: Remembering, parentId: string): readonly TaskCall[] {
  return sessions
    .of(parentId)
    .calls.filter(
      ({ isBack, inBackground, childId }) =>
        !isBack && (!inBackground || sessions.of(childId ?? "").running !== null),
    )
}

/** Every subagent that runs: everything that may hold up a work. */
export function subagentsRunning(shell: Remembering): readonly Running[] {
  const inCalls = callsUnderWay(shell).flatMap((one) => runningIn(shell, one))
  const known = new Set(inCalls.map(({ sessionId }) => sessionId))
  const others = [...shell.sessions.ids()].filter((id) => !known.has(id) && isBelowLead(shell, id))
  return [
    ...inCalls,
    ...others.map((sessionId) => ({
      sessionId,
      parentId: shell.sessions.of(sessionId).parentId ?? sessionId,
      ...{ workId: null, task: null, isOfCall: true },
    })),
  ]
}

/** A call's subagent, and the running ones below it that it has started itself. */
function runningIn(shell: Remembering, { call, parentId }: UnderWay): readonly Running[] {
  const { childId, workId, task } = call
  if (childId === null) return []
  const below = descendantsOf(shell, childId).filter((id) => shell.sessions.of(id).running !== null)
  return [childId, ...below].map((sessionId) => ({
    ...{ sessionId, parentId, workId, task },
    isOfCall: sessionId === childId,
  }))
}

function isBelowLead(shell: Remembering, sessionId: string): boolean {
  return (
    shell.sessions.of(sessionId).running !== null &&
    ancestorsOf(shell, sessionId).some((id) => shell.sessions.of(id).leads)
  )
}
