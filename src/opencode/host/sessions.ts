// The memory of this process.
import { isSpent } from "../../decide/memory/count-answers.ts"
import type { HostEvent } from "../../decide/memory/host-event.ts"
import { remember } from "../../decide/memory/remember.ts"
import { NOTHING_REMEMBERED, type SessionMemory } from "../../decide/memory/session-memory.ts"

const MAX_SESSIONS = 1_000

/**
 * The memory of every session of this process: bounded, and emptied when a session is deleted. What the host tells of
 * that one late changes nothing: its answers were counted.
 */
export interface Sessions {
  of(sessionId: string): SessionMemory
  /** Takes an event into the memory of its session. */
  note(event: HostEvent): void
  /** The ids that are remembered. */
  ids(): Iterable<string>
}

/** What tells of the silence of a session that is gone. */
const OF_SILENCE: ReadonlySet<HostEvent["kind"]> = new Set([
  "session-heard",
  "session-waits",
  "watched",
  "told-of-tool",
  "ended-silent",
])

/** What is kept of a session that is gone: its call may hang still, and what it has spent belongs to whom it ran below. */
function goneFrom({ parentId, quietMs, isEndedSilent, tools }: SessionMemory): SessionMemory {
  return { ...NOTHING_REMEMBERED, isDeleted: true, parentId, quietMs, isEndedSilent, tools }
}

/** An empty memory. */
export function openSessions(): Sessions {
  /** The one place where what is known of a session changes, and only by `remember`. */
  const memories = new Map<string, SessionMemory>()
  const of = (sessionId: string): SessionMemory => memories.get(sessionId) ?? NOTHING_REMEMBERED
  /** What it had spent, and no work has booked, goes to whom it ran below. */
  const forget = (sessionId: string): void => {
    const { parentId, spent: all } = of(sessionId)
    memories.delete(sessionId)
    // That it was answered says nothing of another's limit.
    const { answeredAt: _, ...spent } = all
    if (parentId && isSpent(spent)) note({ kind: "spent-returned", sessionId: parentId, spent })
  }
  /** One that is gone is made again where it is created; what could not be booked goes to whom it ran below. */
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
  /** Whether a call of ours is found to run in that session. */
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
    ids: () => [...memories].flatMap(([id, memory]) => (memory.isDeleted ? [] : [id])),
    note(event) {
      const isBegun = event.kind === "task-part" && isCalled(event)
      note(event)
      if (isBegun && event.childId !== null) note({ kind: "called", sessionId: event.childId })
      // Whoever runs a session is whom it runs below, whoever has made it.
      if (event.kind !== "task-part" || event.childId === null) return
      // The host tells of an old call again, long after it; and of the end of one whose session is deleted.
      if (event.status === "completed" || of(event.childId).isDeleted) return
      const { childId: sessionId, sessionId: parentId } = event
      if (!isBelow(parentId, sessionId)) note({ kind: "session-created", sessionId, parentId })
    },
  }
}
