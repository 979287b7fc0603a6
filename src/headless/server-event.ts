// Events of a followed server, by the plugin's own table.
import { OWN_PART } from "../boulder/own-part.ts"
import { sessionIdIn } from "../decide/child-of-call.ts"
import { contextTokensOf } from "../decide/context-tokens.ts"
import type { HostEvent } from "../decide/host-event.ts"
import { translateEvent } from "../decide/translate-event.ts"

type Told<Kind extends HostEvent["kind"]> = Extract<HostEvent, { readonly kind: Kind }>

/** What an event of the host tells that a followed run has a use for: what the plugin hears too, and what it need not. */
export type ServerEvent =
  | Told<"session-created" | "session-idle" | "question-answered" | "permission-answered">
  | (Told<"question-asked" | "permission-asked"> & { readonly detail: string })
  | { readonly kind: "user-message"; readonly sessionId: string; readonly messageId: string }
  | {
      readonly kind: "usage"
      readonly sessionId: string
      readonly messageId: string
      readonly input: number
      readonly output: number
    }
  | {
      readonly kind: "text"
      readonly sessionId: string
      readonly messageId: string
      readonly partId: string
      readonly text: string
      /** It carries the plugin's marker. */
      readonly marked: boolean
    }
  | {
      readonly kind: "task"
      readonly sessionId: string
      readonly callId: string
      readonly status: "running" | "completed" | "error"
      readonly description: string
      /** The session that the call asked to resume. */
      readonly resumes: string | null
      readonly childId: string | null
      readonly output: string
    }

type Fields = Readonly<Record<string, unknown>>

/** Puts an event of the host into our words, by the plugin's table where it has them; null for one without use. Never throws. */
export function serverEventOf(event: unknown): ServerEvent | null {
  const { type, properties } = fieldsOf(event)
  const fields = fieldsOf(properties)
  if (type === "message.updated") return message(fieldsOf(fields["info"]))
  if (type === "message.part.updated") return partEvent(fieldsOf(fields["part"]))
  const told = translateEvent(event, Date.now())
  switch (told?.kind) {
    case "session-created":
    case "session-idle":
    case "question-answered":
    case "permission-answered":
      return told
    case "question-asked":
    case "permission-asked":
      return { ...told, detail: detailOf(fields) }
    default:
      return null
  }
}

/** What is asked: a question's text, a permission with its patterns, or its title in an older host. */
function detailOf({ questions, permission, patterns, title }: Fields): string {
  const [first] = listOf(questions)
  const parts = [fieldsOf(first)["question"], permission, listOf(patterns).join(", "), title]
  return parts
    .flatMap((part) => textOf(part) ?? [])
    .join(" ")
    .trim()
}

function message({ id, sessionID, role, tokens, time }: Fields): ServerEvent | null {
  if (typeof id !== "string" || typeof sessionID !== "string") return null
  if (role === "user") return { kind: "user-message", sessionId: sessionID, messageId: id }
  if (role !== "assistant" || fieldsOf(time)["completed"] === undefined) return null
  const total = contextTokensOf(tokens)
  const output = Math.min(total, numberOf(fieldsOf(tokens)["output"]))
  return { kind: "usage", sessionId: sessionID, messageId: id, input: total - output, output }
}

function partEvent(part: Fields): ServerEvent | null {
  const { id, type, sessionID, messageID, text, metadata } = part
  if (typeof sessionID !== "string") return null
  if (type === "tool") return taskEvent(part, sessionID)
  if (type !== "text" || typeof id !== "string" || typeof messageID !== "string") return null
  return {
    kind: "text",
    sessionId: sessionID,
    messageId: messageID,
    partId: id,
    text: textOf(text) ?? "",
    marked: fieldsOf(metadata)[OWN_PART] !== undefined,
  }
}

function taskEvent({ tool, callID, state }: Fields, sessionId: string): ServerEvent | null {
  const { status, input, output, metadata } = fieldsOf(state)
  if (tool !== "task" || typeof callID !== "string") return null
  if (status !== "running" && status !== "completed" && status !== "error") return null
  const { description, task_id: resumes } = fieldsOf(input)
  return {
    kind: "task",
    sessionId,
    callId: callID,
    status,
    description: textOf(description) ?? "",
    resumes: textOf(resumes),
    childId: sessionIdIn(metadata),
    output: textOf(output) ?? "",
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? { ...value } : {}
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null
}

function numberOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0
}
