// Passes the task state of a work to its new lead.
import { printTaskState, type StoredTaskState } from "../../boulder/task-state.ts"
import type { Shell } from "../host/shell.ts"
import { unlessFailed } from "../host/telling.ts"

/**
 * Gives the new lead of a work the old lead's task state. The old lead keeps its own, and a new lead that already has one keeps that. What
 * cannot be read or written stays as it is, with a line in the log. Gives what takes the state back if the start comes to nothing, unless a
 * newer state has replaced it.
 */
export async function takeState(
  { taskStates, options, log }: Pick<Shell, "taskStates" | "options" | "log">,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<() => Promise<void>> {
  const orLogged = (doing: () => Promise<void>) => unlessFailed({ log }, doing, undefined)
  const taken: { state: StoredTaskState | null } = { state: null }
  if (from === to || options.task_state === "off") return async () => undefined
  await orLogged(async () => {
    if ((await taskStates.load(to)) !== null) return
    const old = await taskStates.load(from)
    if (old === null) return
    taken.state = asOf(to, old)
    await taskStates.save(taken.state)
  })
  return () =>
    orLogged(async () => {
      const found = taken.state === null ? null : await taskStates.load(to)
      if (found === null || taken.state === null) return
      if (printTaskState(found) === printTaskState(taken.state)) await taskStates.remove(to)
    })
}

/** No summary of the new session was made with this state, so none is undone with it. */
function asOf(sessionId: string, old: StoredTaskState): StoredTaskState {
  const { summary_id: _, before: __, ...state } = old
  return { ...state, session_id: sessionId }
}
