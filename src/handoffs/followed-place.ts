// The place of a caller with its work's tasks followed into the plan as it is now.
import { followReading } from "../boulder/follow-tasks.ts"
import type { Place } from "../decide/place.ts"
import type { PlanFiles } from "../store/plans/plan-files.ts"

/**
 * A place whose work has its tasks followed into the plan as it is now: a subagent saves for the task that it was
 * given, though the plan was renumbered while it worked. Where the plan cannot be read the place is as it was.
 */
export async function followedPlace(plans: Pick<PlanFiles, "read">, place: Place): Promise<Place> {
  if (place.work === null) return place
  const reading = await plans.read(place.work.active_plan)
  return { ...place, work: followReading(reading)(place.work) }
}
