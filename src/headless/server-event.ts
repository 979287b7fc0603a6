import { OWN_PART } from "../boulder/own-part.ts"

/** What an event of the host tells that a followed run has a use for. */
export type ServerEvent =
  | { readonly kind: "created"; readonly sessionId: string; readonly parentId: string | null }
  | { readonly kind: "idle"; readonly sessionId: string }
  | {
      readonly kind: "asked"
      readonly what: "question" | "permission"
      readonly sessionId: string
      readonly requestId: string
      readonly detail: string
    }
  | { readonly kind: "answered"; readonly sessionId: string; readonly requestId: string }
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

/** One row an event of the host (docs/HOST.md, events). */
const ROWS: Readonly<Record<string, (properties: Fields) => ServerEvent | null>> = {
  "session.created": ({ info }) => {
    const { id, parentID } = fieldsOf(info)
    return typeof id === "string"
      ? { kind: "created", sessionId: id, parentId: textOf(parentID) }
      : null
  },
  "session.idle": ({ sessionID }) =>
    typeof sessionID === "string" ? { kind: "idle", sessionId: sessionID } : null,
  "question.asked": (properties) => {
    const [first] = listOf(properties["questions"])
    return asked("question", properties, textOf(fieldsOf(first)["question"]) ?? "")
  },
  "permission.asked": (properties) => {
    const patterns = listOf(properties["patterns"]).map(String).join(", ")
    return asked("permission", properties, `${textOf(properties["permission"]) ?? ""} ${patterns}`)
  },
  "permission.updated": (properties) =>
    asked("permission", properties, textOf(properties["title"]) ?? ""),
  "question.replied": answered,
  "question.rejected": answered,
  "permission.replied": answered,
  "message.updated": ({ info }) => message(fieldsOf(info)),
  "message.part.updated": ({ part }) => partEvent(fieldsOf(part)),
}

/** Puts an event of the host into our words; null for one without use. Never throws. */
export function serverEventOf(event: unknown): ServerEvent | null {
  const { type, properties } = fieldsOf(event)
  if (typeof type !== "string" || !Object.hasOwn(ROWS, type)) return null
  return ROWS[type]?.(fieldsOf(properties)) ?? null
}

function asked(
  what: "question" | "permission",
  fields: Fields,
  detail: string,
): ServerEvent | null {
  const sessionId = textOf(fields["sessionID"])
  const requestId = textOf(fields["id"])
  return sessionId === null || requestId === null
    ? null
    : { kind: "asked", what, sessionId, requestId, detail: detail.trim() }
}

function answered(fields: Fields): ServerEvent | null {
  const sessionId = textOf(fields["sessionID"])
  const requestId = textOf(fields["requestID"]) ?? textOf(fields["permissionID"])
  return sessionId === null || requestId === null
    ? null
    : { kind: "answered", sessionId, requestId }
}

function message({ id, sessionID, role, tokens, time }: Fields): ServerEvent | null {
  if (typeof id !== "string" || typeof sessionID !== "string") return null
  if (role === "user") return { kind: "user-message", sessionId: sessionID, messageId: id }
  if (role !== "assistant" || fieldsOf(time)["completed"] === undefined) return null
  const { input, output, cache } = fieldsOf(tokens)
  const cached = fieldsOf(cache)
  return {
    kind: "usage",
    sessionId: sessionID,
    messageId: id,
    input: numberOf(input) + numberOf(cached["read"]) + numberOf(cached["write"]),
    output: numberOf(output),
  }
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
    childId: textOf(fieldsOf(metadata)["sessionId"]),
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
