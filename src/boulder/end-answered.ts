// Ends a provider's limit once the provider has answered again.
import type { TaskSession, Work } from "./boulder.ts"
import { dispatchOf } from "./find-dispatch.ts"
import { isBefore } from "./iso-time.ts"
import type { Spent } from "./spent.ts"
import type { LimitSpan } from "./usage-limit.ts"

/**
 * Ends the limits after which the provider has answered whoever it had limited: the next limit has all its attempts again. A waiting work
 * stays as it is, and so does a limit that began after the answer. `now` in ms.
 */
export function endAnswered(spent: readonly Spent[], now: number): (work: Work) => Work {
  return (work) => (work.status === "active" ? spent.reduce(withAnswer(now), work) : work)
}

const withAnswer =
  (now: number) =>
  (work: Work, answer: Spent): Work => {
    const { path, answeredAt } = answer
    if (answeredAt === undefined) return work
    const isOver = ({ since }: LimitSpan): boolean => isBefore(since, answeredAt, now)
    if (path.length === 0)
      return work.limited !== null && isOver(work.limited) ? { ...work, limited: null } : work
    const freed = sessionsOf(work, answer).flatMap(({ interrupted, ...free }) =>
      interrupted !== undefined && isOver(interrupted) ? [[free.task_key, free] as const] : [],
    )
    if (freed.length === 0) return work
    return { ...work, task_sessions: { ...work.task_sessions, ...Object.fromEntries(freed) } }
  }

/** The tasks that a subagent's answer counts for: that of its running call, else all that keep its session. */
function sessionsOf(work: Work, { path, callId }: Spent): readonly TaskSession[] {
  const call = callId === null ? undefined : dispatchOf(work, callId)
  const { task_key: key = null, title_hash: titleHash = null } = call ?? {}
  return Object.values(work.task_sessions).filter(({ task_key, title_hash, session_id }) =>
    key === null
      ? path.includes(session_id)
      : task_key === key && (titleHash === null || title_hash === titleHash),
  )
}
