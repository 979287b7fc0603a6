// Finds the work that a session belongs to, as its lead or as a former one.
import type { Boulder, Work } from "./boulder.ts"

/**
 * The work that a session belongs to, as its lead or as a former one. Works that are not completed come first, then those it leads, then
 * those that its user has not stopped, whatever the clock was set to meanwhile; among equals the one resumed last.
 */
export function workOfSession(boulder: Boulder | null, sessionId: string): Work | null {
  const works = Object.values(boulder?.works ?? {}).filter((work) =>
    work.session_ids.includes(sessionId),
  )
  return (
    works.sort((a, b) => rank(b, sessionId) - rank(a, sessionId) || latestFirst(a, b))[0] ?? null
  )
}

/** Whether a session ran for a work: it leads or has led the work, or the work keeps it for a task. */
export function isSessionOf(work: Work, sessionId: string): boolean {
  const children = Object.values(work.task_sessions)
  return (
    work.session_ids.includes(sessionId) ||
    children.some(({ session_id: child }) => child === sessionId)
  )
}

/** The works that can still go on, the one resumed last first. */
export function openWorks(boulder: Boulder | null): readonly Work[] {
  return Object.values(boulder?.works ?? {})
    .filter((work) => work.status !== "completed")
    .sort(latestFirst)
}

/** Orders works: the one started or resumed last comes first. */
export function latestFirst(a: Work, b: Work): number {
  return b.resumed_at.localeCompare(a.resumed_at)
}

function rank(work: Work, sessionId: string): number {
  const { status, pause_reason: reason, lead_session_id: lead } = work
  // When a session starts another work, its other works are stopped.
  const isAtHand = reason !== "stopped-by-user"
  return (status === "completed" ? 0 : 4) + (lead === sessionId ? 2 : 0) + (isAtHand ? 1 : 0)
}
