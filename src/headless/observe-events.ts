// Follows a run, event by event.
import type { HostEvent } from "../decide/memory/host-event.ts"
import { frameIn, refusalIn } from "./boulder-frame.ts"
import { type CapturedTask, observeCalls } from "./observe-calls.ts"
import type { Need, RunEvent } from "./run-event.ts"

/** A question, perhaps for the approval of the final wave, or a permission request that waits in a session of the run. */
type AskedNeed = Need & { readonly requestId: string }

/** Follows the host's events of one run: its lead session and the sessions below it. */
export type EventObserver = ReturnType<typeof observeEvents>

/** `taskOf` gives the task that the plugin captured for a call; null while there is none. */
export function observeEvents(run: {
  readonly leadId: string
  readonly emit: (event: RunEvent) => void
  readonly taskOf: (callId: string) => Promise<CapturedTask | null>
}) {
  const { leadId, emit } = run
  const family = new Set([leadId])
  const userMessages = new Set<string>()
  const shownTexts = new Set<string>()
  const calls = observeCalls(run)
  const requests = new Map<string, { readonly sessionId: string; readonly need: AskedNeed }>()
  const counted = new Set<string>()
  const lead = {
    delegations: new Set<string>(),
    tools: new Set<string>(),
    wasIdle: false,
    runs: false,
  }
  const used = { input: 0, output: 0 }
  let refusal: string | null = null

  const text = (told: HostEvent & { kind: "text-part" }): void => {
    const { sessionId, messageId, partId } = told
    if (sessionId !== leadId || !userMessages.has(messageId) || shownTexts.has(partId)) return
    shownTexts.add(partId)
    const frame = frameIn(told.text)
    refusal ??= refusalIn(told.text)
    if (frame === null) emit({ kind: "user", text: told.text })
    else emit({ kind: "hint", from: told.isOurs ? "continuation" : "start", text: frame })
  }

  const usage = ({ spent }: HostEvent & { kind: "assistant-started" }): void => {
    if (spent === undefined || spent.tokens === 0 || !spent.isFinal || counted.has(spent.messageId))
      return
    counted.add(spent.messageId)
    used.input += spent.tokens - spent.output
    used.output += spent.output
    emit({ kind: "tokens", ...used })
  }

  const ask = (
    reason: "question" | "permission" | "awaiting-approval",
    {
      sessionId,
      requestId,
      detail = "",
    }: HostEvent & { kind: "question-asked" | "permission-asked" },
  ): void => {
    requests.set(requestId, { sessionId, need: { reason, detail, requestId } })
  }

  /** A stop ends the requests of its session, and the host says nothing more about them. */
  const askedNoMore = (sessionId: string): void => {
    for (const [id, request] of requests) if (request.sessionId === sessionId) requests.delete(id)
  }

  /** What the lead does besides delegating; after its idle it does nothing. */
  const heard = (told: HostEvent): void => {
    if (told.kind === "task-part") lead.delegations.add(told.callId)
    if (told.kind === "session-heard" && told.tool !== null)
      lead.tools[told.tool.runs ? "add" : "delete"](told.tool.callId)
    if (told.kind === "session-busy") lead.runs = true
    if (told.kind !== "session-idle") return
    lead.wasIdle = true
    lead.runs = false
    lead.tools.clear()
  }

  const react = async (told: HostEvent): Promise<void> => {
    switch (told.kind) {
      case "user-message":
        userMessages.add(told.messageId)
        return
      case "text-part":
        return text(told)
      case "task-part":
        return told.sessionId === leadId ? calls(told) : undefined
      case "assistant-started":
        return usage(told)
      case "question-asked":
        return ask(told.waveQuestion === undefined ? "question" : "awaiting-approval", told)
      case "permission-asked":
        return ask("permission", told)
      case "question-answered":
      case "permission-answered":
        requests.delete(told.requestId)
        return
      case "session-aborted":
        return askedNoMore(told.sessionId)
    }
  }

  return {
    /** Processes an event; null, or an event of another session, changes nothing. */
    async take(told: HostEvent | null) {
      if (told === null) return
      if (told.kind === "session-created" && family.has(told.parentId ?? ""))
        family.add(told.sessionId)
      if (told.sessionId === leadId) heard(told)
      if (family.has(told.sessionId)) await react(told)
    },
    /** What `/start-work` said instead of starting; null while it has not refused. */
    refusal: () => refusal,
    /** Requests that nobody has answered yet, as far as the events tell. */
    requests: () => [...requests.values()].map(({ need }) => need),
    /** Whether the lead works besides its subagents: it is running a tool that is no delegation. */
    leadWorks: () => [...lead.tools].some((callId) => !lead.delegations.has(callId)),
    /** Whether a turn of the lead session runs, including everything it waits for. */
    leadRuns: () => lead.runs,
    /** True once after the lead session went idle: then a decision has been made. */
    fellIdle() {
      const was = lead.wasIdle
      lead.wasIdle = false
      return was
    },
  }
}
