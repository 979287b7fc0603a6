// The schema of a handoff, and who holds it.

import { once } from "../plan/model/once.ts"
import { isWithin, msOf, msUntil } from "./iso-time.ts"
import { z } from "./z.ts"

/** Letters and digits that the shell makes from the record's subject: no path is built from anything else. */
export const HANDOFF_ID = /^hnd_[0-9A-Za-z]{12,32}$/

/** A session as any host names it: opencode's own ids, and those of agents that come over MCP. */
export const HOLDER_ID = /^[0-9A-Za-z][0-9A-Za-z_.:-]{0,127}$/

/** How long a claimed task stays with a session that reports nothing, unless another time is set. */
export const LEASE_MINUTES = 30
export const MAX_SUMMARY_CHARS = 4_000
export const MAX_REASON_CHARS = 1_000
export const MAX_TASK_CHARS = 512

/**
 * A session's progress record that a later session can claim. It is open until `settled_at` is set. The schema is made on demand, so that
 * commands which never meet a record need not wait for it.
 */
export const handoffSchema = once(() => {
  const time = z.iso.datetime({ offset: true })
  const holderId = z.string().regex(HOLDER_ID)
  const status = z.enum(["in_progress", "blocked", "complete"])
  const summary = z.string().max(MAX_SUMMARY_CHARS)
  const reason = z.string().max(MAX_REASON_CHARS).nullable()
  const pastStatus = z.strictObject({
    session_id: holderId,
    status: z.enum(["in_progress", "blocked", "complete", "silent", "released"]),
    summary,
    reason,
    at: time,
  })
  return z.strictObject({
    schema_version: z.literal(1),
    id: z.string().regex(HANDOFF_ID),
    /** Keeps out records of other projects and, if asked for, of other agents. */
    scope: z.strictObject({
      project: z.string().min(1).max(128),
      agent: z.string().max(256).nullable(),
    }),
    work_id: z.string().min(1).max(256).nullable(),
    plan_name: z.string().max(512).nullable(),
    task_key: z.string().min(1).max(256).nullable(),
    title_hash: z.string().max(64).nullable(),
    task_text: z.string().max(MAX_TASK_CHARS).nullable(),
    /** Opened by a session outside the work: an offer to the work, with no say in its plan. */
    from_outside: z.literal(true).optional(),
    /** Who saved last. */
    session_id: holderId,
    agent: z.string().max(256).nullable(),
    status,
    summary,
    blocked_reason: reason,
    /** What must be true before somebody can go on, if that was said. */
    unblock: reason,
    blocked_at: time.nullable(),
    created_at: time,
    updated_at: time,
    settled_at: time.nullable(),
    /** How many sessions have held it. */
    attempts: z.int().min(1),
    /** What was said before, oldest first. */
    history: z.array(pastStatus).max(24),
    /**
     * Who works on it now, when they last reported, until when the lease runs, and since when they have held it if they reported before.
     */
    claim: z
      .strictObject({
        session_id: holderId,
        claimed_at: time,
        lease_until: time,
        since: time.optional(),
      })
      .nullable(),
  })
})

export type Handoff = z.infer<ReturnType<typeof handoffSchema>>
export type HandoffStatus = Handoff["status"]
export type PastStatus = Handoff["history"][number]

/** The session whose lease still runs; null if anybody may take the task. `now` in ms. */
export function holderOf({ claim }: Handoff, now: number): string | null {
  if (claim === null) return null
  const leaseMs = msUntil(claim.lease_until, msOf(claim.claimed_at))
  return isWithin(claim.claimed_at, leaseMs, now) ? claim.session_id : null
}

/** Whether a session holds it: its lease runs, or has run out and nobody has taken the task since. */
export function isHeldBy(handoff: Handoff, sessionId: string): boolean {
  return handoff.settled_at === null && handoff.claim?.session_id === sessionId
}
