// Compactions of a simulated host, requested by a user, by the plugin, or because the context is full.
import type { HostCore, Run } from "./host-core.ts"
import { type Message, MODEL, NO_TOKENS, type Part, tokensOf } from "./host-database.ts"
import { errorOf, fail } from "./host-failure.ts"
import { beginText, endText, historyOf, orAbort, systemOf } from "./host-request.ts"

const OUTPUT = 8_000
const CONTINUE =
  "Continue if you have next steps, or stop and ask for clarification if you are unsure how to proceed."

/** Whether the context after the last answer leaves no room for another. */
export function needsCompaction(core: HostCore, { info }: Message): boolean {
  const { contextLimit = 200_000 } = core.options
  const total = info.tokens?.total ?? 0
  return info.role === "assistant" && !info.error && total >= contextLimit - OUTPUT
}

/** Marks the place from which to summarise. The turn that is running, or begins after this, does it. */
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
    ...(auto ? { overflow } : {}),
  }
  const message: Message = {
    info: { id, sessionID, role: "user", agent, model: MODEL, time: { created: db.now() } },
    parts: [part],
  }
  db.addMessage(message)
  core.emitMessage(message)
  core.emitPart(part)
}

/** Makes the summary. After an automatic one the host continues by itself, unless the plugin says no. */
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
    // What did not fit is left out of the summary, and asked again afterwards.
    const from = mark?.overflow === true ? lastAsked(core, sessionID) : marker
    const messages = await historyOf(core, sessionID, ({ info }) => info.id >= from.info.id)
    db.addMessage(message)
    core.emitMessage(message)
    await systemOf(core, sessionID, "compaction")
    const asked = {
      sessionId: sessionID,
      agent: "compaction",
      purpose: "compaction",
      messages,
      system: output.prompt === undefined ? [] : [output.prompt],
    } as const
    const answer = await orAbort(core, core.options.model(asked), run.abort.signal)
    if (answer.error !== undefined) return fail(core, run, message, { error: answer.error })
    const part = beginText(core, message, answer.text ?? "")
    if (answer.hangs) await orAbort(core, new Promise<never>(() => undefined), run.abort.signal)
    await endText(core, part)
    message.info.tokens = tokensOf(answer.tokens ?? 1_000)
  } catch (error) {
    return fail(core, run, message, { error: errorOf(error, run.abort.signal) })
  }
  message.info.finish = "stop"
  core.emitMessage(message)
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
  const again = overflow ? lastAsked(core, sessionID).parts[0]?.text : undefined
  const output = { enabled: true }
  if (auto && !overflow) {
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
      ...(again === undefined
        ? { text: CONTINUE, synthetic: true, metadata: { compaction_continue: true } }
        : { text: again }),
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

/** The newest message that is no marker of a compaction and comes from a person or a plugin. */
function lastAsked(core: HostCore, sessionId: string): Message {
  const asked = core.db
    .messages(sessionId)
    .findLast(({ info, parts }) => info.role === "user" && parts[0]?.type === "text")
  if (asked === undefined) throw new Error("Expected a message of a user; found none")
  return asked
}
