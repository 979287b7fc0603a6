// Requests to the model of a simulated host, and the texts that it answers.
import type { HostCore } from "./host-core.ts"
import { type Message, MODEL, type Part } from "./host-database.ts"

/** A text as it is sent. */
export interface GivenText {
  readonly text: string
  readonly synthetic?: boolean
  readonly metadata?: Record<string, unknown>
}

/** The messages of a request, as the plugin leaves them, without the answer that is asked for. */
export async function historyOf(
  core: HostCore,
  sessionId: string,
  isLeftOut: (message: Message) => boolean,
): Promise<Message[]> {
  const messages = visible(core.db.messages(sessionId))
    .filter((one) => !isLeftOut(one))
    .map((one) => structuredClone(one))
  await core.hook("experimental.chat.messages.transform", {}, { messages: messages as never })
  return messages
}

/** The system texts of a request, as the plugin leaves them. The plugin also learns the model. */
export async function systemOf(
  core: HostCore,
  sessionId: string,
  agent: string,
): Promise<string[]> {
  const system = ["You are opencode."]
  const { contextLimit = 200_000 } = core.options
  const model = { id: MODEL.modelID, limit: { context: contextLimit, output: 8_000 } } as never
  await core.hook("experimental.chat.system.transform", { sessionID: sessionId, model }, { system })
  const input = { sessionID: sessionId, agent, model, provider: {}, message: {} } as never
  await core.hook("chat.params", input, {} as never)
  return system
}

/** What the model still sees: the newest summary, and what came after it. */
function visible(messages: readonly Message[]): readonly Message[] {
  const at = messages.findLastIndex(
    ({ info }) => info.summary === true && info.time.completed !== undefined && !info.error,
  )
  return at < 0 ? messages : messages.slice(Math.max(0, at - 1))
}

/** Begins a text of the model, which is there when the stream ends. */
export function beginText(core: HostCore, message: Message, text: string): Part {
  const { id: messageID, sessionID } = message.info
  const part = textPart(core.db.newId("prt"), messageID, sessionID, { text: "" })
  part.time = { start: core.db.now() }
  message.parts.push(part)
  core.emitPart(part)
  part.text = text
  return part
}

/** Ends a text of the model, as the plugin leaves it. */
export async function endText(core: HostCore, part: Part): Promise<void> {
  const { sessionID, messageID, id: partID } = part
  const output = { text: part.text ?? "" }
  await core.hook("experimental.text.complete", { sessionID, messageID, partID }, output)
  part.text = output.text
  closeText(core, part)
}

/** Reports a text that is complete, or of which nothing more comes. */
export function closeText(core: HostCore, part: Part): void {
  part.time = { start: part.time?.start ?? core.db.now(), end: core.db.now() }
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

/** What a promise gives; throws on abort. */
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
