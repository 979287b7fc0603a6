// How an event changes what is remembered of a session.
// Over 250 lines: the two switches name every event, so that the compiler misses none.
import { isBefore } from "../boulder/iso-time.ts"
import { answerTold, NO_GROWTH, toolReturned } from "./context-growth.ts"
import { countAnswer, sumOf } from "./count-answers.ts"
import type { HostEvent, TaskCall } from "./host-event.ts"
import { heard, waitsFor, watched } from "./remember-silence.ts"
import { type CountedAnswer, NOTHING_REMEMBERED, type SessionMemory } from "./session-memory.ts"

const MAX_PENDING = 64
const MAX_KEPT = 256
const MAX_SEEN = 1_000

/** The only way in which memory changes. */
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
      return answered(
        withAnswer(
          memory.rejectedAt !== null && isBefore(memory.rejectedAt, event.createdAt, event.at)
            ? { ...memory, rejectedAt: null }
            : memory,
          event.spent,
        ),
        event,
      )
    case "session-compacted":
      return {
        ...withTokens(memory, 0),
        compactions: memory.compactions + 1,
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
      return { ...memory, failure: event.failure, running: memory.running === null ? null : RUNS }
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
        isUsersTurn: event.isUsers,
        failure: null,
        agent: event.agent ?? null,
        // What the user said no to before is answered by what they say now.
        ...(event.isUsers ? { abortedAt: null, rejectedAt: null } : {}),
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

/** What `remember` has not taken: a new event meets the compiler in the last switch. */
type OurEvent = Exclude<
  HostEvent,
  {
    readonly kind:
      | `session-${"created" | "compacted" | "busy" | "idle" | "aborted" | "failed" | "waits" | "heard"}`
      | `${"question" | "permission"}-${"asked" | "answered"}`
      | "assistant-started"
      | "tool-returned"
      | "task-part"
      | "stop-written"
      | "message-received"
      | "model-told"
  }
>

/** What the plugin itself has done, and is to know of. */
function rememberOurs(memory: SessionMemory, event: OurEvent): SessionMemory {
  switch (event.kind) {
    case "spent-booked":
      return { ...memory, spent: NOTHING_REMEMBERED.spent }
    case "spent-returned":
      return { ...memory, spent: sumOf(memory.spent, event.spent) }
    case "context-told":
      return withTokens(memory, event.contextTokens)
    case "looked": {
      const { plan, hash, limit } = event
      return { ...memory, looked: { plan, hash, limit } }
    }
    case "checks-read":
      return { ...memory, checks: event }
    case "seen":
      return withSeen(memory, event.entries)
    case "seen-written":
      return { ...memory, seen: memory.seen.slice(event.count) }
    case "leads":
      return withLead(memory)
    case "at-rest":
      return { ...memory, isAtRest: true }
    case "blocks-seen":
      return { ...memory, blocked: event.keys.slice(0, MAX_KEPT) }
    case "told-of-limits":
      return { ...memory, toldOfLimits: true }
    case "said":
      return memory.said === event.said ? memory : { ...memory, said: event.said }
    case "look-lost":
      return { ...memory, lostLooks: memory.lostLooks + 1 }
    case "look-done":
      return memory.lostLooks === 0 ? memory : { ...memory, lostLooks: 0 }
    case "lease-held": {
      const { handoffId, at: renewedAt } = event
      const leases = [...withoutLease(memory.leases, handoffId), { handoffId, renewedAt }]
      return { ...memory, leases: leases.slice(-MAX_PENDING) }
    }
    case "lease-lost":
      return { ...memory, leases: withoutLease(memory.leases, event.handoffId) }
    case "ticks-untold":
      return { ...memory, untold: event.keys.slice(-MAX_KEPT) }
    case "call-begun":
      return {
        ...memory,
        calls: [...withoutCall(memory.calls, event.call.callId), event.call].slice(-MAX_KEPT),
      }
    case "call-back":
      return {
        ...memory,
        calls: memory.calls.map((call) =>
          call.callId === event.callId ? { ...call, isBack: true } : call,
        ),
      }
    case "call-ended":
      return { ...memory, calls: withoutCall(memory.calls, event.callId) }
    case "call-lost":
      return { ...memory, lost: [...memory.lost, event.lost].slice(-MAX_PENDING) }
    case "told-of-lost":
      return memory.lost.length === 0 ? memory : { ...memory, lost: [] }
    case "wave-asked":
      return { ...memory, waveAsked: [...memory.waveAsked, event.asked].slice(-MAX_PENDING) }
    case "command-answered":
      return { ...memory, command: { name: event.name, text: event.text } }
    case "told-rules":
      return memory.knowsRules ? memory : { ...memory, knowsRules: true }
    case "watched":
      return watched(memory, event.forMs)
    case "ended-silent":
      return { ...memory, isEndedSilent: true }
    case "told-of-tool": {
      const tools = memory.tools.map((tool) =>
        tool.callId === event.callId ? { ...tool, isTold: true } : tool,
      )
      return { ...memory, tools }
    }
    case "told-of-writes":
      return { ...memory, toldOfWrites: true }
    // What changes nothing of a memory: all of it goes, or others alone have a use for it.
    case "session-deleted":
    case "message-removed":
    case "user-message":
    case "text-part":
      return memory
    default:
      event satisfies never
      return memory
  }
}

/** A run is looked at with the ticks, which a look that finds the plan unchanged passes over. */
function withSeen(memory: SessionMemory, entries: SessionMemory["seen"]): SessionMemory {
  const looked = entries.some(({ kind }) => kind === "run") ? null : memory.looked
  return { ...memory, looked, seen: [...memory.seen, ...entries].slice(-MAX_SEEN) }
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

function withLead(memory: SessionMemory): SessionMemory {
  return memory.leads && !memory.isAtRest ? memory : { ...memory, leads: true, isAtRest: false }
}

/** An idle in the midst of a wait for the provider is the user's stop: the host tells nothing else of it. */
function fellIdle(memory: SessionMemory, at: number): SessionMemory {
  const idle = runs(memory, false)
  return memory.running?.waitsUntil == null ? idle : { ...idle, abortedAt: at }
}

const RUNS: SessionMemory["running"] = { waitsUntil: null }

/** A turn has begun, behind whatever message it was; or has ended. */
function runs(memory: SessionMemory, isRunning: boolean): SessionMemory {
  const awaitsTurnSince = isRunning ? null : memory.awaitsTurnSince
  const { running } = memory
  const isSame = isRunning ? running !== null && running.waitsUntil === null : running === null
  return isSame && memory.awaitsTurnSince === awaitsTurnSince
    ? memory
    : { ...memory, awaitsTurnSince, running: isRunning ? RUNS : null }
}

function withoutCall(calls: readonly TaskCall[], callId: string): readonly TaskCall[] {
  return calls.filter((call) => call.callId !== callId)
}

function withoutLease(leases: SessionMemory["leases"], handoffId: string): SessionMemory["leases"] {
  return leases.filter((lease) => lease.handoffId !== handoffId)
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

function withAnswer(memory: SessionMemory, answer: CountedAnswer | undefined): SessionMemory {
  return answer === undefined ? memory : countAnswer(memory, answer)
}

function answered(
  memory: SessionMemory,
  { contextTokens: tokens, createdAt }: { contextTokens?: number; createdAt: number },
): SessionMemory {
  if (tokens === undefined) return memory
  const growth = answerTold(memory.growth, { tokens, createdAt })
  const told = withTokens(memory, tokens)
  return growth === told.growth ? told : { ...told, growth }
}

function withTokens(memory: SessionMemory, contextTokens: number): SessionMemory {
  return memory.contextTokens === contextTokens ? memory : { ...memory, contextTokens }
}
