import { renewEveryMs } from "../boulder/handoff-changes.ts"
import { isWithin } from "../boulder/iso-time.ts"
import { forgetOldest } from "../store/forget-oldest.ts"
import type { HandoffDesk } from "../store/handoff-desk.ts"
import type { Sessions } from "./sessions.ts"

/** The leases that sessions of this process hold; activity of a session or of its subagents makes them last on. */
export interface Leases {
  hold(sessionId: string, handoffId: string): void
  /** At a tool call or a message: the write that is due for the session or its ancestors; mostly null. */
  renewal(sessionId: string): (() => Promise<void>) | null
  /** A session is gone: its leases run out. */
  forget(sessionId: string): void
}

const MAX_HELD = 1_000
const MAX_STEPS = 8

interface Held {
  readonly sessionId: string
  readonly handoffId: string
  /** When its lease was last to be written anew; ms. */
  renewedAt: number
}

export function openLeases(
  desk: HandoffDesk,
  { sessions, now, leaseMs }: { sessions: Sessions; now: () => number; leaseMs: number },
): Leases {
  const held = new Map<string, Held>()

  const renew = async (due: readonly Held[]): Promise<void> => {
    for (const lease of due) {
      lease.renewedAt = now()
      if (!(await desk.renew(lease.sessionId, lease.handoffId))) held.delete(lease.handoffId)
    }
  }

  return {
    hold(sessionId, handoffId) {
      held.delete(handoffId)
      held.set(handoffId, { sessionId, handoffId, renewedAt: now() })
      forgetOldest(held, MAX_HELD)
    },
    forget(sessionId) {
      for (const [id, lease] of held) if (lease.sessionId === sessionId) held.delete(id)
    },
    renewal(sessionId) {
      if (held.size === 0) return null
      const family = withAncestors(sessions, sessionId)
      const at = now()
      const due = [...held.values()].filter(
        ({ renewedAt, sessionId: holder }) =>
          !isWithin(renewedAt, renewEveryMs(leaseMs), at) && family.includes(holder),
      )
      return due.length === 0 ? null : () => renew(due)
    },
  }
}

/** A session and its ancestors, as far as this process remembers them. */
function withAncestors(sessions: Sessions, sessionId: string): readonly string[] {
  const chain: string[] = []
  let current: string | null | undefined = sessionId
  while (current && chain.length < MAX_STEPS) {
    chain.push(current)
    current = sessions.of(current).parentId
  }
  return chain
}
