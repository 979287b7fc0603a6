// The calls under way, and the subagents that run: in a call, or below a lead without one.
import type { TaskCall } from "../../decide/memory/host-event.ts"
import type { KnownTask } from "../../plan/match-tasks.ts"
import { ancestorsOf, descendantsOf } from "../host/lineage.ts"
import type { Shell } from "../host/shell.ts"

/** A call under way, with who has made it. */
interface UnderWay {
  readonly call: TaskCall
  readonly parentId: string
}

/** A subagent that runs, and what for; null where nobody knows that any more, since its call is over. */
export interface Running {
  readonly sessionId: string
  /** Who has made the call that it runs in. */
  readonly parentId: string
  readonly workId: string | null
  readonly task: KnownTask | null
  /** It is the call's own subagent, none below that. */
  readonly isOfCall: boolean
}

type Told = Pick<Shell, "sessions">

/** The calls under way, each with who has made it. */
export function callsUnderWay(shell: Told): readonly UnderWay[] {
  return [...shell.sessions.ids()].flatMap((parentId) =>
    callsUnderWayOf(shell, parentId).map((call) => ({ call, parentId })),
  )
}

/** The calls under way that a session has made: one in the background is, as long as its subagent runs. */
export function callsUnderWayOf({ sessions }: Told, parentId: string): readonly TaskCall[] {
  return sessions
    .of(parentId)
    .calls.filter(
      ({ isBack, inBackground, childId }) =>
        !isBack && (!inBackground || sessions.of(childId ?? "").running !== null),
    )
}

/** Each subagent that runs: all that may hold a work up. */
export function subagentsRunning(shell: Told): readonly Running[] {
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

/** A call's subagent, and those below that, which it has begun itself. */
function runningIn(shell: Told, { call, parentId }: UnderWay): readonly Running[] {
  const { childId, workId, task } = call
  if (childId === null) return []
  const below = descendantsOf(shell, childId).filter((id) => shell.sessions.of(id).running !== null)
  return [childId, ...below].map((sessionId) => ({
    ...{ sessionId, parentId, workId, task },
    isOfCall: sessionId === childId,
  }))
}

function isBelowLead(shell: Told, sessionId: string): boolean {
  return (
    shell.sessions.of(sessionId).running !== null &&
    ancestorsOf(shell, sessionId).some((id) => shell.sessions.of(id).leads)
  )
}
