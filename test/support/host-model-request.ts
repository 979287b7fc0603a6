import type { IncomingHttpHeaders } from "node:http"

/** What a request is for: a turn of a session, its title, or a compaction's summary. */
type RequestKind = "main" | "title" | "compaction"

/** One message as the host sends it to the provider (OpenAI's form). */
export type ModelMessage = {
  readonly role: string
  readonly content?: unknown
  readonly tool_calls?: readonly {
    readonly id: string
    readonly function: { readonly name: string; readonly arguments: string }
  }[]
  readonly tool_call_id?: string
}

type ToolResult = { readonly callId: string; readonly name: string; readonly text: string }

/** The provider request as sent. Only the fields that tests look at have names. */
export type RequestBody = {
  readonly messages?: unknown
  readonly tools?: unknown
  readonly stream?: unknown
  readonly model?: unknown
  readonly max_tokens?: unknown
}

export type ModelRequest = {
  /** The session that asks, from the host's headers; "" if the host names none. */
  readonly sessionId: string
  readonly kind: RequestKind
  readonly messages: readonly ModelMessage[]
  /** All system messages as one text. */
  readonly systemText: string
  /** The text of the newest user message. */
  readonly lastUserText: string
  readonly toolNames: readonly string[]
  /** How many main requests this session made before this one. */
  readonly turnOfSession: number
  /** How many times the assistant has spoken since the newest user message: 0 for a turn's first request. */
  readonly stepOfTurn: number
  /** Results that came after the assistant's last message: what the model must react to now. */
  lastToolResults(): readonly ToolResult[]
  /** Everything that the model reads, as one text: for `toContain` in tests. */
  allText(): string
  readonly headers: IncomingHttpHeaders
  readonly body: RequestBody
}

const COMPACTION_SYSTEM = /context summarization (agent|assistant)/

/** The texts of a message, whatever the form of its content. */
export function texts(message: ModelMessage): string[] {
  if (typeof message.content === "string") return [message.content]
  if (!Array.isArray(message.content)) return []
  return message.content.flatMap((part: { type?: string; text?: string }) =>
    part.type === "text" && part.text !== undefined ? [part.text] : [],
  )
}

/** Reads a provider request. `turnOf` counts the main requests of a session. */
export function readModelRequest(
  body: RequestBody,
  headers: IncomingHttpHeaders,
  turnOf: (sessionId: string) => number,
): ModelRequest {
  const messages = (Array.isArray(body.messages) ? body.messages : []) as ModelMessage[]
  const systemText = textOfRole(messages, "system")
  const kind = kindOf(systemText)
  const sessionId = String(headers["x-session-id"] ?? headers["x-session-affinity"] ?? "")
  const lastUser = messages.findLast((message) => message.role === "user")
  return {
    sessionId,
    kind,
    messages,
    systemText,
    lastUserText: lastUser ? texts(lastUser).join("\n") : "",
    toolNames: toolNamesOf(body.tools),
    turnOfSession: kind === "main" ? turnOf(sessionId) : 0,
    stepOfTurn: messages
      .slice(messages.findLastIndex((message) => message.role === "user") + 1)
      .filter((message) => message.role === "assistant").length,
    lastToolResults: () => lastToolResults(messages),
    allText: () => messages.flatMap(texts).join("\n"),
    headers,
    body,
  }
}

function kindOf(systemText: string): RequestKind {
  if (systemText.includes("You are a title generator")) return "title"
  return COMPACTION_SYSTEM.test(systemText) ? "compaction" : "main"
}

function textOfRole(messages: readonly ModelMessage[], role: string): string {
  return messages
    .filter((message) => message.role === role)
    .flatMap(texts)
    .join("\n")
}

function toolNamesOf(tools: unknown): string[] {
  if (!Array.isArray(tools)) return []
  return tools.flatMap((tool: { function?: { name?: string } }) => tool.function?.name ?? [])
}

function lastToolResults(messages: readonly ModelMessage[]): ToolResult[] {
  const lastCall = messages.findLastIndex((message) => message.role === "assistant")
  const names = new Map(
    (messages[lastCall]?.tool_calls ?? []).map((call) => [call.id, call.function.name]),
  )
  return messages.slice(lastCall + 1).flatMap((message) => {
    if (message.role !== "tool" || message.tool_call_id === undefined) return []
    const callId = message.tool_call_id
    return [{ callId, name: names.get(callId) ?? "", text: texts(message).join("\n") }]
  })
}
