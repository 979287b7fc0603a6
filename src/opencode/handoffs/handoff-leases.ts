// Keeps the leases that sessions of this process hold, each for `lease_minutes`.
import { isHeldBy } from "../../boulder/handoff.ts"
import { renewEveryMs } from "../../boulder/handoff-changes.ts"
import { isWithin } from "../../boulder/iso-time.ts"
import type { HandoffDesk } from "../../store/handoffs/handoff-desk.ts"
import { ancestorsOf } from "../host/lineage.ts"
import type { Shell } from "../host/shell.ts"

/** The leases that sessions of this process hold. Activity of a session or its subagents renews them. */
export type Leases = ReturnType<typeof openLeases>

export function openLeases(
  desk: HandoffDesk,
  {
    sessions,
    handoffs,
    now,
    leaseMs,
  }: Pick<Shell, "sessions" | "handoffs" | "now"> & { readonly leaseMs: number },
) {
  const hold = (sessionId: string, handoffId: string): void =>
    sessions.note({ kind: "lease-held", sessionId, handoffId, at: now() })

  const dueOf = (sessionId: string) =>
    sessions
      .of(sessionId)
      .leases.filter(({ renewedAt }) => !isWithin(renewedAt, renewEveryMs(leaseMs), now()))
      .map(({ handoffId }) => ({ sessionId, handoffId }))

  const renew = async (sessionId: string, handoffId: string): Promise<void> => {
    hold(sessionId, handoffId)
    if (!(await desk.renew(sessionId, handoffId)))
      sessions.note({ kind: "lease-lost", sessionId, handoffId })
  }

  /** Takes up leases of these sessions that an earlier process knew of. */
  const takeUp = async (sessionIds: readonly string[]): Promise<void> => {
    const known = () => {
      for (const sessionId of sessionIds) sessions.note({ kind: "leases-known", sessionId })
    }
    const open = await handoffs.open().catch((error: unknown) => {
      // So that the error is reported once for each session.
      known()
      throw error
    })
    // If nobody has answered yet, the next sign of life asks again.
    if (open.old === undefined) known()
    for (const sessionId of sessionIds) {
      const held = open.handoffs.filter((handoff) => isHeldBy(handoff, sessionId))
      for (const { id } of held) await renew(sessionId, id)
    }
  }

  return {
    hold,
    /**
     * At a tool call or a message: the write that is due for the session or its ancestors, and once in this process a look at what they hold.
     * Mostly null: nothing is due.
     */
    renewal(sessionId: string) {
      const chain = [sessionId, ...ancestorsOf({ sessions }, sessionId)]
      const unknown = chain.filter((id) => !sessions.of(id).knowsLeases)
      const due = chain.flatMap(dueOf)
      if (unknown.length + due.length === 0) return null
      return async () => {
        if (unknown.length > 0) await takeUp(unknown)
        for (const { sessionId: holder, handoffId } of due) await renew(holder, handoffId)
      }
    },
  }
}
