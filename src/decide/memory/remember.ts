// How an event changes what is remembered of a session.
import { isBefore } from "../../boulder/iso-time.ts"
import { answerTold, NO_GROWTH, toolReturned } from "./context-growth.ts"
import { countAnswer } from "./count-answers.ts"
import type { HostEvent, TaskCall } from "./host-event.ts"
import { rememberOurs } from "./remember-ours.ts"
import { heard, waitsFor } from "./remember-silence.ts"
import type { CountedAnswer, SessionMemory } from "./session-memory.ts"
import { asRead } from "./told-keys.ts"

const MAX_PENDING = 64

/** The only function that changes a memory. */
export function remember(memory: SessionMemory, event: HostEvent): SessionMemory {
  switch (event.kind) {
    case "session-created":
      return memory.parentId === event.parentId ? memory : { ...memory, parentId: event.parentId }
    case "question-asked":
    case "permission-asked":
      return withAsked(memory, event)
    case "question-answered":
    case "permission-answered":
      return withReply(memory, event)
    case "assistant-started":
      return tokensTold(withAnswer(behindAnswer(memory, event), event.spent), event)
    case "session-compacted":
      return {
        ...withTokens(memory, 0),
        base: 0,
        compactions: memory.compactions + 1,
        cutDown: { refusedAt: null },
        growth: NO_GROWTH,
        looked: null,
        knowsRules: false,
      }
    case "tool-returned":
      return { ...memory, growth: toolReturned(memory.growth, event.chars) }
    case "session-busy":
      return runs(memory, true)
    case "session-idle":
      return fellIdle(memory, event.at)
    case "session-heard":
      return heard(memory, event)
    case "session-failed":
      return { ...waitsNoMore(memory), failure: event.failure }
    case "session-too-long":
      return tooLong(waitsNoMore(memory), event)
    case "session-waits":
      return waitsFor(memory, event)
    case "session-aborted":
      return { ...memory, abortedAt: event.at, questions: [], permissions: [] }
    case "task-part":
      return withChild(memory, event)
    case "stop-written":
      return { ...memory, abortedAt: null, rejectedAt: null }
    case "message-received":
      return {
        ...memory,
        command: null,
        lastMessage: event.messageId,
        awaitsTurnSince: event.at,
        unansweredSince: event.isOurs ? event.at : null,
        isUsersTurn: event.isUsers,
        failure: null,
        agent: event.agent ?? null,
        // What the user says now settles what they refused before.
        ...(event.isUsers && !event.isCommands ? { abortedAt: null, rejectedAt: null } : {}),
        growth: NO_GROWTH,
        looked: null,
        isAtRest: false,
        toldOfWrites: false,
      }
    case "model-told":
      return withModel(memory, event)
    default:
      return rememberOurs(memory, event)
  }
}

type Request<End extends string> = HostEvent & { kind: `${"question" | "permission"}-${End}` }

function withAsked(memory: SessionMemory, event: Request<"asked">): SessionMemory {
  const list = event.kind === "question-asked" ? "questions" : "permissions"
  return { ...memory, [list]: added(memory[list], event.requestId), asks: event.detail || null }
}

function withReply(memory: SessionMemory, event: Request<"answered">): SessionMemory {
  const list = event.kind === "question-answered" ? "questions" : "permissions"
  const open = memory[list].filter((id) => id !== event.requestId)
  return rejectedIf(event.rejected, event.at, { ...memory, [list]: open })
}

/** The host asks the provider again, or no longer does: its wait is over, and silence counts from now on. */
function waitsNoMore(memory: SessionMemory): SessionMemory {
  return memory.running?.waitsUntil == null ? memory : { ...memory, running: RUNS, quietMs: null }
}

/** The host mends this by a compaction. If that does not help, the session is refused for good, until the model answers again. */
function tooLong(
  memory: SessionMemory,
  { at, words }: HostEvent & { kind: "session-too-long" },
): SessionMemory {
  if (memory.cutDown?.refusedAt === at) return memory
  const cutDown = { refusedAt: at }
  return memory.cutDown === null
    ? { ...memory, cutDown }
    : { ...memory, cutDown, failure: { kind: "refused", words, at } }
}

/** An idle during a wait for the provider is the user's stop: the host reports it in no other way. */
function fellIdle(memory: SessionMemory, at: number): SessionMemory {
  const idle = runs(memory, false)
  return memory.running?.waitsUntil == null ? idle : { ...idle, abortedAt: at }
}

const RUNS: SessionMemory["running"] = { waitsUntil: null }

/** A turn has started, whatever message caused it, or has ended. */
function runs(before: SessionMemory, isRunning: boolean): SessionMemory {
  const memory = waitsNoMore(before)
  const awaitsTurnSince = isRunning ? null : memory.awaitsTurnSince
  const { running } = memory
  const isSame = (running !== null) === isRunning
  return isSame && memory.awaitsTurnSince === awaitsTurnSince
    ? memory
    : { ...memory, awaitsTurnSince, running: isRunning ? RUNS : null }
}

function withChild(
  memory: SessionMemory,
  { callId, childId }: HostEvent & { kind: "task-part" },
): SessionMemory {
  const isNews = (call: TaskCall) =>
    childId !== null && call.callId === callId && call.childId !== childId
  return memory.calls.some(isNews)
    ? { ...memory, calls: memory.calls.map((call) => (isNews(call) ? { ...call, childId } : call)) }
    : memory
}

function withModel(
  memory: SessionMemory,
  { contextLimit, compactsAt }: HostEvent & { kind: "model-told" },
): SessionMemory {
  const { model } = memory
  return model?.contextLimit === contextLimit && model.compactsAt === compactsAt
    ? memory
    : { ...memory, model: { contextLimit, compactsAt } }
}

function added(ids: readonly string[], id: string): readonly string[] {
  return ids.includes(id) ? ids : [...ids, id].slice(-MAX_PENDING)
}

function rejectedIf(rejected: boolean, at: number, memory: SessionMemory): SessionMemory {
  return rejected ? { ...memory, rejectedAt: at } : memory
}

/** An answer, by its start or its end, settles what was said or failed before it. */
function behindAnswer(
  given: SessionMemory,
  { createdAt, at, hasAnswered, to }: HostEvent & { kind: "assistant-started" },
): SessionMemory {
  const begun = answerBegun(given, to)
  const told = asRead(begun.told, { createdAt, at })
  const memory = told === begun.told ? begun : { ...begun, told }
  const isOver = (since: number | undefined) =>
    since !== undefined && isBefore(since, createdAt, at)
  const { rejectedAt, failure, cutDown } = memory
  const isRejectionOver = isOver(rejectedAt ?? undefined)
  const isFailureOver = hasAnswered === true && isOver(failure?.at)
  const isWhole = hasAnswered === true && cutDown !== null
  return isRejectionOver || isFailureOver || isWhole
    ? {
        ...memory,
        rejectedAt: isRejectionOver ? null : rejectedAt,
        failure: isFailureOver ? null : failure,
        cutDown: isWhole ? null : cutDown,
      }
    : memory
}

/**
 * A prompt of ours is answered by the turn that it starts: by an answer to it, or to whatever the host or the user added after it. Late
 * reports about the previous turn do not count. The order of messages proves nothing either: the clock may have been set back between them.
 */
function answerBegun(memory: SessionMemory, to: string | undefined): SessionMemory {
  if (to === memory.answered) return memory
  if (to !== undefined) return { ...memory, answered: to, unansweredSince: null }
  return memory.unansweredSince === null ? memory : { ...memory, unansweredSince: null }
}

function withAnswer(memory: SessionMemory, answer: CountedAnswer | undefined): SessionMemory {
  return answer === undefined ? memory : countAnswer(memory, answer)
}

function tokensTold(
  memory: SessionMemory,
  { contextTokens: tokens, createdAt }: { contextTokens?: number; createdAt: number },
): SessionMemory {
  if (tokens === undefined) return memory
  const growth = answerTold(memory.growth, { tokens, createdAt })
  const isFirst = memory.compactions > 0 && memory.base === 0 && tokens > 0
  const told = withTokens(isFirst ? { ...memory, base: tokens } : memory, tokens)
  return growth === told.growth ? told : { ...told, growth }
}

function withTokens(memory: SessionMemory, contextTokens: number): SessionMemory {
  return memory.contextTokens === contextTokens ? memory : { ...memory, contextTokens }
}
