// Tells whose work a session belongs to: lead, former lead, child of either, or a stranger.
import type { Boulder, Work } from "../boulder/boulder.ts"
import { stop } from "../boulder/change-work.ts"
import { openWorks, workOfSession } from "../boulder/find-work.ts"
import type { PlaceInWork } from "../boulder/handoff-target.ts"
import type { KnownTask } from "../plan/match-tasks.ts"

/** How a session belongs to a work: it leads it, has led it, or runs below a session that does or did. */
export type Place =
  | { readonly role: "lead" | "former-lead" | "child" | "former-child"; readonly work: Work }
  | { readonly role: "stranger"; readonly work: null }

/** The place of a session; `chain` is the session itself, then its parents upwards. */
export function placeIn(boulder: Boulder | null, chain: readonly string[]): Place {
  for (const [steps, id] of chain.entries()) {
    const work = workOfSession(boulder, id)
    if (work === null) continue
    const leads = work.lead_session_id === id
    if (steps === 0) return { role: leads ? "lead" : "former-lead", work }
    return { role: leads ? "child" : "former-child", work }
  }
  return { role: "stranger", work: null }
}

/** The chain of a session that the host does not know: itself, then the lead of the open work that has it as a task's session. */
export function recordedChain(boulder: Boulder | null, sessionId: string): readonly string[] {
  const work = openWorks(boulder).find((one) => recordedFor(one, sessionId).length > 0)
  return work === undefined ? [sessionId] : [sessionId, work.lead_session_id]
}

/** The tasks that a work keeps a session for. */
export function recordedFor(work: Work, sessionId: string): readonly KnownTask[] {
  return Object.values(work.task_sessions)
    .filter(({ session_id: id }) => id === sessionId)
    .map(({ task_key: key, title_hash: titleHash }) => ({ key, titleHash }))
}

/**
 * A place as handoffs need it: the lead's, or a subagent's with its task if `tasksOf` gives exactly one; null for a former lead, and in a
 * completed work.
 */
export function placeInWork(
  { role, work }: Place,
  tasksOf: (work: Work) => readonly (KnownTask | null)[],
): PlaceInWork | null {
  if (work === null || work.status === "completed") return null
  const { work_id: workId } = work
  if (role === "lead") return { workId, role, task: null }
  if (role !== "child") return null
  const [task = null, ...others] = tasksOf(work)
  return { workId, role, task: others.length === 0 ? task : null }
}

/** The work that a session leads, unless it is completed. */
export function workLed({ role, work }: Place): Work | null {
  return role === "lead" && work.status !== "completed" ? work : null
}

/** The same, but only while the work is active: a paused work leaves its session to the user. */
export function workAtHand(place: Place): Work | null {
  const work = workLed(place)
  return work?.status === "active" ? work : null
}

/** The works that a session leads, including completed ones. */
export function worksLed(boulder: Boulder | null, sessionId: string): readonly Work[] {
  return Object.values(boulder?.works ?? {}).filter((work) => work.lead_session_id === sessionId)
}

/** A session leads only one work: the others it leads, which must stop when `workId` starts. */
export function othersLed(boulder: Boulder, workId: string, sessionId: string): readonly Work[] {
  return worksLed(boulder, sessionId).filter(
    (work) => work.work_id !== workId && stop(work) !== work,
  )
}

/** Whether a session ran for a work: a session that leads or has led it is above. `chain` as for `placeIn`. */
export function ranFor(work: Work, [, ...above]: readonly string[]): boolean {
  return above.some((id) => work.session_ids.includes(id))
}
