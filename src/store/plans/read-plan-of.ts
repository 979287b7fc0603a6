// The plan of a work, read as the work has it: the one reading for whoever shows it, or decides on it.
import type { Work } from "../../boulder/boulder.ts"
import { heldReading } from "../../boulder/held-plan.ts"
import type { PlanFileReading, PlanFiles } from "./plan-files.ts"

/** The plan of a work: what it holds counts as open there, and what waits for that waits. */
export async function readPlanOf(
  plans: Pick<PlanFiles, "read">,
  work: Work,
): Promise<PlanFileReading> {
  return heldReading(await plans.read(work.active_plan), work)
}
