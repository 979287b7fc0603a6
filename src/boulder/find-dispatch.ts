// Finds running delegations by the ids of their calls.
import type { KnownTask } from "../plan/match-tasks.ts"
import { hashText } from "../plan/model/hash-text.ts"
import type { Dispatch, Work } from "./boulder.ts"

const CALL_ID_MAX = 256

/** The delegations of a lead session that really run, by the ids of its running calls; all others belong to nobody now. */
export function dispatchesOf(
  { dispatches }: Pick<Work, "dispatches">,
  sessionId: string,
  liveCalls: readonly string[],
): Work["dispatches"] {
  const live = new Set(liveCalls.map(dispatchKey))
  return Object.fromEntries(
    Object.entries(dispatches).filter(
      ([key, { parent_session_id: parent }]) => parent === sessionId && live.has(key),
    ),
  )
}

/** The running delegation that a `task` call has started; undefined if there is none, also for an id such as `toString`. */
export function dispatchOf({ dispatches }: Work, callId: string): Dispatch | undefined {
  const key = dispatchKey(callId)
  return Object.hasOwn(dispatches, key) ? dispatches[key] : undefined
}

/** The task that a delegation works on, as its work has followed it; null for none. */
export function taskOfDispatch({
  task_key: key,
  title_hash: titleHash,
}: Dispatch): KnownTask | null {
  return key === null || titleHash === null ? null : { key, titleHash }
}

/** The keys of the tasks that calls are running for; null for a call that works on none. */
export function begunKeys({ dispatches }: Pick<Work, "dispatches">): readonly (string | null)[] {
  return Object.values(dispatches).map(({ task_key: key }) => key)
}

/**
 * The key of a call's dispatch. Some providers put a kilobyte of their own into a call's id; the schema of `boulder.json` limits its keys.
 */
export function dispatchKey(callId: string): string {
  return callId.length <= CALL_ID_MAX ? callId : `${callId.slice(0, 64)}~${hashText(callId)}`
}
