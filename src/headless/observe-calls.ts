import { frameIn } from "./boulder-frame.ts"
import type { Notice } from "./notice.ts"
import type { RunEvent } from "./run-event.ts"

/** The task that the plugin has captured for a `task` call. */
export interface CapturedTask {
  readonly key: string
  readonly title: string
}

type TaskNotice = Notice & { readonly kind: "task" }
type Shown = Pick<RunEvent & { kind: "task" }, "key" | "title">

interface Call {
  readonly shown: Shown
  readonly status: TaskNotice["status"]
}

/** Tells of each `task` call once when it begins and once when it is back, with what the plugin added to its result. */
export function observeCalls(run: {
  readonly emit: (event: RunEvent) => void
  readonly taskOf: (callId: string) => Promise<CapturedTask | null>
}): (notice: TaskNotice) => Promise<void> {
  const { emit } = run
  const calls = new Map<string, Call>()

  const shownOf = async (notice: TaskNotice): Promise<Shown | null> => {
    const captured = await run.taskOf(notice.callId)
    // The plugin writes its intent before the call begins: the next event of a running call has it.
    if (captured === null && notice.status === "running" && notice.childId === null) return null
    return captured ?? { key: null, title: notice.description }
  }

  const end = (notice: TaskNotice, shown: Shown): void => {
    const state = notice.status === "completed" ? "returned" : "failed"
    const resumed = notice.resumes !== null && notice.resumes === notice.childId
    emit({ kind: "task", ...shown, state, resumed })
    const frame = frameIn(notice.output)
    if (frame !== null) emit({ kind: "hint", from: "task", text: frame })
  }

  return async (notice) => {
    const known = calls.get(notice.callId)
    if (known?.status === notice.status) return
    const shown = known?.shown ?? (await shownOf(notice))
    if (shown === null) return
    const resumed = notice.resumes !== null
    if (known === undefined) emit({ kind: "task", ...shown, state: "delegated", resumed })
    calls.set(notice.callId, { shown, status: notice.status })
    if (notice.status !== "running") end(notice, shown)
  }
}
