// The memory of this process.
import { isSpent } from "../../decide/count-answers.ts"
import type { HostEvent } from "../../decide/host-event.ts"
import { remember } from "../../decide/remember.ts"
import { NOTHING_REMEMBERED, type SessionMemory } from "../../decide/session-memory.ts"

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

/** A session that is gone, and whom it ran below. */
interface Deleted extends Pick<SessionMemory, "parentId"> {
  readonly isDeleted: true
}

function isDeleted(memory: SessionMemory | Deleted | undefined): memory is Deleted {
  return memory !== undefined && "isDeleted" in memory
}

/** An empty memory. */
export function openSessions(): Sessions {
  /** The one place where what is known of a session changes, and only by `remember`. */
  const memories = new Map<string, SessionMemory | Deleted>()
  /** What it had spent, and no work has booked, goes to whom it ran below. */
  const forget = (sessionId: string): void => {
    const { parentId, spent: all } = { ...NOTHING_REMEMBERED, ...memories.get(sessionId) }
    memories.delete(sessionId)
    // That it was answered says nothing of another's limit.
    const { answeredAt: _, ...spent } = all
    if (parentId && isSpent(spent)) note({ kind: "spent-returned", sessionId: parentId, spent })
  }
  /** One that is gone is made again where it is created; what could not be booked goes to whom it ran below. */
  const noteDeleted = (event: HostEvent, { parentId }: Deleted): void => {
    if (event.kind === "session-created") keep(event.sessionId, remember(NOTHING_REMEMBERED, event))
    if (event.kind === "spent-returned" && parentId) note({ ...event, sessionId: parentId })
  }
  const note = (event: HostEvent): void => {
    const { sessionId, kind } = event
    const known = memories.get(sessionId)
    if (isDeleted(known)) {
      noteDeleted(event, known)
      return
    }
    if (kind === "session-deleted") {
      forget(sessionId)
      keep(sessionId, { isDeleted: true, parentId: known?.parentId })
      return
    }
    const before = known ?? NOTHING_REMEMBERED
    const after = remember(before, event)
    if (after !== before) keep(sessionId, after)
  }
  const keep = (sessionId: string, memory: SessionMemory | Deleted): void => {
    memories.delete(sessionId)
    memories.set(sessionId, memory)
    for (const oldest of memories.keys()) {
      if (memories.size <= MAX_SESSIONS) return
      forget(oldest)
    }
  }
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
    of: (sessionId) => {
      const memory = memories.get(sessionId)
      return memory === undefined || isDeleted(memory) ? NOTHING_REMEMBERED : memory
    },
    ids: () => [...memories].flatMap(([id, memory]) => (isDeleted(memory) ? [] : [id])),
    note(event) {
      note(event)
      // Whoever runs a session is whom it runs below, whoever has made it.
      if (event.kind !== "task-part" || event.childId === null) return
      // The host tells of an old call again, long after it; and of the end of one whose session is deleted.
      if (event.status === "completed" || isDeleted(memories.get(event.childId))) return
      const { childId: sessionId, sessionId: parentId } = event
      if (!isBelow(parentId, sessionId)) note({ kind: "session-created", sessionId, parentId })
    },
  }
}
