// The memory of this process.
import type { HostEvent } from "../../decide/host-event.ts"
import { remember } from "../../decide/remember.ts"
import { NOTHING_REMEMBERED, type SessionMemory } from "../../decide/session-memory.ts"
import { forgetOldest } from "../../store/disk/forget-oldest.ts"

const MAX_SESSIONS = 1_000

/** The memory of every session of this process: bounded, and emptied when a session is deleted. */
export interface Sessions {
  of(sessionId: string): SessionMemory
  /** Takes an event into the memory of its session. */
  note(event: HostEvent): void
  /** The ids that are remembered. */
  ids(): Iterable<string>
}

/** An empty memory. */
export function openSessions(): Sessions {
  /** The one place where what is known of a session changes, and only by `remember`. */
  const memories = new Map<string, SessionMemory>()
  const note = (event: HostEvent): void => {
    if (event.kind === "session-deleted") {
      memories.delete(event.sessionId)
      return
    }
    const before = memories.get(event.sessionId) ?? NOTHING_REMEMBERED
    const after = remember(before, event)
    if (after === before) return
    memories.delete(event.sessionId)
    memories.set(event.sessionId, after)
    forgetOldest(memories, MAX_SESSIONS)
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
    of: (sessionId) => memories.get(sessionId) ?? NOTHING_REMEMBERED,
    ids: () => memories.keys(),
    note(event) {
      note(event)
      // Whoever runs a session is whom it runs below, whoever has made it.
      if (event.kind !== "task-part" || event.childId === null) return
      // The host tells of an old call again, long after it.
      if (event.status === "completed") return
      const { childId: sessionId, sessionId: parentId } = event
      if (!isBelow(parentId, sessionId)) note({ kind: "session-created", sessionId, parentId })
    },
  }
}
