// Requests to the model of a simulated host, and the texts that it answers.
import type { HostCore } from "./host-core.ts"
import { type Message, MODEL, type Part } from "./host-database.ts"

/** A text as it is sent. */
export interface GivenText {
  readonly text: string
  readonly synthetic?: boolean
  readonly metadata?: Record<string, unknown>
}

/** The messages and system texts of a request, as the plugin leaves them. */
export async function requestOf(
  core: HostCore,
  sessionId: string,
  agent: string,
): Promise<{ messages: Message[]; system: string[] }> {
  const messages = visible(core.db.messages(sessionId))
    .filter(({ info, parts }) => info.role === "user" || parts.length > 0)
    .map((one) => structuredClone(one))
  await core.hook("experimental.chat.messages.transform", {}, { messages: messages as never })
  const system = ["You are opencode."]
  const { contextLimit = 200_000 } = core.options
  const model = { id: MODEL.modelID, limit: { context: contextLimit, output: 8_000 } } as never
  await core.hook("experimental.chat.system.transform", { sessionID: sessionId, model }, { system })
  const input = { sessionID: sessionId, agent, model, provider: {}, message: {} } as never
  await core.hook("chat.params", input, {} as never)
  return { messages, system }
}

/** What the model still sees: the newest summary, and what came behind it. */
function visible(messages: readonly Message[]): readonly Message[] {
  const at = messages.findLastIndex(
    ({ info }) => info.summary === true && info.time.completed !== undefined && !info.error,
  )
  return at < 0 ? messages : messages.slice(Math.max(0, at - 1))
}

/** Writes a text of the model, as the plugin leaves it. */
export async function addText(core: HostCore, message: Message, text: string): Promise<void> {
  const { id: messageID, sessionID } = message.info
  const part = textPart(core.db.newId("prt"), messageID, sessionID, { text })
  const output = { text }
  const ids = { sessionID, messageID, partID: part.id }
  message.parts.push(part)
  await core.hook("experimental.text.complete", ids, output)
  part.text = output.text
  core.emitPart(part)
}

/** A part of a message. */
export function textPart(
  id: string,
  messageID: string,
  sessionID: string,
  { text, synthetic, metadata }: GivenText,
): Part {
  const more = {
    ...(synthetic === undefined ? {} : { synthetic }),
    ...(metadata === undefined ? {} : { metadata }),
  }
  return { id, sessionID, messageID, type: "text", text, ...more }
}

/** What a promise gives; the abort throws. */
export async function orAbort<Value>(
  core: HostCore,
  promise: Promise<Value>,
  signal: AbortSignal,
): Promise<Value> {
  const aborted = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(new Error("aborted"))
    signal.addEventListener("abort", () => reject(new Error("aborted")))
  })
  return core.live(Promise.race([promise, aborted]))
}
