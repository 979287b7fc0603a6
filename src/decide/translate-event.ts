// Puts an event of the host into our words.
import { sessionIdIn } from "./child-of-call.ts"
import { contextTokensOf } from "./context-tokens.ts"
import type { HostEvent } from "./host-event.ts"

type Fields = Readonly<Record<string, unknown>>

/** One row an event of the host; all else is none of our business. Shapes: docs/HOST.md, as seen in 1.14.41 to 1.18.33. */
const ROWS: Readonly<Record<string, (properties: Fields, now: number) => HostEvent | null>> = {
  "session.created": ({ info }) => {
    const { id, parentID } = fieldsOf(info)
    return typeof id === "string"
      ? { kind: "session-created", sessionId: id, parentId: textOf(parentID) }
      : null
  },
  "session.deleted": ({ info, sessionID }) => {
    const id = textOf(fieldsOf(info)["id"]) ?? textOf(sessionID)
    return id === null ? null : { kind: "session-deleted", sessionId: id }
  },
  "session.status": ({ sessionID, status }) =>
    typeof sessionID === "string" && fieldsOf(status)["type"] === "busy"
      ? { kind: "session-busy", sessionId: sessionID }
      : null,
  "session.idle": ({ sessionID }) =>
    typeof sessionID === "string" ? { kind: "session-idle", sessionId: sessionID } : null,
  "session.error": ({ sessionID, error }, now) =>
    typeof sessionID === "string" && fieldsOf(error)["name"] === "MessageAbortedError"
      ? { kind: "session-aborted", sessionId: sessionID, at: now }
      : null,
  "question.asked": (properties) => asked("question-asked", properties),
  "permission.asked": (properties) => asked("permission-asked", properties),
  "permission.updated": (properties) => asked("permission-asked", properties),
  "question.replied": (properties, now) => answered("question-answered", properties, false, now),
  "question.rejected": (properties, now) => answered("question-answered", properties, true, now),
  "permission.replied": (properties, now) =>
    answered(
      "permission-answered",
      properties,
      properties["reply"] === "reject" || properties["response"] === "reject",
      now,
    ),
  "message.updated": ({ info }) => {
    const { id, role, sessionID, time, tokens, summary } = fieldsOf(info)
    const created = fieldsOf(time)["created"]
    if (role !== "assistant" || typeof sessionID !== "string" || typeof created !== "number")
      return null
    const started = { kind: "assistant-started", sessionId: sessionID, createdAt: created } as const
    const total = contextTokensOf(tokens)
    if (total === 0 || typeof id !== "string") return started
    const spent = { messageId: id, tokens: total }
    return summary === true ? { ...started, spent } : { ...started, contextTokens: total, spent }
  },
  "session.compacted": ({ sessionID }) =>
    typeof sessionID === "string" ? { kind: "session-compacted", sessionId: sessionID } : null,
  "message.removed": ({ sessionID, messageID }) =>
    typeof sessionID === "string" && typeof messageID === "string"
      ? { kind: "message-removed", sessionId: sessionID, messageId: messageID }
      : null,
  "message.part.updated": ({ part }) => taskPart(fieldsOf(part)),
}

/** Puts an event of the host into our words; null for one that we have no use for. Never throws. */
export function translateEvent(event: unknown, now: number): HostEvent | null {
  const { type, properties } = fieldsOf(event)
  if (typeof type !== "string" || !Object.hasOwn(ROWS, type)) return null
  return ROWS[type]?.(fieldsOf(properties), now) ?? null
}

function asked(kind: "question-asked" | "permission-asked", properties: Fields): HostEvent | null {
  const { id, sessionID } = properties
  return typeof id === "string" && typeof sessionID === "string"
    ? { kind, sessionId: sessionID, requestId: id }
    : null
}

function answered(
  kind: "question-answered" | "permission-answered",
  properties: Fields,
  rejected: boolean,
  at: number,
): HostEvent | null {
  const requestId = textOf(properties["requestID"]) ?? textOf(properties["permissionID"])
  const sessionId = textOf(properties["sessionID"])
  return requestId === null || sessionId === null
    ? null
    : { kind, sessionId, requestId, rejected, at }
}

function taskPart({ tool, sessionID, callID, state }: Fields): HostEvent | null {
  if (tool !== "task" || typeof sessionID !== "string" || typeof callID !== "string") return null
  const { status, metadata } = fieldsOf(state)
  if (status !== "running" && status !== "error") return null
  return {
    kind: "task-part",
    sessionId: sessionID,
    callId: callID,
    status,
    childId: sessionIdIn(metadata),
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? { ...value } : {}
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null
}
