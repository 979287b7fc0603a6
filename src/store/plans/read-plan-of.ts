// The plan of a work, read as the work has it, and the work as that plan has it: the one reading for whoever shows it, or decides on it.
import type { Work } from "../../boulder/boulder.ts"
import { followTasks, withoutGone } from "../../boulder/follow-tasks.ts"
import { heldReading } from "../../boulder/held-plan.ts"
import type { PlanFileReading, PlanFiles } from "./plan-files.ts"

/** A work and its plan, each as the other has it. */
export interface WorkOnPlan {
  readonly work: Work
  readonly reading: PlanFileReading
}

/**
 * The plan of a work, in which what it holds counts as open, and what waits for that waits; and the work, whose tasks are
 * under the keys that they have there, and whose calls for tasks that it has no more are for none.
 */
export async function readPlanOf(plans: Pick<PlanFiles, "read">, known: Work): Promise<WorkOnPlan> {
  const read = await plans.read(known.active_plan)
  const work = withoutGone(read)(followTasks(read)(known))
  return { work, reading: heldReading(read, work) }
}
