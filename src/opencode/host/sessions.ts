// Holds the memory of this process about its sessions.
import { isSpent } from "../../decide/memory/count-answers.ts"
import type { HostEvent } from "../../decide/memory/host-event.ts"
import { remember } from "../../decide/memory/remember.ts"
import { NOTHING_REMEMBERED, type SessionMemory } from "../../decide/memory/session-memory.ts"

const MAX_SESSIONS = 1_000

/**
 * The memory of every session of this process. It is bounded, and a session's memory is emptied when the session is deleted. What the host
 * reports about that session afterwards no longer adds to what it has spent: its answers were already counted.
 */
export type Sessions = ReturnType<typeof openSessions>

/** The events about the silence of a deleted session. */
const OF_SILENCE: ReadonlySet<HostEvent["kind"]> = new Set([
  "session-heard",
  "session-waits",
  "watched",
  "told-of-tool",
  "ended-silent",
])

/** What is kept of a deleted session: its call may still hang, and its spending belongs to the session above it. */
function goneFrom({ parentId, quietMs, isEndedSilent, tools }: SessionMemory): SessionMemory {
  return { ...NOTHING_REMEMBERED, isDeleted: true, parentId, quietMs, isEndedSilent, tools }
}

/** An empty memory. */
export function openSessions() {
  /** The one place where what is known about a session changes, and only through `remember`. */
  const memories = new Map<string, SessionMemory>()
  const of = (sessionId: string): SessionMemory => memories.get(sessionId) ?? NOTHING_REMEMBERED
  /** Forgets a session. What it has spent and no work has booked goes to the session above it. */
  const forget = (sessionId: string): void => {
    const { parentId, spent: all } = of(sessionId)
    memories.delete(sessionId)
    // That this session got an answer says nothing about the limit of another.
    const { answeredAt: _, ...spent } = all
    if (parentId && isSpent(spent)) note({ kind: "spent-returned", sessionId: parentId, spent })
  }
  /** A deleted session that is created again starts afresh. Spending that could not be booked goes to the session above it. */
  const noteDeleted = (event: HostEvent, gone: SessionMemory): void => {
    const { sessionId, kind } = event
    const { parentId } = gone
    if (kind === "session-created") keep(sessionId, remember(NOTHING_REMEMBERED, event))
    if (kind === "spent-returned" && parentId) note({ ...event, sessionId: parentId })
    if (OF_SILENCE.has(kind)) keep(sessionId, remember(gone, event))
  }
  const note = (event: HostEvent): void => {
    const { sessionId, kind } = event
    const before = of(sessionId)
    if (before.isDeleted) {
      noteDeleted(event, before)
      return
    }
    if (kind === "session-deleted") {
      forget(sessionId)
      keep(sessionId, goneFrom(before))
      return
    }
    const after = remember(before, event)
    if (after !== before) keep(sessionId, after)
  }
  const keep = (sessionId: string, memory: SessionMemory): void => {
    memories.delete(sessionId)
    memories.set(sessionId, memory)
    for (const oldest of memories.keys()) {
      if (memories.size <= MAX_SESSIONS) return
      forget(oldest)
    }
  }
  /** Whether a known call of ours now turns out to run in that session. */
  const isCalled = ({ sessionId, callId, childId }: HostEvent & { kind: "task-part" }): boolean =>
    of(sessionId).calls.some((call) => call.callId === callId && call.childId !== childId)
  /** Whether `sessionId` is `aboveId` or runs below it, as far as is remembered. */
  const isBelow = (sessionId: string, aboveId: string): boolean => {
    const seen = new Set<string>()
    let current: string | null | undefined = sessionId
    while (current && !seen.has(current)) {
      if (current === aboveId) return true
      seen.add(current)
      current = memories.get(current)?.parentId
    }
    return false
  }
  return {
    of,
    /** The ids that are remembered. */
    ids: () => [...memories].flatMap(([id, memory]) => (memory.isDeleted ? [] : [id])),
    /** Takes an event into the memory of its session. */
    note(event: HostEvent) {
      const isBegun = event.kind === "task-part" && isCalled(event)
      note(event)
      if (isBegun && event.childId !== null) note({ kind: "called", sessionId: event.childId })
      // A session runs below whoever calls it, no matter who created it.
      if (event.kind !== "task-part" || event.childId === null) return
      // The host may report an old call again long afterwards, and the end of a call whose session was deleted.
      if (event.status === "completed" || of(event.childId).isDeleted) return
      const { childId: sessionId, sessionId: parentId } = event
      if (!isBelow(parentId, sessionId)) note({ kind: "session-created", sessionId, parentId })
    },
  }
}
