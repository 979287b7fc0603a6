// Finds the work of a plan by the plan's real path.
import type { Work } from "../../boulder/boulder.ts"
import type { PlanFiles } from "./plan-files.ts"
import { placesOf } from "./plan-path.ts"

/**
 * The work of the plan at `path`, which is without links; null if there is none. A work recorded with a path through a link, as in older
 * formats, is found by where that leads.
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

/** The work of the plan that is, or was, at the first of these paths that has one, resolved like `placesOf`; null if none has. */
export async function workAt<Known extends Pick<Work, "active_plan">>(
  works: readonly Known[],
  paths: readonly string[],
  { plans, from }: { readonly plans: Pick<PlanFiles, "inRoot">; readonly from: string },
): Promise<Known | null> {
  for (const path of placesOf(paths, from)) {
    const real = await plans.inRoot(path).catch(() => null)
    const work = real === null ? null : await workOfPlan(works, real, plans)
    if (work !== null) return work
  }
  return null
}
