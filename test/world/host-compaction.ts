// Compactions of a simulated host, asked for by a user, by the plugin, or by a full context.
import type { HostCore, Run } from "./host-core.ts"
import { type Message, MODEL, NO_TOKENS, type Part } from "./host-database.ts"
import { addText, orAbort, requestOf } from "./host-request.ts"

const OUTPUT = 8_000
const CONTINUE = "Continue if you have next steps, or stop and ask for clarification."

/** The context after the last answer leaves no room for another. */
export function needsCompaction(core: HostCore, { info }: Message): boolean {
  const { contextLimit = 200_000 } = core.options
  const total = info.tokens?.total ?? 0
  return info.role === "assistant" && !info.error && total >= contextLimit - OUTPUT
}

/** Marks the place from which on is summarised; the turn that runs, or begins behind this, does it. */
export function startCompaction(
  core: HostCore,
  sessionID: string,
  { auto, overflow }: { readonly auto: boolean; readonly overflow: boolean },
): void {
  const { db } = core
  const id = db.newId("msg")
  const agent = db.sessions.get(sessionID)?.agent ?? "build"
  const part: Part = {
    id: db.newId("prt"),
    sessionID,
    messageID: id,
    type: "compaction",
    auto,
    overflow,
  }
  const message: Message = {
    info: { id, sessionID, role: "user", agent, model: MODEL, time: { created: db.now() } },
    parts: [part],
  }
  db.addMessage(message)
  core.emitMessage(message)
  core.emitPart(part)
}

/** Makes the summary; behind an automatic one the host goes on by itself, unless the plugin says no. */
export async function compact(
  core: HostCore,
  run: Run,
  marker: Message,
): Promise<"again" | "ended" | "failed"> {
  const { db } = core
  const sessionID = run.sessionId
  const mark = marker.parts.find(({ type }) => type === "compaction")
  const message: Message = {
    info: {
      id: db.newId("msg"),
      sessionID,
      role: "assistant",
      parentID: marker.info.id,
      agent: "compaction",
      mode: "compaction",
      summary: true,
      ...MODEL,
      time: { created: db.now() },
      tokens: NO_TOKENS,
    },
    parts: [],
  }
  try {
    const output: { context: string[]; prompt?: string } = { context: [] }
    await core.hook("experimental.session.compacting", { sessionID }, output)
    db.addMessage(message)
    core.emitMessage(message)
    const { messages } = await requestOf(core, sessionID, "compaction")
    const asked = {
      sessionId: sessionID,
      agent: "compaction",
      purpose: "compaction",
      messages,
      system: output.prompt === undefined ? [] : [output.prompt],
    } as const
    const answer = await orAbort(core, core.options.model(asked), run.abort.signal)
    if (answer.error !== undefined) return failed(core, message, answer.error)
    await addText(core, message, answer.text ?? "")
  } catch (error) {
    const isAborted = run.abort.signal.aborted
    const name = isAborted ? "MessageAbortedError" : "UnknownError"
    return failed(core, message, { name, data: { message: String(error) } })
  }
  message.info.finish = "stop"
  message.info.time.completed = db.now()
  core.emitMessage(message)
  return goOn(core, marker, mark)
}

async function goOn(
  core: HostCore,
  marker: Message,
  mark: Part | undefined,
): Promise<"again" | "ended"> {
  const { db } = core
  const { sessionID, agent } = marker.info
  const auto = mark?.auto === true
  const overflow = mark?.overflow === true
  const output = { enabled: true }
  if (auto) {
    const input = { sessionID, agent, model: {}, provider: {}, message: {}, overflow } as never
    await core.hook("experimental.compaction.autocontinue", input, output)
  }
  if (auto && output.enabled) {
    const id = db.newId("msg")
    const part: Part = {
      id: db.newId("prt"),
      sessionID,
      messageID: id,
      type: "text",
      text: CONTINUE,
      synthetic: true,
      metadata: { compaction_continue: true },
    }
    const next: Message = {
      info: { id, sessionID, role: "user", agent, model: MODEL, time: { created: db.now() } },
      parts: [part],
    }
    db.addMessage(next)
    core.emitMessage(next)
    core.emitPart(part)
  }
  core.emit("session.compacted", { sessionID })
  return auto && output.enabled ? "again" : "ended"
}

function failed(
  core: HostCore,
  message: Message,
  error: NonNullable<Message["info"]["error"]>,
): "failed" {
  const { sessionID } = message.info
  message.info.error = error
  message.info.time.completed = core.db.now()
  core.emit("session.error", { sessionID, error })
  core.emitMessage(message)
  return "failed"
}
