// Decides who may mark a work's plan and write into a record.
import { findAgain } from "../plan/match-tasks.ts"
import type { Plan, Task } from "../plan/model/plan.ts"
import type { Handoff } from "./handoff.ts"
import type { PlaceInWork } from "./handoff-target.ts"

/** Who saves a record. */
export interface Saver {
  /** Null if they belong to no work. */
  readonly place: PlaceInWork | null
  /** They already held the record. */
  readonly held: boolean
}

/**
 * Whether a save may mark `task`, the record's task, in the plan as it is now. The lead may mark every task of its work, a subagent the one
 * it was given, and whoever has claimed a record that came from the work that record's task. A record opened from outside is an offer: it
 * gives nobody a right to the plan.
 */
export function mayMark(
  { place, held }: Saver,
  handoff: Handoff,
  { plan, task }: { readonly plan: Pick<Plan, "tasks">; readonly task: Pick<Task, "key"> },
): boolean {
  const isIts = () => findAgain(plan, place?.task ?? null)?.key === task.key
  if (isFamily(place, handoff) && (place?.role === "lead" || isIts())) return true
  return held && handoff.from_outside !== true
}

/** Whether a save may write into a record. Others may write only into those records of a work that they have claimed. */
export function mayWrite({ place, held }: Saver, handoff: Handoff): boolean {
  const isOfWork = handoff.work_id !== null && handoff.from_outside !== true
  return !isOfWork || held || isFamily(place, handoff)
}

function isFamily(place: PlaceInWork | null, { work_id }: Handoff): boolean {
  return place !== null && place.workId === work_id
}
