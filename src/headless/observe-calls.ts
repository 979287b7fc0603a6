// Reports each `task` call of a followed run when it begins and when it is back.
import type { HostEvent } from "../decide/memory/host-event.ts"
import { frameIn } from "./boulder-frame.ts"
import type { RunEvent } from "./run-event.ts"

/** The task that the plugin captured for a `task` call. */
export interface CapturedTask {
  readonly key: string
  readonly title: string
}

type TaskEvent = HostEvent & { readonly kind: "task-part" }
type Shown = Pick<RunEvent & { kind: "task" }, "key" | "title">

/** Reports each `task` call once when it begins and once when it is back, with what the plugin added to its result. */
export function observeCalls(run: {
  readonly emit: (event: RunEvent) => void
  readonly taskOf: (callId: string) => Promise<CapturedTask | null>
}): (told: TaskEvent) => Promise<void> {
  const { emit } = run
  const calls = new Map<string, { readonly shown: Shown; readonly status: TaskEvent["status"] }>()

  const shownOf = async (told: TaskEvent): Promise<Shown | null> => {
    const captured = await run.taskOf(told.callId)
    // The plugin writes its intent before the call begins, so the next event of a running call has it.
    if (captured === null && told.status === "running" && told.childId === null) return null
    return captured ?? { key: null, title: told.words?.description ?? "" }
  }

  const end = ({ status, childId, words }: TaskEvent, shown: Shown): void => {
    const state = status === "completed" ? "returned" : "failed"
    const resumed = childId !== null && words?.resumes === childId
    emit({ kind: "task", ...shown, state, resumed })
    const frame = frameIn(words?.output ?? "")
    if (frame !== null) emit({ kind: "hint", from: "task", text: frame })
  }

  return async (told) => {
    const known = calls.get(told.callId)
    if (known?.status === told.status) return
    const shown = known?.shown ?? (await shownOf(told))
    if (shown === null) return
    const resumed = (told.words?.resumes ?? null) !== null
    if (known === undefined) emit({ kind: "task", ...shown, state: "delegated", resumed })
    calls.set(told.callId, { shown, status: told.status })
    if (told.status !== "running") end(told, shown)
  }
}
