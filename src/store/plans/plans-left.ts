// Finds the plans that can be meant by a person who names none.
import type { Boulder, Work } from "../../boulder/boulder.ts"
import { openWorks } from "../../boulder/find-work.ts"
import type { PlanFiles } from "./plan-files.ts"
import { isGone } from "./plan-path.ts"

/** At most this many plans are read. */
const MAX_READ = 50

interface PlansLeft {
  readonly works: readonly Work[]
  readonly left: readonly string[]
  readonly done: number
}

/**
 * What can be meant without a name, and how many of the plans are complete. `works` are the open works whose plan has something to do, or
 * whose wave the user may still have to answer; `left` are the plans of these and the others that are not complete. If there is nothing of
 * either, all open works and all plans. A plan that is gone counts only for the work that is one's own: it may be on another branch. One that
 * cannot be read is reported when it is started.
 */
export async function plansLeft(
  { plans, root }: { readonly plans: Pick<PlanFiles, "read">; readonly root: string },
  boulder: Boulder | null,
  paths: readonly string[],
  own: Pick<Work, "work_id"> | null = null,
): Promise<PlansLeft> {
  const open = openWorks(boulder)
  const states = new Map<string, boolean>()
  const seen = new Set([...open.map((work) => work.active_plan), ...paths.slice(0, MAX_READ)])
  const isLeft = async (path: string): Promise<boolean> => {
    const work = open.find((one) => one.active_plan === path)
    const reading = await plans.read(path)
    if (reading.kind === "read")
      return reading.plan.state !== "complete" || (work !== undefined && hasWave(work))
    return work === undefined || work.work_id === own?.work_id || !(await isGone(root, path))
  }
  await Promise.all([...seen].map(async (path) => states.set(path, await isLeft(path))))
  const works = open.filter((work) => states.get(work.active_plan))
  const left = paths.filter((path) => states.get(path) ?? true)
  const isNone = works.length === 0 && left.length === 0
  return {
    works: isNone ? open : works,
    left: isNone ? paths : left,
    done: paths.length - left.length,
  }
}

/** When its plan is complete, such a work may wait for the user. */
function hasWave({ final_wave: rows, awaiting_approval: waiting }: Work): boolean {
  return waiting !== null || Object.keys(rows).length > 0
}
