// The work of a plan, by the plan's real path.
import type { Work } from "../../boulder/boulder.ts"
import type { PlanFiles } from "./plan-files.ts"

/**
 * The work of the plan at `path`, which is without links; null where there is none. One that was written down with a
 * path by way of a link, as older formats do, is known by where that leads.
 */
export async function workOfPlan<Known extends Pick<Work, "active_plan">>(
  works: readonly Known[],
  path: string,
  plans: Pick<PlanFiles, "inRoot">,
): Promise<Known | null> {
  const exact = works.find((work) => work.active_plan === path)
  if (exact !== undefined) return exact
  for (const work of works)
    if ((await plans.inRoot(work.active_plan).catch(() => null)) === path) return work
  return null
}
