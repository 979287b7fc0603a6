// Changes one work and stamps it.
import type { Boulder, Change, PauseReason, SpentBudget, Work } from "./boulder.ts"
import { dispatchesOf } from "./find-dispatch.ts"
import { freshContinuation } from "./new-work.ts"
import { goesOnByItself, toldAt } from "./usage-limit.ts"

const MAX_SESSIONS = 1_000

/** Changes one work and stamps it. Writes nothing if there is no such work, or if `change` returns it unchanged. */
export function changeWork(workId: string, now: string, change: (work: Work) => Work): Change {
  return (boulder) => {
    const work = boulder.works[workId]
    if (work === undefined) return boulder
    const changed = change(work)
    return changed === work ? boulder : putWork(boulder, { ...changed, updated_at: now })
  }
}

/** Adds or replaces a work. */
export function putWork(boulder: Boulder, work: Work): Boulder {
  return { ...boulder, works: { ...boulder.works, [work.work_id]: work } }
}

/**
 * Makes `sessionId` the lead session of a work and resumes it. Its own delegations that really run, by `liveCalls`, stay open; all others
 * belong to nobody now.
 */
export function takeLead(
  sessionId: string,
  now: string,
  liveCalls: readonly string[],
): (work: Work) => Work {
  return (work) => ({
    ...resumed(work, now),
    dispatches: dispatchesOf(work, sessionId, liveCalls),
    lead_session_id: sessionId,
    session_ids: [...work.session_ids.filter((id) => id !== sessionId), sessionId].slice(
      -MAX_SESSIONS,
    ),
  })
}

/**
 * Pauses an active work, or one that would resume by itself; any other stays as it is, since terminal means terminal. `spent` is the
 * ceiling that was reached, if any.
 */
export function pause(reason: PauseReason, spent: SpentBudget | null = null): (work: Work) => Work {
  return (work) => {
    if (work.status === "active")
      return { ...work, status: "paused", pause_reason: reason, spent_budget: spent }
    if (!goesOnByItself(work)) return work
    const isUsers = reason === "aborted" || reason === "rejected-by-user"
    return { ...work, ...NO_CAUSE, ...(isUsers ? liftedOf(work) : {}), pause_reason: reason }
  }
}

/** Pauses a work because its user said so: the only reason that replaces another one. */
export function stop(work: Work): Work {
  return work.status === "completed" || work.pause_reason === "stopped-by-user"
    ? work
    : {
        ...{ ...work, ...NO_CAUSE, ...liftedOf(work) },
        ...{ status: "paused", pause_reason: "stopped-by-user" },
      }
}

/** Fields that explain another pause. */
const NO_CAUSE = { spent_budget: null, refusal: null, limited: null } as const

/**
 * The limit that a person's word overrides: the host may report it again later, and the clock may be set back. Other pauses, which an edit
 * of the plan ends, leave the limit as it is.
 */
function liftedOf({ limited }: Work): Pick<Work, "lifted_limit"> {
  return limited === null ? {} : { lifted_limit: toldAt(limited) }
}

/** Ends an active work for good. */
export function complete(work: Work): Work {
  return work.status === "active"
    ? {
        ...work,
        status: "completed",
        dispatches: {},
        awaiting_approval: null,
        spoken_wave: null,
        limited: null,
      }
    : work
}

/**
 * A resumed work: streaks and the provider's limits are forgotten, since a person's word counts for more. The budget is fresh only if it
 * was the budget that stopped the work.
 */
export function resumed(work: Work, now: string): Work {
  const fresh = freshContinuation()
  const spent = work.pause_reason === "budget-spent"
  return {
    ...work,
    rejections: {},
    status: "active",
    pause_reason: null,
    spent_budget: null,
    refusal: null,
    limited: null,
    ...liftedOf(work),
    task_sessions: withoutLimits(work.task_sessions),
    resumed_at: now,
    compactions: { ...work.compactions, in_a_row: 0 },
    tokens: spent ? { ...work.tokens, since: work.tokens.spent } : work.tokens,
    cost: spent ? { ...work.cost, since_usd: work.cost.usd } : work.cost,
    continuation: {
      ...work.continuation,
      ...fresh,
      count: spent ? 0 : work.continuation.count,
      recent: spent ? [] : work.continuation.recent,
      last_at: work.continuation.last_at,
      // What a turn has reported once is not reported again.
      failed_message_id: work.continuation.failed_message_id,
      counted_message_id: work.continuation.counted_message_id,
    },
  }
}

function withoutLimits(sessions: Work["task_sessions"]): Work["task_sessions"] {
  const isLimited = Object.values(sessions).some(({ interrupted }) => interrupted !== undefined)
  if (!isLimited) return sessions
  const free = Object.entries(sessions).map(([key, { interrupted: _, ...session }]) => [
    key,
    session,
  ])
  return Object.fromEntries(free)
}
