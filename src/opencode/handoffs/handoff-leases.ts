// Leases that sessions of this process hold, each for `lease_minutes`.
import { renewEveryMs } from "../../boulder/handoff-changes.ts"
import { isWithin } from "../../boulder/iso-time.ts"
import type { HandoffDesk } from "../../store/handoffs/handoff-desk.ts"
import { ancestorsOf } from "../host/lineage.ts"
import type { Sessions } from "../host/sessions.ts"

/** The leases that sessions of this process hold; activity of a session or of its subagents makes them last on. */
export interface Leases {
  hold(sessionId: string, handoffId: string): void
  /** At a tool call or a message: the write that is due for the session or its ancestors; mostly null. */
  renewal(sessionId: string): (() => Promise<void>) | null
}

export function openLeases(
  desk: HandoffDesk,
  { sessions, now, leaseMs }: { sessions: Sessions; now: () => number; leaseMs: number },
): Leases {
  const hold = (sessionId: string, handoffId: string): void =>
    sessions.note({ kind: "lease-held", sessionId, handoffId, at: now() })

  const dueOf = (sessionId: string) =>
    sessions
      .of(sessionId)
      .leases.filter(({ renewedAt }) => !isWithin(renewedAt, renewEveryMs(leaseMs), now()))
      .map(({ handoffId }) => ({ sessionId, handoffId }))

  return {
    hold,
    renewal(sessionId) {
      const due = [sessionId, ...ancestorsOf({ sessions }, sessionId)].flatMap(dueOf)
      if (due.length === 0) return null
      return async () => {
        for (const { sessionId: holder, handoffId } of due) {
          hold(holder, handoffId)
          if (!(await desk.renew(holder, handoffId)))
            sessions.note({ kind: "lease-lost", sessionId: holder, handoffId })
        }
      }
    },
  }
}
