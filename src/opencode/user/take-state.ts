// The task state of a work goes to its new lead.
import type { StoredTaskState } from "../../boulder/task-state.ts"
import { StoreError } from "../../store/disk/store-error.ts"
import type { Shell } from "../host/shell.ts"

/**
 * Gives the new lead of a work the task state of the old one, which keeps its own; a lead that has one keeps that. What
 * cannot be read or written is left as it is, with a line in the log.
 */
export async function takeState(
  { taskStates, options, log }: Pick<Shell, "taskStates" | "options" | "log">,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  if (from === to || options.task_state === "off") return
  try {
    if ((await taskStates.load(to)) !== null) return
    const old = await taskStates.load(from)
    if (old !== null) await taskStates.save(asOf(to, old))
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    await log(error.message)
  }
}

/** No summary of the new session's was made with it, and none is undone with it. */
function asOf(sessionId: string, old: StoredTaskState): StoredTaskState {
  const { summary_id: _, before: __, ...state } = old
  return { ...state, session_id: sessionId }
}
