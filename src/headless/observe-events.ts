import { frameIn, refusalIn } from "./boulder-frame.ts"
import { type Notice, noticeOf } from "./notice.ts"
import { type CapturedTask, observeCalls } from "./observe-calls.ts"
import type { RunEvent } from "./run-event.ts"

/** A question or a permission that waits in a session of the run. */
interface OpenRequest {
  readonly requestId: string
  readonly what: "question" | "permission"
  readonly detail: string
}

/** Follows the host's events of one run: its lead session and the sessions below it. */
export interface EventObserver {
  /** Takes an event in; one of another session or of no use changes nothing. */
  take(event: unknown): Promise<void>
  /** What `/start-work` said instead of starting; null as long as it has not refused. */
  refusal(): string | null
  /** Requests that were asked and that nobody has answered, as far as the events tell. */
  requests(): readonly OpenRequest[]
  /** True once after the lead session fell idle: then a decision has been made. */
  fellIdle(): boolean
}

/** `taskOf` gives the task that the plugin has captured for a call; null while it has none. */
export function observeEvents(run: {
  readonly leadId: string
  readonly emit: (event: RunEvent) => void
  readonly taskOf: (callId: string) => Promise<CapturedTask | null>
}): EventObserver {
  const { leadId, emit } = run
  const family = new Set([leadId])
  const userMessages = new Set<string>()
  const shownTexts = new Set<string>()
  const calls = observeCalls(run)
  const requests = new Map<string, OpenRequest>()
  const counted = new Set<string>()
  const used = { input: 0, output: 0 }
  let refusal: string | null = null
  let idle = false

  const text = (notice: Notice & { kind: "text" }): void => {
    const { sessionId, messageId, partId } = notice
    if (sessionId !== leadId || !userMessages.has(messageId) || shownTexts.has(partId)) return
    shownTexts.add(partId)
    const frame = frameIn(notice.text)
    refusal ??= refusalIn(notice.text)
    if (frame === null) emit({ kind: "user", text: notice.text })
    else emit({ kind: "hint", from: notice.marked ? "continuation" : "start", text: frame })
  }

  const usage = ({ messageId, input, output }: Notice & { kind: "usage" }): void => {
    if (counted.has(messageId)) return
    counted.add(messageId)
    used.input += input
    used.output += output
    emit({ kind: "tokens", ...used })
  }

  const react = async (notice: Notice): Promise<void> => {
    switch (notice.kind) {
      case "user-message":
        userMessages.add(notice.messageId)
        return
      case "text":
        return text(notice)
      case "task":
        return notice.sessionId === leadId ? calls(notice) : undefined
      case "usage":
        return usage(notice)
      case "asked":
        requests.set(notice.requestId, notice)
        return
      case "answered":
        requests.delete(notice.requestId)
        return
      case "idle":
        idle ||= notice.sessionId === leadId
    }
  }

  return {
    async take(event) {
      const notice = noticeOf(event)
      if (notice?.kind === "created" && family.has(notice.parentId ?? ""))
        family.add(notice.sessionId)
      if (notice !== null && family.has(notice.sessionId)) await react(notice)
    },
    refusal: () => refusal,
    requests: () => [...requests.values()],
    fellIdle() {
      const was = idle
      idle = false
      return was
    },
  }
}
