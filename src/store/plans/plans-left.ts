// Finds the plans that can be meant by a person who names none.
import type { Boulder } from "../../boulder/boulder.ts"
import { openWorks } from "../../boulder/find-work.ts"
import type { PlanFiles } from "./plan-files.ts"

/** At most this many plans are read. */
const MAX_READ = 50

/**
 * The plans of open works and those that are not complete, or all if there are none of these; and how many are complete. One that cannot be
 * read is reported when it is started.
 */
export async function plansLeft(
  plans: Pick<PlanFiles, "read">,
  boulder: Boulder | null,
  paths: readonly string[],
): Promise<{ readonly left: readonly string[]; readonly done: number }> {
  const open = new Set(openWorks(boulder).map((work) => work.active_plan))
  const read = paths.slice(0, MAX_READ).map((path) => (open.has(path) ? null : plans.read(path)))
  const states = await Promise.all(read)
  const left = paths.filter((_, at) => {
    const state = states[at]
    return state?.kind !== "read" || state.plan.state !== "complete"
  })
  return { left: left.length > 0 ? left : paths, done: paths.length - left.length }
}
