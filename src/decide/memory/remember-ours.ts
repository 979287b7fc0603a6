// How the plugin's own actions change what is remembered of a session.
import { inOrder, withoutPlace } from "../../boulder/proof-order.ts"
import type { PlanKeys } from "../../plan/match-tasks.ts"
import { sumOf } from "./count-answers.ts"
import type { HostEvent, PlanChecks, TaskCall } from "./host-event.ts"
import { called, watched } from "./remember-silence.ts"
import { NOTHING_REMEMBERED, type SessionMemory } from "./session-memory.ts"
import { withKeys } from "./told-keys.ts"

const MAX_PENDING = 64
const MAX_KEPT = 256
const MAX_SEEN = 1_000
/** A session that goes round in more writes than these counts as one that gets on. */
const MAX_WRITES = 100

/** Events that `remember` does not handle itself: the compiler demands a case below for each new one. */
type OurEvent = Exclude<
  HostEvent,
  {
    readonly kind:
      | `session-${"created" | "compacted" | "busy" | "idle" | "aborted" | "failed" | "too-long" | "waits" | "heard"}`
      | `${"question" | "permission"}-${"asked" | "answered"}`
      | "assistant-started"
      | "tool-returned"
      | "task-part"
      | "stop-written"
      | "message-received"
      | "model-told"
  }
>

/** Nobody will answer a prompt that was withdrawn. */
function withoutMessage(memory: SessionMemory, messageId: string): SessionMemory {
  return memory.lastMessage === messageId && memory.unansweredSince !== null
    ? { ...memory, unansweredSince: null }
    : memory
}

/** The memory after something that the plugin did or needs to know. */
export function rememberOurs(memory: SessionMemory, event: OurEvent): SessionMemory {
  switch (event.kind) {
    case "spent-booked":
      return { ...memory, spent: NOTHING_REMEMBERED.spent }
    case "spent-returned":
      return { ...memory, spent: sumOf(memory.spent, event.spent) }
    case "context-told":
      return { ...memory, contextTokens: event.contextTokens }
    case "looked": {
      const { plan, hash, limit, wave } = event
      return { ...memory, looked: { plan, hash, limit, wave } }
    }
    case "checks-read":
      return withChecksOf(memory, event)
    case "call-begins": {
      const { at, session, call } = event
      const place = { kind: "call", at, session, task: null, call } as const
      const begun = [...memory.begun, event].slice(-MAX_PENDING)
      return { ...memory, begun, seen: bounded([...memory.seen, place]) }
    }
    case "call-over": {
      const { session, call } = event
      const begun = memory.begun.filter((one) => one.session !== session || one.call !== call)
      return { ...memory, begun, seen: withoutPlace(memory.seen, event) }
    }
    case "wrote":
      return {
        ...memory,
        writes: [...new Set([...memory.writes, event.hash])].slice(-MAX_WRITES),
      }
    case "plan-edited":
      return { ...memory, hasEditedPlan: true }
    case "plan-looked-at":
      return memory.hasEditedPlan ? { ...memory, hasEditedPlan: false } : memory
    case "seen":
      return withSeen(memory, event.entries)
    case "tree-seen": {
      const { tree, isFresh } = event
      return { ...memory, tested: { tree, isFresh } }
    }
    case "seen-written":
      return { ...memory, seen: memory.seen.filter((one) => !event.entries.has(one)) }
    case "leads":
      return withLead(memory, event.keys)
    case "keys-told":
      return { ...memory, told: withKeys(memory.told, event) }
    case "at-rest":
      return { ...memory, isAtRest: true }
    case "blocks-seen":
      return { ...memory, blocked: event.tasks.slice(0, MAX_KEPT) }
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
    case "leases-known":
      return { ...memory, knowsLeases: true }
    case "ticks-untold":
      return { ...memory, untold: event.untold.slice(-MAX_KEPT) }
    case "call-begun":
      return {
        ...memory,
        calls: [...withoutCall(memory.calls, event.call.callId), event.call].slice(-MAX_KEPT),
        // Whoever calls for a task again knows that its previous call was lost.
        lost: withoutTask(memory.lost, event.call.task),
      }
    case "call-back":
      return withCall(memory, event.callId, { isBack: true })
    case "call-left":
      return withCall(memory, event.callId, { inBackground: true })
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
    case "called":
      return called(memory)
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
    // Nobody will answer it any more.
    case "message-removed":
      return withoutMessage(memory, event.messageId)
    // Events that change no memory: the whole memory goes, or only others need them.
    case "session-deleted":
    case "user-message":
    case "text-part":
      return memory
    default:
      event satisfies never
      return memory
  }
}

const { begun, blocked, hasEditedPlan, tested, seen, untold } = NOTHING_REMEMBERED
const NOTHING_SEEN = { begun, blocked, hasEditedPlan, tested, seen, untold }

/** What was seen for another work says nothing of this one, though it be the same plan. */
function withChecksOf(memory: SessionMemory, checks: PlanChecks): SessionMemory {
  const isOther = memory.checks !== null && memory.checks.workId !== checks.workId
  return { ...memory, checks, ...(isOther && NOTHING_SEEN) }
}

/** A run or a tick taken back is examined together with the ticks, which a look at an unchanged plan skips. */
function withSeen(memory: SessionMemory, entries: SessionMemory["seen"]): SessionMemory {
  const isOfTicks = entries.some(({ kind }) => kind === "run" || kind === "reopened")
  const looked =
    isOfTicks && memory.looked !== null ? { ...memory.looked, hash: "" } : memory.looked
  return { ...memory, looked, seen: bounded(inOrder([...memory.seen, ...entries])) }
}

/** If there are too many, the oldest writes go first: what they made stale is also stale by the latest one. */
function bounded(seen: SessionMemory["seen"]): SessionMemory["seen"] {
  if (seen.length <= MAX_SEEN) return seen
  const lastWrites = new Map(seen.map((entry, at) => [nameOf(entry, at), at]))
  const kept = seen.filter((entry, at) => lastWrites.get(nameOf(entry, at)) === at)
  const spare = kept.length - MAX_SEEN
  if (spare <= 0) return kept
  const writes = kept.filter(({ kind }) => kind === "write").slice(0, spare)
  const gone = new Set(writes)
  return kept.filter((entry) => !gone.has(entry)).slice(-MAX_SEEN)
}

function nameOf(entry: SessionMemory["seen"][number], at: number): string {
  return entry.kind === "write" ? `${entry.task?.key ?? ""} ${entry.path}` : `${at}`
}

function withLead(memory: SessionMemory, keys?: PlanKeys): SessionMemory {
  const told = memory.told ?? (keys === undefined ? null : withKeys(null, { keys, at: null }))
  return memory.leads && !memory.isAtRest && told === memory.told
    ? memory
    : { ...memory, leads: true, isAtRest: false, told }
}

function withCall(memory: SessionMemory, callId: string, told: Partial<TaskCall>): SessionMemory {
  const calls = memory.calls.map((call) => (call.callId === callId ? { ...call, ...told } : call))
  return { ...memory, calls }
}

function withoutTask(lost: SessionMemory["lost"], task: TaskCall["task"]): SessionMemory["lost"] {
  return task === null ? lost : lost.filter((one) => one.task?.titleHash !== task.titleHash)
}

function withoutCall(calls: readonly TaskCall[], callId: string): readonly TaskCall[] {
  return calls.filter((call) => call.callId !== callId)
}

function withoutLease(leases: SessionMemory["leases"], handoffId: string): SessionMemory["leases"] {
  return leases.filter((lease) => lease.handoffId !== handoffId)
}
