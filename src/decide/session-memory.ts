// What is remembered of a session, and how an event changes it.
import type { RoundEnd } from "../boulder/boulder.ts"
import { byTime } from "../boulder/iso-time.ts"
import { answerTold, type ContextGrowth, NO_GROWTH, toolReturned } from "./context-growth.ts"
import type { HostEvent, TaskCall } from "./host-event.ts"

/** What we remember of one session of this process; lost at a restart, where none of it matters. */
export interface SessionMemory {
  /** Null for a session without a parent; undefined while the host has not told. */
  readonly parentId: string | null | undefined
  /** Requests that wait for the user's answer, by the host's request id. */
  readonly questions: readonly string[]
  readonly permissions: readonly string[]
  /** When the user last stopped this session's turn, in ms. */
  readonly abortedAt: number | null
  /** When the user last said no; null again once the session's model has gone on after it. */
  readonly rejectedAt: number | null
  /** The handoffs that it holds, and when each lease was last written, in ms. */
  readonly leases: readonly { readonly handoffId: string; readonly renewedAt: number }[]
  /** The `task` calls in flight that it has made. */
  readonly calls: readonly TaskCall[]
  /** The command of ours whose message the host is about to make. */
  readonly command: string | null
  /** The decision about it that stands in the journal. */
  readonly said: string | null
  /** Looks at it in a row that could not be made. */
  readonly lostLooks: number
  /** The last message that it has received. */
  readonly lastMessage: string | null
  /** When that came, in ms; null once a turn has begun behind it. */
  readonly awaitsTurnSince: number | null
  /** The host has told that it runs, and not yet that it is idle again. */
  readonly isRunning: boolean
  /** Its last turn was begun by the user's own message, not for a work. */
  readonly isUsersTurn: boolean
  /** The model's context in tokens, once a request has told it. */
  readonly contextLimit: number | null
  /** Where the host compacts it by itself; known with the model's context. */
  readonly compactsAt: number | null
  /** Tokens in its context after its last answer; 0 while unknown, and after a compaction. */
  readonly contextTokens: number
  /** Tokens of its answers that no work has written down yet, and the answer that was counted last. */
  readonly spentTokens: number
  readonly lastSpent: { readonly messageId: string; readonly tokens: number } | null
  /** What the turn under way has added to it. */
  readonly growth: ContextGrowth
  /** The plan and the limit that was reached, as the last look behind a tool of this turn left nothing to be done. */
  readonly looked: {
    readonly plan: string
    readonly hash: string
    readonly limit: RoundEnd | null
  } | null
  /** It was seen to lead a work; whether it still does, the store knows. */
  readonly leads: boolean
  /** The user was told that the token limits were too large for its model. */
  readonly toldOfLimits: boolean
  /** The blocked tasks of the plan that it leads, as they were last seen; null before. */
  readonly blocked: readonly string[] | null
  /** The orchestrator was told in this round that it edits sources itself. */
  readonly toldOfWrites: boolean
}

export const NOTHING_REMEMBERED: SessionMemory = {
  parentId: undefined,
  questions: [],
  permissions: [],
  abortedAt: null,
  rejectedAt: null,
  leases: [],
  calls: [],
  command: null,
  said: null,
  lostLooks: 0,
  lastMessage: null,
  awaitsTurnSince: null,
  isRunning: false,
  isUsersTurn: false,
  contextLimit: null,
  compactsAt: null,
  contextTokens: 0,
  spentTokens: 0,
  lastSpent: null,
  growth: NO_GROWTH,
  looked: null,
  leads: false,
  toldOfLimits: false,
  blocked: null,
  toldOfWrites: false,
}

const MAX_PENDING = 64
const MAX_CALLS = 256
const MAX_BLOCKED = 256

/** The only way in which memory changes. */
export function remember(memory: SessionMemory, event: HostEvent): SessionMemory {
  switch (event.kind) {
    case "session-created":
      return memory.parentId === event.parentId ? memory : { ...memory, parentId: event.parentId }
    case "question-asked":
      return { ...memory, questions: added(memory.questions, event.requestId) }
    case "permission-asked":
      return { ...memory, permissions: added(memory.permissions, event.requestId) }
    case "question-answered":
      return rejectedIf(event.rejected, event.at, {
        ...memory,
        questions: memory.questions.filter((id) => id !== event.requestId),
      })
    case "permission-answered":
      return rejectedIf(event.rejected, event.at, {
        ...memory,
        permissions: memory.permissions.filter((id) => id !== event.requestId),
      })
    case "assistant-started":
      return answered(
        withSpent(
          memory.rejectedAt !== null && byTime(memory.rejectedAt, event.createdAt) < 0
            ? { ...memory, rejectedAt: null }
            : memory,
          event.spent,
        ),
        event,
      )
    case "session-compacted":
      return { ...withTokens(memory, 0), growth: NO_GROWTH, looked: null }
    case "tool-returned":
      return { ...memory, growth: toolReturned(memory.growth, event.chars) }
    case "session-busy":
      return runs(memory, true)
    case "session-idle":
      return runs(memory, false)
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
        // What the user said no to before is answered by what they say now.
        ...(event.isUsers ? { abortedAt: null, rejectedAt: null } : {}),
        growth: NO_GROWTH,
        looked: null,
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
      | `session-${"created" | "compacted" | "busy" | "idle" | "aborted"}`
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
    case "tokens-booked":
      return memory.spentTokens === 0 ? memory : { ...memory, spentTokens: 0 }
    case "tokens-returned":
      return { ...memory, spentTokens: memory.spentTokens + event.tokens }
    case "context-told":
      return withTokens(memory, event.contextTokens)
    case "looked": {
      const { plan, hash, limit } = event
      return { ...memory, looked: { plan, hash, limit } }
    }
    case "leads":
      return memory.leads ? memory : { ...memory, leads: true }
    case "blocks-seen":
      return { ...memory, blocked: event.keys.slice(0, MAX_BLOCKED) }
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
    case "call-begun":
      return {
        ...memory,
        calls: [...withoutCall(memory.calls, event.call.callId), event.call].slice(-MAX_CALLS),
      }
    case "call-ended":
      return { ...memory, calls: withoutCall(memory.calls, event.callId) }
    case "command-started":
      return { ...memory, command: event.name }
    case "told-of-writes":
      return { ...memory, toldOfWrites: true }
    // What changes nothing of a memory: all of it goes, or the kept states alone have a use for it.
    case "session-deleted":
    case "message-removed":
      return memory
    default:
      event satisfies never
      return memory
  }
}

/** A turn has begun, behind whatever message it was; or has ended. */
function runs(memory: SessionMemory, isRunning: boolean): SessionMemory {
  const awaitsTurnSince = isRunning ? null : memory.awaitsTurnSince
  return memory.isRunning === isRunning && memory.awaitsTurnSince === awaitsTurnSince
    ? memory
    : { ...memory, awaitsTurnSince, isRunning }
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
  const isKnown = memory.contextLimit === contextLimit && memory.compactsAt === compactsAt
  return isKnown ? memory : { ...memory, contextLimit, compactsAt }
}

function added(ids: readonly string[], id: string): readonly string[] {
  return ids.includes(id) ? ids : [...ids, id].slice(-MAX_PENDING)
}

function rejectedIf(rejected: boolean, at: number, memory: SessionMemory): SessionMemory {
  return rejected ? { ...memory, rejectedAt: at } : memory
}

/** An answer is counted once, however often the host tells of it. */
function withSpent(memory: SessionMemory, spent: SessionMemory["lastSpent"] = null): SessionMemory {
  if (spent === null) return memory
  const { lastSpent, spentTokens } = memory
  const before = lastSpent?.messageId === spent.messageId ? lastSpent.tokens : 0
  return spent.tokens <= before
    ? memory
    : { ...memory, spentTokens: spentTokens + spent.tokens - before, lastSpent: spent }
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
