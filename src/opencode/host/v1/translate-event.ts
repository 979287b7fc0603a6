// Puts an event of the host into our words.
// Over 250 lines: a row an event, and each reads the host's fields by the same few functions.

import { type Fields, fieldsOf } from "../../../boulder/fields-of.ts"
import { isOwnPart } from "../../../boulder/own-part.ts"
import { classifyFailure, tooLongWords } from "../../../decide/classify-failure.ts"
import { contextTokensOf, tokenCountOf } from "../../../decide/context-tokens.ts"
import { isApprove, WAVE_HEADER } from "../../../decide/final-wave.ts"
import type { HostEvent } from "../../../decide/memory/host-event.ts"
import { sessionIdIn } from "./child-of-call.ts"
import { openRequestIn } from "./open-request-in.ts"
import { V1_WORDS } from "./v1-words.ts"

/** One row for each event of the host; the others do not concern us. Shapes: docs/HOST.md, as seen in 1.14.41 to 1.18.33. */
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
  "session.status": ({ sessionID, status }, now) => {
    const { type, next } = fieldsOf(status)
    if (typeof sessionID !== "string") return null
    if (type === "busy") return { kind: "session-busy", sessionId: sessionID }
    return type === "retry" && typeof next === "number" && Number.isFinite(next)
      ? { kind: "session-waits", sessionId: sessionID, at: now, until: next }
      : null
  },
  "session.idle": ({ sessionID }, now) =>
    typeof sessionID === "string" ? { kind: "session-idle", sessionId: sessionID, at: now } : null,
  "session.error": ({ sessionID, error }, now) => {
    if (typeof sessionID !== "string") return null
    if (fieldsOf(error)["name"] === "MessageAbortedError")
      return { kind: "session-aborted", sessionId: sessionID, at: now }
    const words = tooLongWords(error)
    if (words !== null) return { kind: "session-too-long", sessionId: sessionID, at: now, words }
    const failure = classifyFailure(error, now)
    return failure === null
      ? null
      : { kind: "session-failed", sessionId: sessionID, failure: { ...failure, at: now } }
  },
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
  "message.updated": ({ info }, now) => message(fieldsOf(info), now),
  "session.compacted": ({ sessionID }) =>
    typeof sessionID === "string" ? { kind: "session-compacted", sessionId: sessionID } : null,
  "message.removed": ({ sessionID, messageID }) =>
    typeof sessionID === "string" && typeof messageID === "string"
      ? { kind: "message-removed", sessionId: sessionID, messageId: messageID }
      : null,
  "message.part.updated": ({ part }) => {
    const fields = fieldsOf(part)
    return fields["type"] === "text" ? textPart(fields) : taskPart(fields)
  },
}

/** Puts an event of the host into our words; null for one that we do not use. Never throws. */
export function translateEvent(event: unknown, now: number): HostEvent | null {
  const { type, properties } = fieldsOf(event)
  if (typeof type !== "string" || !Object.hasOwn(ROWS, type)) return null
  return ROWS[type]?.(fieldsOf(properties), now) ?? null
}

/** That something has happened in a session, whatever it is; null for an event of no session. Never throws. */
export function heardIn(
  event: unknown,
  at: number,
): (HostEvent & { kind: "session-heard" }) | null {
  const { type, properties } = fieldsOf(event)
  if (typeof type !== "string" || !/^(?:message|session\.status)\b/.test(type)) return null
  const { sessionID, part, info } = fieldsOf(properties)
  const told = fieldsOf(part)
  const sessionId = [sessionID, told["sessionID"], fieldsOf(info)["sessionID"]].find(
    (id) => typeof id === "string",
  )
  return typeof sessionId === "string"
    ? { kind: "session-heard", sessionId, at, tool: toolIn(told) }
    : null
}

/** While a call is pending, the model still writes its arguments. */
function toolIn({ type, tool, callID, state }: Fields) {
  const { status } = fieldsOf(state)
  if (type !== "tool" || typeof tool !== "string" || typeof callID !== "string") return null
  return { callId: callID, name: tool, runs: status === "running" }
}

function message(info: Fields, at: number): HostEvent | null {
  const { id, role, sessionID, parentID, time, tokens, summary, finish } = info
  const { created, completed } = fieldsOf(time)
  if (typeof sessionID !== "string") return null
  if (role === "user" && typeof id === "string")
    return { kind: "user-message", sessionId: sessionID, messageId: id }
  if (role !== "assistant" || typeof created !== "number" || !Number.isFinite(created)) return null
  const ids = { kind: "assistant-started", sessionId: sessionID, ...answeredBy(parentID) } as const
  // An answer that was cut off has no `finish`, or an error.
  const isAnswer = textOf(finish) !== null && completed !== undefined && summary !== true
  const hasAnswered = isAnswer && !hasError(info)
  const started = { ...ids, createdAt: created, at, ...(hasAnswered ? { hasAnswered } : {}) }
  const total = contextTokensOf(tokens)
  if (typeof id !== "string") return started
  if (total === 0) return { ...started, ...answeredUntold(info, id) }
  const output = Math.min(total, tokenCountOf(fieldsOf(tokens)["output"]))
  const isFinal = completed !== undefined
  const usd = priceOf(info["cost"])
  const spent = { messageId: id, tokens: total, output, usd, isFinal, ...endedWhole(info) }
  return summary === true ? { ...started, spent } : { ...started, contextTokens: total, spent }
}

function answeredBy(parentId: unknown): { readonly to?: string } {
  return typeof parentId === "string" ? { to: parentId } : {}
}

/** A summary is an answer of the provider like any other. One that was cut off or has failed is not. */
function endedWhole(info: Fields): { readonly answeredAt?: number } {
  const { completed } = fieldsOf(info["time"])
  const isWhole = typeof completed === "number" && Number.isFinite(completed) && !hasError(info)
  return isWhole ? { answeredAt: completed } : {}
}

/** An answer counts even if its provider reports no usage. One that was cut off has no usage either, but also no `finish`. */
function answeredUntold(info: Fields, messageId: string) {
  const ended = textOf(info["finish"]) === null ? {} : endedWhole(info)
  return ended.answeredAt === undefined
    ? {}
    : { spent: { messageId, tokens: 0, output: 0, usd: null, isFinal: true, ...ended } }
}

function hasError({ error }: Fields): boolean {
  return error !== undefined && error !== null
}

function asked(kind: "question-asked" | "permission-asked", properties: Fields): HostEvent | null {
  const { id, sessionID, questions } = properties
  if (typeof id !== "string" || typeof sessionID !== "string") return null
  const ids = { kind, sessionId: sessionID, requestId: id }
  const request = openRequestIn(properties)
  const asks = { detail: detailOf(properties), ...waveQuestionIn(questions) }
  return request === null ? { ...ids, ...asks } : { ...ids, ...asks, request }
}

/** Which of the questions has our header and our choice; nothing if none has, or several have. */
function waveQuestionIn(questions: unknown): { readonly waveQuestion?: number } {
  const found = listOf(questions).flatMap((one, index) => {
    const { header, options } = fieldsOf(one)
    const labels = listOf(options).map((option) => fieldsOf(option)["label"])
    const isNamed = textOf(header)?.trim().toLowerCase() === WAVE_HEADER.toLowerCase()
    return isNamed && labels.some(isApprove) ? [index] : []
  })
  const [waveQuestion] = found
  return waveQuestion === undefined || found.length > 1 ? {} : { waveQuestion }
}

/** What is asked: a question's text, or a permission with its patterns, or its title in an older host. */
function detailOf({ questions, permission, patterns, title }: Fields): string {
  const [first] = listOf(questions)
  const parts = [fieldsOf(first)["question"], permission, listOf(patterns).join(", "), title]
  return parts
    .flatMap((part) => textOf(part) ?? [])
    .join(" ")
    .trim()
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
    : { kind, sessionId, requestId, rejected, at, ...answersIn(properties["answers"]) }
}

function taskPart({ tool, sessionID, callID, state }: Fields): HostEvent | null {
  if (tool !== V1_WORDS.delegate || typeof sessionID !== "string" || typeof callID !== "string")
    return null
  const { status, input, output, metadata } = fieldsOf(state)
  if (status !== "running" && status !== "completed" && status !== "error") return null
  const { description, [V1_WORDS.resume]: resumes } = fieldsOf(input)
  return {
    kind: "task-part",
    sessionId: sessionID,
    callId: callID,
    status,
    childId: sessionIdIn(metadata),
    words: {
      description: textOf(description) ?? "",
      resumes: textOf(resumes),
      output: textOf(output) ?? "",
    },
  }
}

function textPart({ id, sessionID, messageID, text, metadata, ignored }: Fields): HostEvent | null {
  // Only shown on the screen: what was typed for one of our commands.
  if (ignored === true) return null
  if (typeof id !== "string" || typeof sessionID !== "string" || typeof messageID !== "string")
    return null
  return {
    kind: "text-part",
    sessionId: sessionID,
    messageId: messageID,
    partId: id,
    text: textOf(text) ?? "",
    isOurs: isOwnPart(metadata),
  }
}

function answersIn(given: unknown): { readonly answers?: readonly (readonly string[])[] } {
  if (!Array.isArray(given)) return {}
  return { answers: given.map((one) => listOf(one).flatMap((label) => textOf(label) ?? [])) }
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** No answer costs more than this, in US dollars. A larger number is not a price. */
const MOST_USD = 1_000_000

/** The host says 0 if it knows no price, and for a subscription. Either way nobody knows what an answer costs. */
function priceOf(value: unknown): number | null {
  const price = typeof value === "number" && Number.isFinite(value) ? value : 0
  return price > 0 && price <= MOST_USD ? price : null
}
