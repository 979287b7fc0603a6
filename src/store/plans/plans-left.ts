// Finds the plans that can be meant by a person who names none.
import type { Boulder, Work } from "../../boulder/boulder.ts"
import { openWorks } from "../../boulder/find-work.ts"
import type { PlanFiles } from "./plan-files.ts"

/** At most this many plans are read. */
const MAX_READ = 50

interface PlansLeft {
  readonly works: readonly Work[]
  readonly left: readonly string[]
  readonly done: number
}

/**
 * What can be meant without a name, and how many of the plans are complete. `works` are the open works whose plan is there and has something
 * to do, or whose wave the user may still have to answer; `left` are the plans of these and the others that are not complete. If there is
 * nothing of either, all open works and all plans. A plan that cannot be read is reported when it is started.
 */
export async function plansLeft(
  plans: Pick<PlanFiles, "read">,
  boulder: Boulder | null,
  paths: readonly string[],
): Promise<PlansLeft> {
  const open = openWorks(boulder)
  const states = new Map<string, boolean>()
  const seen = new Set([...open.map((work) => work.active_plan), ...paths.slice(0, MAX_READ)])
  const isLeft = async (path: string): Promise<boolean> => {
    const work = open.find((one) => one.active_plan === path)
    const reading = await plans.read(path)
    if (reading.kind !== "read") return work === undefined
    return reading.plan.state !== "complete" || (work !== undefined && hasWave(work))
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
